"""Which questions of the model reach the user. The harness decides that, and not the model.

A question is worth an interruption if its answer changes what is done, if it is about one
decision, and if nothing that can be looked up would answer it. Code can check the form of a
question and that the model has looked; whether it is wise to ask, it cannot.
"""

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from ..tools.tool import Arguments
from .state import AgentState, Decision

VAGUE = (
    *("接下来怎么办", "接下来做什么", "下一步做什么", "下一步怎么做", "怎么继续", "可以继续吗"),
    *("你觉得呢", "随便问", "还有什么要求", "有什么想法", "what next", "what should i do"),
    *("how should i proceed", "shall i continue", "any thoughts", "any preferences"),
)
"""Phrases that ask for everything and nothing, in lower case."""

SEVERAL = ("、", "，", ",", "；", ";", "以及", "和其他", " and ")
"""What stands in the name of more than one decision. (`/` does not: SQLite/Postgres is one.)"""

URL = re.compile(r"https?://\S+")
LIST_MARK = re.compile(
    r"(?:^|[\s：:；;])(?:[-*•]\s|\d{1,2}(?:\.(?!\d)|[)、）])|[(（]\d{1,2}[)）]|[①-⑩])"
)
"""The number or the dot in front of an item. 2.5 is no item."""

NAMED_FILE = re.compile(r"\b(?:[\w.-]+/)*[\w-]+\.[A-Za-z]\w{0,7}\b|\b[A-Z]{4,}\b", re.ASCII)
"""A file that a question speaks of: `a/b.txt`, README, LICENSE."""

TERM = re.compile(r"[A-Za-z0-9_]{3,}|[\u4e00-\u9fff]+")
MAX_QUESTION, MAX_REASON, MAX_DECISION, MAX_OPTION = 300, 500, 40, 80
MAX_OPTIONS = 6


class RequestArgs(Arguments):
    """The arguments of `request_user_input`."""

    question: str = Field(min_length=1, description="要问的话：一个问题，只为一个决定")
    reason: str = Field(min_length=1, description="为什么非问不可：回答会影响什么")
    decision: str = Field(min_length=1, description="要决定的是什么，几个字的名字")
    options: tuple[str, ...] = Field(
        default=(), description="可选的答案，2 到 6 个；只有答案无法列举时才留空"
    )
    changes: Literal["implementation", "permission", "acceptance"] = Field(
        description="回答会改变什么：做法、权限，还是验收"
    )
    checked: tuple[str, ...] = Field(
        default=(), description="已经查过的：这次运行里只读工具调用的 id"
    )


def rejection_reason(
    args: RequestArgs, state: AgentState, *, looks: Mapping[str, str], can_look: bool
) -> str | None:
    """Return why the user is not asked; None: the user is.

    Args:
        args: The question.
        state: The run it comes from.
        looks: What read-only tools have looked at in this run: call id and arguments.
        can_look: There are read-only tools.
    """
    if (pending := state.pending_user_input) is not None:
        return f"user_input_already_pending：{pending.id} 还没有回答。"
    if (settled := _settled(args, state)) is not None:
        return _told_before(settled)
    unchecked = _unchecked(args, looks=looks) if can_look else None
    return _poorly_put(args) or _poor_options(args) or unchecked


def normal_form(decision: str) -> str:
    """Return the name of a decision without what can vary: case, blanks, punctuation."""
    return "".join(char for char in decision.casefold() if char.isalnum())


def _settled(args: RequestArgs, state: AgentState) -> Decision | None:
    name = normal_form(args.decision)
    return next((one for one in state.decisions if one.name == name), None)


def _told_before(settled: Decision) -> str:
    if settled.answer is None:
        return "没有问：这个问题问过，到期也没有人回答。自己选最稳妥的做法，并说明。"
    return f"没有问：这个问题用户已经回答过：{settled.answer.content}"


def _poorly_put(args: RequestArgs) -> str | None:
    question = URL.sub(" ", args.question).strip()
    if not args.question.strip() or not args.reason.strip() or not normal_form(args.decision):
        return "没有问：question、reason、decision 都不能是空的。"
    lengths = (
        (args.question, MAX_QUESTION, "question"),
        (args.reason, MAX_REASON, "reason"),
        (args.decision, MAX_DECISION, "decision"),
    )
    for text, most, name in lengths:
        if len(text) > most:
            return f"没有问：{name} 太长（{len(text)} 个字符，最多 {most}）。只问一件事，不附计划。"
    if any(phrase in question.casefold() for phrase in VAGUE):
        return "没有问：太笼统。问一个具体的决定，并给出选项。"
    if len(LIST_MARK.findall(question)) > 1:
        return "没有问：这是一张单子。只问一个决定；要选的写进 options。"
    several = any(mark in args.decision.casefold() for mark in SEVERAL)
    if several or question.count("？") + question.count("?") > 1:
        return "没有问：一次只解决一个决定。"
    return None


def _poor_options(args: RequestArgs) -> str | None:
    options = [option.strip() for option in args.options]
    if len(options) == 1 or len(options) > MAX_OPTIONS:
        return f"没有问：options 要有 2 到 {MAX_OPTIONS} 个，或者留空。"
    if any(not option or len(option) > MAX_OPTION for option in options):
        return f"没有问：每个选项都要有字，最多 {MAX_OPTION} 个字符。"
    if len(set(options)) < len(options):
        return "没有问：有两个选项相同。"
    return None


def _unchecked(args: RequestArgs, *, looks: Mapping[str, str]) -> str | None:
    """Return what the model has yet to look at; None: it has looked where it had to.

    A choice needs a look at something. A file that is named needs a look at that file. A
    question without options asks for a fact, so it needs a look for just that.
    """
    seen = [looks[call_id] for call_id in args.checked if call_id in looks]
    if not seen:
        return "没有问：先用只读工具查一查，再把查过的调用 id 写进 checked。能查到的不要问用户。"
    everything = "\n".join(seen).casefold()
    for name in NAMED_FILE.findall(URL.sub(" ", args.question)):
        if name.casefold() not in everything:
            return f"没有问：问题里说到 {name}，却没有查过它。先去看。"
    is_choice = args.options or "还是" in args.question or " or " in args.question.casefold()
    if not is_choice and not _terms(args.question + " " + args.decision) & _terms(everything):
        return "没有问：checked 里的调用查的是别的东西。先查问题里说到的。"
    return None


def _terms(text: str) -> set[str]:
    """Return the words of `text`; of Chinese, which has no blanks, all pairs of characters."""
    terms: set[str] = set()
    for word in TERM.findall(text.casefold()):
        if word.isascii():
            terms.add(word)
        else:
            terms.update(word[i : i + 2] for i in range(len(word) - 1))
    return terms

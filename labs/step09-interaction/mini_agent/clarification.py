"""Which questions of the model reach the user. The harness decides that, and not the model.

A question is worth an interruption if its answer changes what is done, if it is about one
thing, and if nothing that can be looked up would answer it.
"""

from collections.abc import Collection
from typing import Literal

from pydantic import Field

from .run_state import AgentState, Decision
from .tools.tool import Arguments

VAGUE = (
    "接下来怎么办",
    "接下来做什么",
    "下一步做什么",
    "下一步怎么做",
    "你觉得呢",
    "怎么继续",
    "可以继续吗",
    "还有什么要求",
    "what next",
    "what should i do",
    "how should i proceed",
    "shall i continue",
)
"""Phrases that ask for everything and nothing, in lower case."""

SEVERAL = ("、", "，", ",", "；", ";", "/", "以及", "和其他", " and ")
"""What stands in the name of more than one decision."""

LONGEST_QUESTION, LONGEST_REASON, LONGEST_DECISION = 300, 500, 40


class RequestArgs(Arguments):
    """The arguments of `request_user_input`."""

    question: str = Field(min_length=1, description="要问的话：一个问题，只为一个决定")
    reason: str = Field(min_length=1, description="为什么非问不可：回答会影响什么")
    decision: str = Field(min_length=1, description="要决定的是什么，几个字的名字")
    changes: Literal["implementation", "permission", "acceptance"] = Field(
        description="回答会改变什么：做法、权限，还是验收"
    )
    checked: tuple[str, ...] = Field(
        default=(), description="已经查过的：这次运行里只读工具调用的 id"
    )


def objection(
    args: RequestArgs, state: AgentState, *, checked: Collection[str], can_check: bool
) -> str | None:
    """Return why the user is not asked; None: he is.

    Args:
        args: The question.
        state: The run it comes from.
        checked: The ids of the results that read-only tools have brought back in this run.
        can_check: There are read-only tools.
    """
    pending = state.pending_user_input
    if pending is not None and pending.kind == "clarification":
        return f"user_input_already_pending：{pending.id} 还没有回答。"
    if (settled := _settled(args, state)) is not None:
        return _told_before(settled)
    return _poorly_put(args) or _unchecked(args, checked=checked, can_check=can_check)


def normal_form(decision: str) -> str:
    """Return the name of a decision without what can vary: case, blanks, punctuation."""
    return "".join(mark for mark in decision.casefold() if mark.isalnum())


def _settled(args: RequestArgs, state: AgentState) -> Decision | None:
    name = normal_form(args.decision)
    return next(
        (
            one
            for one in state.decisions
            if one.name == name and one.goal_version == state.goal_version
        ),
        None,
    )


def _told_before(settled: Decision) -> str:
    if settled.answer is None:
        return "没有问：这个问题问过，到期也没有人回答。自己选最稳妥的做法，并说明。"
    return f"没有问：这个问题用户已经回答过：{settled.answer}"


def _poorly_put(args: RequestArgs) -> str | None:
    question = args.question.strip()
    if not question or not args.reason.strip() or not normal_form(args.decision):
        return "没有问：question、reason、decision 都不能是空的。"
    lengths = (
        (question, LONGEST_QUESTION, "question"),
        (args.reason, LONGEST_REASON, "reason"),
        (args.decision, LONGEST_DECISION, "decision"),
    )
    for text, most, name in lengths:
        if len(text) > most:
            return f"没有问：{name} 太长（{len(text)} 个字符，最多 {most}）。只问一件事，不附计划。"
    if any(phrase in question.casefold() for phrase in VAGUE):
        return "没有问：太笼统。问一个具体的决定，并给出选项。"
    several = any(mark in args.decision.casefold() for mark in SEVERAL)
    if several or question.count("？") + question.count("?") > 1:
        return "没有问：一次只解决一个决定。"
    return None


def _unchecked(args: RequestArgs, *, checked: Collection[str], can_check: bool) -> str | None:
    if not can_check or any(call_id in checked for call_id in args.checked):
        return None
    return "没有问：先用只读工具查一查，再把查过的调用 id 写进 checked。能查到的不要问用户。"

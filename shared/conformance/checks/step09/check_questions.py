"""Which questions of the model reach the user: the harness decides that, and not the model."""

from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import QUESTION, PureRun
from conformance.support.subject import Subject

pytestmark = read("questions")

GOOD: dict[str, dict[str, Any]] = {
    "a fact that was looked for": {},
    "a choice": {"question": "要快，还是要省？", "decision": "取舍"},
    "two numbers": {"question": "名字写 2.5 还是 3.0？"},
    "options": {"question": "先做哪个？", "decision": "先后", "options": ("甲", "乙")},
    "a slash in one decision": {"decision": "SQLite/Postgres 的名字"},
    "a question mark in an address": {"question": "名字用 http://a.b/?q=1&r=2? 里的吗"},
    "a file that was looked at": {"question": "名字写进 team.txt 吗？"},
}
POOR: dict[str, dict[str, Any]] = {
    "vague": {"question": "名字的事，接下来怎么办？"},
    "long": {"question": "名字" + "长" * 2000 + "？"},
    "two questions": {"question": "用哪个名字？放哪里？"},
    "two decisions": {"decision": "名字、位置"},
    "a list": {"question": "关于名字：\n1. 用哪个\n2. 放哪里"},
    "one option": {"options": ("甲",)},
    "the same option twice": {"options": ("甲", "甲 ")},
    "no look": {"checked": ()},
    "a look that never was": {"checked": ("elsewhere",)},
    "a look at something else": {"checked": ("other",)},
    "a file that nobody has looked at": {"question": "名字写进 owner.txt 吗？"},
    "a blank reason": {"reason": "  "},
}


def objection(subject: Subject, question: dict[str, Any], state: Any = None) -> str | None:
    """Return why a question is not asked; None: it is."""
    good = {
        "question": QUESTION,
        "reason": "要写进文件",
        "decision": "名字",
        "changes": "implementation",
        "checked": ("look",),
    }
    args = subject.get("runs.clarification.RequestArgs")(**(good | question))
    looks = {"look": '{"pattern": "名字", "path": "team.txt"}', "other": '{"path": "a.txt"}'}
    reason_of = subject.get("runs.clarification.rejection_reason")
    reason: str | None = reason_of(
        args, state or PureRun(subject).new(), looks=looks, can_look=True
    )
    return reason


@pytest.mark.parametrize("name", GOOD)
def test_asked(subject: Subject, name: str) -> None:
    """A question about one decision, that nothing one could look up answers, is asked."""
    came = objection(subject, GOOD[name])
    judge.same(came, None, called=f"rejection_reason(...) of a good question: {name}")


@pytest.mark.parametrize("name", POOR)
def test_handed_back(subject: Subject, name: str) -> None:
    """A poor question goes back to the model, with a reason."""
    judge.holds(
        came := objection(subject, POOR[name]),
        called=f"rejection_reason(...) of a poor question: {name}",
        came=came,
        wanted="a reason, for the model",
    )


def test_settled_before(subject: Subject) -> None:
    """What was asked is not asked again, however its name is written: the answer is told again."""
    run = PureRun(subject)
    decision = "sqlite名字"
    state = run.reply(run.wait(decision=decision))
    expired = run.tell(
        run.wait(request=run.request(expires=1), decision=decision), "Resume", seconds=2
    )
    again = {"decision": " SQLite 名字！"}
    answered, silent = (objection(subject, again, state=one) for one in (state, expired))
    judge.holds(
        "王芳" in (answered or "") and silent,
        called="rejection_reason(...) of what was answered; of what nobody answered in time",
        came=[answered, silent],
        wanted="the answer 王芳; a reason",
    )

"""Asking and answering, as pure functions: what is an answer, and what becomes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import QUESTION, PureRun, at, shown
from conformance.support.subject import Subject

pytestmark = read("interaction")


def test_answered(subject: Subject) -> None:
    """A run waits for its request, and goes on with the answer; both moves say why."""
    run = PureRun(subject)
    waiting = run.wait(run.new())
    state = run.reply(waiting)
    reasons = [move.reason for move in state.transitions]
    judge.holds(
        (waiting.status, waiting.pending_user_input) == ("waiting", run.request())
        and (state.status, state.pending_user_input) == ("running", None)
        and reasons == ["clarification", "user_input_received"],
        called="wait_for_user_input(...), then apply_user_answer(...)",
        came=f"{shown(waiting)}; then {shown(state)}, reasons: {reasons}",
        wanted="waiting, then running; reasons: clarification, user_input_received",
    )


@dataclass(frozen=True)
class Refused:
    """An answer that is none."""

    id: str
    before: Callable[[PureRun], Any]
    code: str = "unexpected_user_input"
    content: str = "王芳"
    to: str = "ask-1"


def waiting(run: PureRun) -> Any:
    """Return a run that waits."""
    return run.wait(run.new())


REFUSED = (
    Refused("nothing was asked", lambda run: run.new()),
    Refused("something else was asked", waiting, to="ask-2"),
    Refused("answered before", lambda run: run.reply(waiting(run))),
    Refused("cancelled", lambda run: run.steer(waiting(run), "cancel", "算了")),
    Refused("withdrawn", lambda run: run.steer(waiting(run), "goal_change", "别的")),
    Refused("empty", waiting, "empty_user_input", content=""),
    Refused("blank", waiting, "empty_user_input", content=" \n\t"),
    Refused(
        "to an approval",
        lambda run: run.wait_for_approval(run.new()),
        "approval_required",
        content="好，批准",
    ),
)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_refused(subject: Subject, case: Refused) -> None:
    """An answer to nothing, an empty one, and one in place of an approval are refused, by code."""
    run = PureRun(subject)
    run.expect_refused(
        case.before(run),
        lambda state: run.reply(state, case.content, to=case.to),
        case.code,
        called=f"apply_user_answer(state, {case.content!r} to {case.to}): {case.id}",
    )


def test_expiry(subject: Subject) -> None:
    """Just before a request expires there is time to answer; at that very instant there is none.

    From then on `resume` goes on without an answer, and before it does not.
    """
    run, resume = PureRun(subject), subject.get("interaction.resume")
    state = run.wait(run.new(), run.request(expires=5))

    def answered(seconds: float) -> str:
        return run.code(lambda: run.reply(state, seconds=seconds))

    def resumed(seconds: float) -> str:
        return run.code(lambda: resume(state, now=at(seconds)))

    came = [answered(seconds) for seconds in (4.999, 5, 6)]
    early, edge = resumed(4.999), resumed(5)
    judge.holds(
        came == ["accepted", "expired_user_input", "expired_user_input"]
        and (early, edge) == ("user_input_already_pending", "accepted"),
        called="a request that expires after 5 s: answers after 4.999, 5 and 6; resume at 4.999, 5",
        came=f"answers: {came}; resume: {[early, edge]}",
        wanted="accepted, expired, expired; user_input_already_pending, accepted",
    )


def test_one_request_at_a_time(subject: Subject) -> None:
    """A run that waits asks nothing more: the second request is refused, the first one stays."""
    run = PureRun(subject)
    run.expect_refused(
        waiting(run),
        lambda state: run.wait(state, run.request("ask-2")),
        "user_input_already_pending",
        called="wait_for_user_input(a run that waits, a second request)",
    )


@read("context")
def test_answer_as_context(subject: Subject) -> None:
    """An answer becomes a piece of context: which question, what was said, how important."""
    run = PureRun(subject)
    convert = subject.get("context.answer_as_context_source")
    wanted = subject.get("context.ContextSource")(
        id="user-input:ask-1", kind="user_input", label=QUESTION, content="王芳", priority=98
    )
    sources = run.reply(waiting(run)).context_sources
    alone = convert(run.request(), run.answer())
    judge.holds(
        alone == wanted and sources == (wanted,),
        called="answer_as_context_source(...), and context_sources after the answer",
        came=f"{alone}, and {sources}",
        wanted=f"{wanted}, in both",
    )


@read("context")
def test_assembled(subject: Subject) -> None:
    """The most important context stands first; what does not fit is dropped whole, from the end."""
    make, assemble = subject.get("context.ContextSource"), subject.get("context.assemble")
    pieces = [
        make(id=name, kind="goal", label=name, content=content, priority=priority)
        for name, content, priority in (
            *(("丙", "丙内容", 1), ("甲", "甲内容", 9), ("乙", "乙内容", 5)),
            ("丁", "短", 1),
        )
    ]
    whole = assemble(pieces, 1000)
    wanted = ["甲\n甲内容", "乙\n乙内容", "丙\n丙内容", "丁\n短"]
    judge.same(whole, "\n\n".join(wanted), called="assemble(priorities 1, 9, 5, 1; room for all)")
    for kept in range(len(wanted)):
        fits = "\n\n".join(wanted[: kept + 1])
        shorter = "\n\n".join(wanted[:kept])
        came = [assemble(pieces, len(fits)), assemble(pieces, len(fits) - 1)]
        judge.same(
            came, [fits, shorter], called=f"assemble(the same, {len(fits)}), and one character less"
        )


@read("questions")
@pytest.mark.parametrize(
    "poor",
    [
        {"question": "接下来怎么办？"},
        {"question": "一" * 2000 + "？"},
        {"question": "用哪个名字？放哪里？"},
        {"decision": "名字、位置"},
        {"checked": ()},
        {"checked": ("elsewhere",)},
        {"decision": " 日期 "},
    ],
    ids=["vague", "long", "two", "two decisions", "no look", "another look", "asked before"],
)
def test_question_handed_back(subject: Subject, poor: dict[str, Any]) -> None:
    """The harness decides what is asked: a poor question goes back, with a reason; a good one not.

    Poor is: vague, too long, more than one decision, nothing checked, settled before.
    """
    run = PureRun(subject)
    state = run.reply(run.wait(run.new(), decision="日期"))
    good = {
        "question": QUESTION,
        "reason": "要写进文件",
        "decision": "名字",
        "changes": "implementation",
        "checked": ("look",),
    }
    objection, make = (
        subject.get("clarification.objection"),
        subject.get("runs.clarification.RequestArgs"),
    )
    came = [
        objection(make(**(good | change)), state, checked={"look"}, can_check=True)
        for change in ({}, poor)
    ]
    judge.holds(
        came[0] is None and came[1],
        called=f"objection(...) to a good question, and to the same with {poor!r:.80}",
        came=came,
        wanted="None, and a reason",
    )

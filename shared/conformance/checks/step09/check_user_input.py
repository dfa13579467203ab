"""Asking and answering, as one pure function: what can be said, and what becomes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import TOO_LONG, PureRun, shown
from conformance.support.subject import Subject

pytestmark = read("interaction")


def test_answered(subject: Subject) -> None:
    """A run waits for its request, says why, and goes on with the answer."""
    run = PureRun(subject)
    waiting = run.wait()
    state = run.reply(waiting)
    answers = [one.answer.content for one in state.decisions]
    judge.holds(
        (waiting.status, waiting.pending_user_input) == ("waiting", run.request())
        and waiting.stop_reason == "user_input_required"
        and (state.status, state.stop_reason) == ("running", None)
        and (state.pending_user_input, answers) == (None, ["王芳"]),
        called="wait_for_user_input(...), then apply(..., Answer)",
        came=f"{shown(waiting)}; then {shown(state)}, answers: {answers}",
        wanted="waiting (user_input_required), then running with the answer, and no reason to stop",
    )


@dataclass(frozen=True)
class Refused:
    """An answer that is none."""

    id: str
    before: Callable[[PureRun], Any]
    code: str = "unexpected_user_input"
    text: str = "王芳"
    to: str = "ask-1"


REFUSED = (
    Refused("nothing was asked", lambda run: run.new()),
    Refused("something else was asked", lambda run: run.wait(), to="ask-2"),
    Refused("answered before", lambda run: run.reply(run.wait())),
    Refused("cancelled", lambda run: run.tell(run.wait(), "Cancel")),
    Refused("empty", lambda run: run.wait(), "empty_user_input", text=""),
    Refused("blank", lambda run: run.wait(), "empty_user_input", text=" \n\t"),
    Refused("long", lambda run: run.wait(), "user_input_too_long", text=TOO_LONG),
    Refused(
        "no model call is left",
        lambda run: run.wait(run.record(run.new(budget=1), "ModelCalled")),
        "budget_exhausted",
    ),
)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_refused(subject: Subject, case: Refused) -> None:
    """An answer to nothing, one that says nothing, or that nobody could be told, is refused."""
    run = PureRun(subject)
    run.expect_refused(
        case.before(run),
        lambda state: run.reply(state, case.text, to=case.to),
        case.code,
        called=f"apply(state, an Answer to {case.to}): {case.id}",
    )


def test_expiry(subject: Subject) -> None:
    """Just before a request expires there is time to answer; at that very instant there is none.

    From then on `Resume` goes on without an answer, and before it does not.
    """
    run = PureRun(subject)
    state = run.wait(request=run.request(expires=5))

    def answered(seconds: float) -> str:
        return run.code(lambda: run.reply(state, seconds=seconds))

    def resumed(seconds: float) -> str:
        return run.code(lambda: run.tell(state, "Resume", seconds=seconds))

    came = [answered(seconds) for seconds in (4.999, 5, 6)]
    early, edge = resumed(4.999), resumed(5)
    judge.holds(
        came == ["accepted", "expired_user_input", "expired_user_input"]
        and (early, edge) == ("user_input_already_pending", "accepted"),
        called="a request that expires after 5 s: answers after 4.999, 5 and 6; resume at 4.999, 5",
        came=f"answers: {came}; resume: {[early, edge]}",
        wanted="accepted, expired, expired; user_input_already_pending, accepted",
    )


def test_option(subject: Subject) -> None:
    """The number of an option stands for the option; any other text stands for itself."""
    run = PureRun(subject)
    waiting = run.wait(request=run.request(options=("甲", "乙")))
    wanted = {"2": "乙", " 1 ": "甲", "0": "0", "3": "3", "第 2 个": "第 2 个", "丙": "丙"}
    came = {text: run.reply(waiting, text).decisions[-1].answer.content for text in wanted}
    judge.same(came, wanted, called="apply(...): answers to a question with the options 甲 and 乙")


def test_cancel(subject: Subject) -> None:
    """A cancel is final, with its reason: nothing is answered or resumed after it."""
    run = PureRun(subject)
    state = run.tell(run.wait(), "Cancel", reason="算了")
    came = (state.status, state.stop_reason, state.pending_user_input)
    judge.same(came, ("cancelled", "算了", None), called="apply(a run that waits, Cancel)")
    for command, fields, code in (
        ("Answer", {"request_id": "ask-1", "text": "王芳"}, "unexpected_user_input"),
        ("Resume", {}, "illegal_transition"),
        ("Cancel", {}, "illegal_transition"),
    ):
        run.expect_refused(
            state,
            lambda state, command=command, fields=fields: run.tell(state, command, **fields),
            code,
            called=f"{command}, after a cancel",
        )


def test_resume(subject: Subject) -> None:
    """`Resume` is for a run that has broken off, or whose process died, and for no other."""
    run = PureRun(subject)
    for what, state, code in (
        ("that failed", run.ended("failed"), "accepted"),
        ("at which nobody works", run.new(), "accepted"),
        ("that waits", run.wait(), "user_input_already_pending"),
        ("that is completed", run.ended("completed"), "illegal_transition"),
    ):
        called = f"apply(a run {what}, Resume)"
        run.expect_refused(state, lambda state: run.tell(state, "Resume"), code, called=called)
    resumed = run.tell(run.ended("failed"), "Resume")
    came = (resumed.status, resumed.stop_reason)
    judge.same(came, ("running", None), called="apply(a run that failed, Resume)")


def test_budget(subject: Subject) -> None:
    """A budget that is used up can be raised, also while the run waits, but not to what is used."""
    run = PureRun(subject)
    used = run.record(run.new(budget=1), "ModelCalled")
    waiting = run.wait(used)
    for what, state, budget, code in (
        ("no budget", used, None, "budget_exhausted"),
        ("the budget that is used up", used, 1, "budget_exhausted"),
        ("one more", used, 2, "accepted"),
        ("one more, while it waits", waiting, 2, "accepted"),
    ):
        run.expect_refused(
            state,
            lambda state, budget=budget: run.tell(state, "Resume", budget=budget),
            code,
            called=f"apply(a run whose budget of 1 is used up, Resume): {what}",
        )
    raised = run.tell(waiting, "Resume", budget=2)
    judge.holds(
        raised.pending_user_input == waiting.pending_user_input
        and run.code(lambda: run.reply(raised)) == "accepted",
        called="apply(a run that waits, Resume(budget=2)), then the answer",
        came=shown(raised),
        wanted="still waiting for the same request, and the answer can be given now",
    )

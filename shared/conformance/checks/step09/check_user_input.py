"""Asking and answering, as one pure function: what can be said, and what becomes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
class Said:
    """What is said to a run, and what comes of it."""

    id: str
    before: Callable[[PureRun], Any]
    code: str = "unexpected_user_input"
    text: str = "王芳"
    command: str = "Answer"
    fields: Mapping[str, Any] = field(default_factory=dict)


def used_up(run: PureRun) -> Any:
    """Return a run whose budget is used up."""
    return run.record(run.new(budget=1), "ModelCalled")


def cancelled(run: PureRun) -> Any:
    """Return a run that waited, and was cancelled."""
    return run.tell(run.wait(), "Cancel")


RESUME: dict[str, Any] = {"command": "Resume"}
SAID = (
    Said("nothing was asked", lambda run: run.new()),
    Said("something else was asked", lambda run: run.wait(request=run.request("ask-2"))),
    Said("answered before", lambda run: run.reply(run.wait())),
    Said("cancelled before", cancelled),
    Said("empty", lambda run: run.wait(), "empty_user_input", ""),
    Said("blank", lambda run: run.wait(), "empty_user_input", " \n\t"),
    Said("too long", lambda run: run.wait(), "user_input_too_long", TOO_LONG),
    Said("as long as may be", lambda run: run.wait(), "accepted", TOO_LONG[:-1]),
    Said("no call is left", lambda run: run.wait(used_up(run)), "budget_exhausted"),
    Said(
        "one more call was allowed",
        lambda run: run.tell(run.wait(used_up(run)), "Resume", budget=2),
        "accepted",
    ),
    Said("goes on: its process died", lambda run: run.new(), "accepted", **RESUME),
    Said("goes on: it failed", lambda run: run.ended("failed"), "accepted", **RESUME),
    Said("goes on: it waits", lambda run: run.wait(), "user_input_already_pending", **RESUME),
    Said("goes on: completed", lambda run: run.ended("completed"), "illegal_transition", **RESUME),
    Said("goes on: cancelled", cancelled, "illegal_transition", **RESUME),
    Said("goes on: used up", used_up, "budget_exhausted", **RESUME),
    Said("goes on: no more", used_up, "budget_exhausted", **RESUME, fields={"budget": 1}),
    Said("goes on: one more", used_up, "accepted", **RESUME, fields={"budget": 2}),
    Said("cancelled twice", cancelled, "illegal_transition", command="Cancel"),
)


@pytest.mark.parametrize("case", SAID, ids=lambda case: case.id)
def test_said(subject: Subject, case: Said) -> None:
    """What can be said depends on the run: the rest is refused by code, and changes nothing."""
    run = PureRun(subject)
    said = dict(case.fields)
    if case.command == "Answer":
        said |= {"request_id": "ask-1", "text": case.text}
    run.expect_refused(
        case.before(run),
        lambda state: run.tell(state, case.command, **said),
        case.code,
        called=f"apply(state, {case.command}): {case.id}",
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

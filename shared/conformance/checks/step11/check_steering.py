"""A change of course, as values: what the user says to a run without being asked."""

from functools import partial
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import TOO_LONG, PureRun, shown
from conformance.support.subject import Subject

pytestmark = read("steering")


def test_constraint(subject: Subject) -> None:
    """A constraint is heeded from now on: goal and question stay, the plan gets a version."""
    run = PureRun(subject)
    state = run.steer(run.wait(), "Constraint", "不要改 a")
    judge.holds(
        (state.status, state.goal, state.goal_version) == ("waiting", run.new().goal, 1)
        and state.constraints == ("不要改 a",)
        and state.pending_user_input == run.request()
        and state.plan.version == 2,
        called="apply(a run that waits, Constraint)",
        came=f"{shown(state)}, constraints: {state.constraints}, plan {state.plan.version}",
        wanted="still waiting for ask-1 with goal 1; the constraint in the state, and plan 2",
    )


@pytest.mark.parametrize("kind", ["clarification", "approval"])
def test_goal_change(subject: Subject, kind: str) -> None:
    """Goal and plan get another version; what was pending is withdrawn, on record.

    What was allowed for the old goal runs nothing by itself for the new one.
    """
    run = PureRun(subject)
    allowed = run.tell(run.wait_for_approval(), "Approve", request_id="ask-1", scope="run")
    asked = (run.wait if kind == "clarification" else run.wait_for_approval)(allowed)
    state = run.steer(asked, "GoalChange", "别的")
    event = state.unsaved[-1].event
    judge.holds(
        (state.status, state.goal, state.goal_version) == ("running", "别的", 2)
        and state.pending_user_input is None
        and (state.plan.version, state.plan.goal_version) == (2, 2)
        and event.withdrawn_request_id == "ask-1"
        and (state.due, state.granted) == ((), ()),
        called="apply(a run that waits, GoalChange)",
        came=f"{shown(state)}, plan {state.plan.version}; {event}",
        wanted="running for goal 2 with plan 2; ask-1 named as withdrawn; nothing allowed any more",
    )
    command = "Answer" if kind == "clarification" else "Approve"
    fields: dict[str, Any] = {"text": "好"} if command == "Answer" else {}
    run.expect_refused(
        state,
        lambda state: run.tell(state, command, request_id="ask-1", **fields),
        "unexpected_user_input",
        called=f"{command} to a request that was withdrawn",
    )


def test_told(subject: Subject) -> None:
    """The model is told of each constraint, beside what else is news, and of another goal."""
    run = PureRun(subject)
    constrained = run.steer(run.wait(), "Constraint", "不要改 a")
    told = run.told(run.reply(constrained))
    judge.holds(
        "不要改 a" in told and "王芳" in told,
        called="briefing(...) after the constraint and the answer",
        came=told,
        wanted="both",
    )
    told = run.told(run.steer(constrained, "GoalChange", "别的", name="in-2"))
    judge.holds("别的" in told, called="briefing(...) after GoalChange", came=told, wanted="别的")


OVER = {
    "Constraint": "unexpected_user_input",
    "GoalChange": "unexpected_user_input",
    "Cancel": "illegal_transition",
}
"""What can be said at any time, and the code with which a run that is over refuses it."""


@pytest.mark.parametrize("command", OVER)
def test_once(subject: Subject, command: str) -> None:
    """What is said counts once, however often it is read; nothing, and too late, is refused."""
    run = PureRun(subject)
    for state, text, code in (
        (run.new(), "  ", "empty_user_input"),
        (run.new(), TOO_LONG, "user_input_too_long"),
        (run.steer(run.new(), command, "话"), "话", "unexpected_user_input"),
        (run.ended("completed"), "话", OVER[command]),
    ):
        run.expect_refused(
            state,
            partial(run.steer, command=command, text=text),
            code,
            called=f"apply(state, {command}), {code}",
        )

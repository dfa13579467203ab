"""A change of course: what the user says to a run without being asked."""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import PureRun, shown
from conformance.support.subject import Subject

pytestmark = read("interaction")


def test_constraint(subject: Subject) -> None:
    """A constraint is heeded from now on: goal and question stay, the plan gets a version."""
    run = PureRun(subject)
    state = run.steer(run.wait(run.new()), "constraint", "不要改 a")
    judge.holds(
        (state.status, state.goal, state.goal_version) == ("waiting", "整理待办", 1)
        and state.constraints == ("不要改 a",)
        and state.pending_user_input == run.request()
        and state.plan.version == 2
        and "不要改 a" in state.plan.reason,
        called="apply_user_steering(a run that waits, constraint)",
        came=f"{shown(state)}, plan: {state.plan.reason}",
        wanted="still waiting for ask-1 with goal 1; the constraint in the state and in plan 2",
    )
    answered = run.reply(state)
    came = (answered.status, answered.constraints)
    called = "apply_user_answer(...) after the constraint; its status, its constraints"
    judge.same(came, ("running", ("不要改 a",)), called=called)


@pytest.mark.parametrize("kind", ["clarification", "approval"])
def test_goal_change(subject: Subject, kind: str) -> None:
    """Goal and plan get another version; what was pending is withdrawn, on record."""
    run = PureRun(subject)
    ask = run.wait if kind == "clarification" else run.wait_for_approval
    state = run.steer(ask(run.new()), "goal_change", "别的")
    event = state.unsaved[-1].event
    judge.holds(
        (state.status, state.goal, state.goal_version) == ("running", "别的", 2)
        and state.pending_user_input is None
        and (state.plan.goal, state.plan.version) == ("别的", 2)
        and event.withdrawn_request_id == "ask-1",
        called=f"apply_user_steering(a run that waits for a {kind}, goal_change)",
        came=f"{shown(state)}, plan for: {state.plan.goal}, event: {event!r}",
        wanted="running with goal 2 and plan 2, nothing pending; the event names ask-1",
    )
    if kind == "approval":
        approve = subject.get("interaction.approve")
        run.expect_refused(
            state,
            lambda state: approve(state, "ask-1", now=state.unsaved[-1].at),
            "unexpected_user_input",
            called="approve(...) of a request that was withdrawn",
        )


def test_cancel(subject: Subject) -> None:
    """A cancel is final, with its reason: nothing can be answered, steered or resumed after it."""
    run = PureRun(subject)
    state = run.steer(run.wait(run.new()), "cancel", "算了")
    came = (state.status, state.stop_reason, state.pending_user_input)
    called = (
        "apply_user_steering(a run that waits, cancel); status, stop_reason, pending_user_input"
    )
    judge.same(came, ("cancelled", "算了", None), called=called)
    resume = subject.get("interaction.resume")
    for what, action, code in (
        ("an answer", lambda state: run.reply(state), "unexpected_user_input"),
        (
            "another goal",
            lambda state: run.steer(state, "goal_change", "别的", name="in-2"),
            "unexpected_user_input",
        ),
        ("resume", lambda state: resume(state, now=state.unsaved[-1].at), "illegal_transition"),
    ):
        run.expect_refused(state, action, code, called=f"{what}, after a cancel")


@pytest.mark.parametrize("kind", ["constraint", "goal_change", "cancel"])
def test_once(subject: Subject, kind: str) -> None:
    """What the user says counts once, however often it is read; a blank line says nothing."""
    run = PureRun(subject)
    run.expect_refused(
        run.new(),
        lambda state: run.steer(state, kind, "  "),
        "empty_user_input",
        called=f"apply_user_steering(a {kind} that is blank)",
    )
    run.expect_refused(
        run.steer(run.new(), kind, "话"),
        lambda state: run.steer(state, kind, "话"),
        "unexpected_user_input",
        called=f"apply_user_steering(a {kind}), twice with the same id",
    )

"""The table of transitions, and the pure functions on it."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Any, get_args

import pytest
from mini_agent.approvals import action_of
from mini_agent.interaction import (
    apply_user_answer,
    apply_user_steering,
    approve,
    deny,
    resume,
    wait_for_user_input,
)
from mini_agent.run_events import EffectEnded, EffectStarted, ModelCalled, RunEnded
from mini_agent.run_fold import record
from mini_agent.run_state import TRANSITIONS, AgentState, RunStatus, transition, unsettled
from mini_agent.user_input import InputRefused, UserInputRequest
from pydantic import TypeAdapter, ValidationError

from tests.steps.step09.support import START, answer, at, call, new_state, request, steering

REQUEST = TypeAdapter(UserInputRequest)

LEGAL = {
    ("running", "waiting"),
    ("running", "completed"),
    ("running", "failed"),
    ("running", "cancelled"),
    ("waiting", "running"),
    ("waiting", "cancelled"),
    ("failed", "running"),
    ("failed", "cancelled"),
}


def in_status(status: RunStatus) -> AgentState:
    return replace(new_state(), status=status)


@pytest.mark.parametrize(("before", "after"), [*product(get_args(RunStatus), repeat=2)])
def test_each_transition(before: RunStatus, after: RunStatus) -> None:
    state = in_status(before)
    if (before, after) in LEGAL:
        moved = transition(state, after, reason="because", at=START)
        assert moved.status == after
        assert [step.reason for step in moved.transitions] == ["because"]
    else:
        with pytest.raises(InputRefused) as refused:
            transition(state, after, reason="because", at=START)
        assert refused.value.code == "illegal_transition"
    assert set(TRANSITIONS) == set(get_args(RunStatus))


def waiting(kind: str = "clarification", expires: float | None = None) -> AgentState:
    action = action_of(call("w", "write"), working_folder="/w", content=None)
    return wait_for_user_input(
        new_state(),
        request(kind=kind, expires=expires),
        now=START,
        decision="名字" if kind == "clarification" else None,
        action=action if kind == "approval" else None,
    )


def test_an_answer_makes_the_run_go_on() -> None:
    state = apply_user_answer(waiting(), answer(), now=at(1))
    assert (state.status, state.pending_user_input) == ("running", None)
    assert [step.reason for step in state.transitions] == ["clarification", "user_input_received"]
    assert [entry.event.type for entry in state.unsaved][1:] == [
        "user_input_requested",
        "user_input_received",
    ]
    (source,) = state.context_sources
    assert (source.id, source.kind, source.label, source.content, source.priority) == (
        "user-input:ask-1",
        "user_input",
        "用哪个名字？",
        "王芳",
        98,
    )


@dataclass(frozen=True)
class Refused:
    id: str
    state: AgentState
    content: str = "王芳"
    request_id: str = "ask-1"
    seconds: float = 1
    code: str = "unexpected_user_input"


ANSWERED = apply_user_answer(waiting(), answer(), now=at(1))
CASES = (
    Refused("unknown", waiting(), request_id="ask-2"),
    Refused("nothing pending", new_state()),
    Refused("twice", ANSWERED),
    Refused("empty", waiting(), content="", code="empty_user_input"),
    Refused("blank", waiting(), content="  \n", code="empty_user_input"),
    Refused("at the instant", waiting(expires=5), seconds=5, code="expired_user_input"),
    Refused("after expiry", waiting(expires=5), seconds=6, code="expired_user_input"),
    Refused("to an approval", waiting("approval"), content="y", code="approval_required"),
    Refused(
        "after cancel",
        apply_user_steering(waiting(), steering("cancel", "算了"), now=at(1)),
    ),
    Refused(
        "withdrawn",
        apply_user_steering(waiting(), steering("goal_change", "别的"), now=at(1)),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_answers_that_are_refused(case: Refused) -> None:
    said = answer(case.request_id, case.content, seconds=case.seconds)
    with pytest.raises(InputRefused) as refused:
        apply_user_answer(case.state, said, now=at(case.seconds))
    assert refused.value.code == case.code


def test_just_before_expiry_is_in_time() -> None:
    assert apply_user_answer(waiting(expires=5), answer(), now=at(4.9)).status == "running"


def test_a_time_without_zone_is_invalid_and_no_type_error() -> None:
    with pytest.raises(ValidationError):
        REQUEST.validate_json(
            REQUEST.dump_json(request(expires=5)).replace(b"00:00:05Z", b"00:00:05")
        )


def test_one_request_at_a_time() -> None:
    with pytest.raises(InputRefused) as refused:
        wait_for_user_input(waiting(), request("ask-2"), now=START)
    assert refused.value.code == "user_input_already_pending"


def test_a_constraint_keeps_goal_and_question() -> None:
    state = apply_user_steering(waiting(), steering("constraint", "不要改 a"), now=at(1))
    assert (state.status, state.goal_version, state.constraints) == ("waiting", 1, ("不要改 a",))
    assert state.plan.version == 2
    assert "不要改 a" in state.plan.reason
    assert state.pending_user_input == request()


def test_a_goal_change_withdraws_the_question_and_says_so() -> None:
    state = apply_user_steering(waiting(), steering("goal_change", "别的"), now=at(1))
    assert (state.status, state.goal, state.goal_version) == ("running", "别的", 2)
    assert (state.plan.version, state.plan.goal_version) == (2, 2)
    event = state.unsaved[-1].event
    assert event.type == "goal_changed"
    assert event.withdrawn_request_id == "ask-1"


def test_a_cancel_closes_everything() -> None:
    state = apply_user_steering(waiting(), steering("cancel", "算了"), now=at(1))
    assert (state.status, state.stop_reason, state.pending_user_input) == (
        "cancelled",
        "算了",
        None,
    )


@pytest.mark.parametrize("type_", ["constraint", "goal_change", "cancel"])
def test_steering_is_applied_once_and_to_its_own_run(type_: Any) -> None:
    said = steering(type_, "话")
    once = apply_user_steering(new_state(), said, now=at(1))
    for state, again in ((once, said), (new_state(), steering(type_, "话", run_id="s-2"))):
        with pytest.raises(InputRefused):
            apply_user_steering(state, again, now=at(2))
    with pytest.raises(InputRefused) as refused:
        apply_user_steering(new_state(), steering(type_, " "), now=at(1))
    assert refused.value.code == "empty_user_input"


def test_resume_waits_with_the_user_until_the_request_expires() -> None:
    with pytest.raises(InputRefused) as refused:
        resume(waiting(expires=5), now=at(4))
    assert refused.value.code == "user_input_already_pending"
    state = resume(waiting(expires=5), now=at(5))
    assert (state.status, state.pending_user_input) == ("running", None)
    assert state.decisions[0].answer is None


def test_resume_does_not_refill_the_budget() -> None:
    state = new_state(budget=1)
    state = record(state, ModelCalled(), now=START)
    state = record(state, RunEnded(status="failed", reason="error"), now=START)
    with pytest.raises(InputRefused) as refused:
        resume(state, now=START)
    assert refused.value.code == "budget_exhausted"


def test_an_approval_is_spent_by_the_effect_and_only_once() -> None:
    state = approve(waiting("approval"), "ask-1", now=at(1))
    action = action_of(call("w", "write"), working_folder="/w", content=None)
    effect = EffectStarted(effect_id="w", action=action, approval_id="ask-1")
    spent = record(state, effect, now=at(2))
    assert spent.approvals[0].spent_at == at(2)
    with pytest.raises(ValueError, match="no approval"):
        record(spent, effect, now=at(3))


def test_a_denial_is_no_approval() -> None:
    state = deny(waiting("approval"), "ask-1", now=at(1), reason="不行")
    action = action_of(call("w", "write"), working_folder="/w", content=None)
    effect = EffectStarted(effect_id="w", action=action, approval_id="ask-1")
    with pytest.raises(ValueError, match="no approval"):
        record(state, effect, now=at(2))


def test_effects_of_an_old_goal_wait_for_a_verdict() -> None:
    action = action_of(call("w", "write"), working_folder="/w", content=None)
    state = record(new_state(), EffectStarted(effect_id="w", action=action), now=START)
    state = record(state, EffectEnded(effect_id="w", is_error=False), now=START)
    assert not unsettled(state)
    changed = apply_user_steering(state, steering("goal_change", "别的"), now=at(1))
    assert [effect.id for effect in unsettled(changed)] == ["w"]
    assert changed.effects == state.effects

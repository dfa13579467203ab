"""The table of transitions, and the pure functions on it."""

from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

import pytest
from mini_agent.runs.briefing import answer_as_context_source
from mini_agent.runs.events import ModelCalled, RunEnded, from_data, to_data
from mini_agent.runs.interaction import apply, wait_for_user_input
from mini_agent.runs.reducer import record
from mini_agent.runs.state import TRANSITIONS, AgentState, RunStatus, transition
from mini_agent.runs.user_input import MAX_INPUT, Cancel, Command, InputRefused, Resume

from tests.steps.step09.support import START, answer, at, new_state, request

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


@pytest.mark.parametrize(("before", "after"), [*product(get_args(RunStatus), repeat=2)])
def test_each_transition(before: RunStatus, after: RunStatus) -> None:
    state = replace(new_state(), status=before)
    if (before, after) in LEGAL:
        moved = transition(state, after, reason="because")
        assert moved.status == after
        assert moved.stop_reason == (None if after == "running" else "because")
    else:
        with pytest.raises(InputRefused) as refused:
            transition(state, after, reason="because")
        assert refused.value.code == "illegal_transition"
    assert set(TRANSITIONS) == set(get_args(RunStatus))


def waiting(*, expires: float | None = None, options: tuple[str, ...] = ()) -> AgentState:
    asked = replace(request(expires=expires), options=options)
    return wait_for_user_input(new_state(), asked, now=START, decision="名字")


def code_of(state: AgentState, said: Command, *, seconds: float = 1) -> str:
    with pytest.raises(InputRefused) as refused:
        apply(state, said, now=at(seconds))
    return refused.value.code


def test_waiting_has_a_reason() -> None:
    assert (waiting().status, waiting().stop_reason) == ("waiting", "user_input_required")


def test_an_answer_makes_the_run_go_on() -> None:
    state = apply(waiting(), answer(), now=at(1))
    assert (state.status, state.stop_reason, state.pending_user_input) == ("running", None, None)
    assert [entry.event.type for entry in state.unsaved][1:] == [
        "user_input_requested",
        "user_input_received",
    ]
    (decision,) = state.decisions
    assert decision.answer is not None
    source = answer_as_context_source(decision.request, decision.answer)
    assert (source.id, source.kind, source.label, source.content, source.priority) == (
        "user-input:ask-1",
        "user_input",
        "用哪个名字？",
        "王芳",
        98,
    )


@pytest.mark.parametrize(
    ("text", "content"),
    [("2", "李雷"), (" 1 ", "王芳"), ("3", "3"), ("0", "0"), ("另一个", "另一个"), ("²", "²")],
)
def test_the_number_of_an_option_stands_for_it(text: str, content: str) -> None:
    state = apply(waiting(options=("王芳", "李雷")), answer(text=text), now=at(1))
    assert state.decisions[0].answer is not None
    assert state.decisions[0].answer.content == content


TO_THE_QUESTION = answer()


@dataclass(frozen=True)
class Refused:
    id: str
    state: AgentState
    said: Command = TO_THE_QUESTION
    seconds: float = 1
    code: str = "unexpected_user_input"


ANSWERED = apply(waiting(), answer(), now=at(1))
CASES = (
    Refused("unknown", waiting(), answer("ask-2")),
    Refused("nothing pending", new_state()),
    Refused("twice", ANSWERED),
    Refused("empty", waiting(), answer(text=""), code="empty_user_input"),
    Refused("blank", waiting(), answer(text="  \n"), code="empty_user_input"),
    Refused("long", waiting(), answer(text="长" * (MAX_INPUT + 1)), code="user_input_too_long"),
    Refused("at the instant", waiting(expires=5), seconds=5, code="expired_user_input"),
    Refused("after expiry", waiting(expires=5), seconds=6, code="expired_user_input"),
    Refused("after cancel", apply(waiting(), Cancel(), now=at(1))),
    Refused("blank cancel", waiting(), Cancel(reason=" "), code="empty_user_input"),
    Refused(
        "cancel again",
        apply(waiting(), Cancel(), now=at(1)),
        Cancel(),
        code="illegal_transition",
    ),
    Refused("still waiting", waiting(), Resume(), code="user_input_already_pending"),
    Refused("no less than used", waiting(), Resume(budget=0), code="budget_exhausted"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_refused(case: Refused) -> None:
    assert code_of(case.state, case.said, seconds=case.seconds) == case.code


def test_just_before_expiry_is_in_time() -> None:
    assert apply(waiting(expires=5), answer(), now=at(4.9)).status == "running"


def test_a_time_without_zone_is_no_entry() -> None:
    (_, entry) = waiting(expires=5).unsaved
    data = to_data(entry)
    assert from_data(data) == entry
    assert isinstance(data, dict)
    data["at"] = "2026-01-01T00:00:05"
    with pytest.raises(ValueError, match="timezone"):
        from_data(data)


def test_what_is_on_disk_has_the_names_of_json() -> None:
    (started, asked) = (to_data(entry) for entry in waiting().unsaved)
    assert isinstance(started, dict)
    assert isinstance(asked, dict)
    assert {"runId", "number", "at", "event"} == set(started)
    assert {"workingFolder", "answerWithin"} <= set(started["event"])  # type: ignore[arg-type]
    assert {"createdAt", "expiresAt", "options"} <= set(asked["event"]["request"])  # type: ignore[call-overload,index,arg-type]


def test_one_request_at_a_time() -> None:
    with pytest.raises(InputRefused) as refused:
        wait_for_user_input(waiting(), request("ask-2"), now=START)
    assert refused.value.code == "user_input_already_pending"


def test_a_cancel_closes_everything() -> None:
    state = apply(waiting(), Cancel(reason="算了"), now=at(1))
    assert (state.status, state.stop_reason, state.pending_user_input) == (
        "cancelled",
        "算了",
        None,
    )
    event = state.unsaved[-1].event
    assert event.type == "run_cancelled"
    assert event.closed_request_id == "ask-1"


def test_resume_goes_on_without_the_answer_when_the_request_has_expired() -> None:
    assert code_of(waiting(expires=5), Resume(), seconds=4) == "user_input_already_pending"
    state = apply(waiting(expires=5), Resume(), now=at(5))
    assert (state.status, state.pending_user_input) == ("running", None)
    assert state.decisions[0].answer is None


def test_a_budget_that_is_used_up_is_said_before_the_answer_is_spent() -> None:
    state = record(new_state(budget=1), ModelCalled(), now=START)
    asked = wait_for_user_input(state, request(), now=START, decision="名字")
    assert code_of(asked, answer()) == "budget_exhausted"
    raised = apply(asked, Resume(budget=3), now=at(1))
    assert (raised.status, raised.budget) == ("waiting", 3)
    assert apply(raised, answer(), now=at(2)).status == "running"


@pytest.mark.parametrize("broken_off", [True, False])
def test_resume_does_not_refill_the_budget_unless_it_is_raised(broken_off: bool) -> None:
    state = record(new_state(budget=1), ModelCalled(), now=START)
    if broken_off:
        state = record(state, RunEnded(status="failed", reason="error"), now=START)
    assert code_of(state, Resume()) == "budget_exhausted"
    assert code_of(state, Resume(budget=1)) == "budget_exhausted"
    raised = apply(state, Resume(budget=2), now=at(1))
    assert (raised.status, raised.budget, raised.model_calls) == ("running", 2, 1)


def test_a_pure_function_changes_nothing() -> None:
    before = waiting()
    apply(before, answer(), now=at(1))
    assert before == waiting()

"""The log and the state: random inputs, restarts at any moment, and damage."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from mini_agent.approvals import action_of, usable
from mini_agent.interaction import (
    apply_user_answer,
    apply_user_steering,
    approve,
    deny,
    resume,
    wait_for_user_input,
)
from mini_agent.run_desk import RunDesk
from mini_agent.run_events import EffectEnded, EffectStarted, ModelCalled, RunEnded, RunStarted
from mini_agent.run_fold import begin, record, runs_of
from mini_agent.run_state import AgentState
from mini_agent.session import Session
from mini_agent.session_store import MemoryStore
from mini_agent.user_input import InputRefused

from tests.steps.step09.support import (
    START,
    answer,
    at,
    call,
    new_state,
    request,
    steering,
)

PATHS = st.sampled_from(["a", "b"])
STEERING = st.sampled_from(["constraint"] * 4 + ["goal_change"] * 4 + ["cancel"])
WHICH = st.sampled_from([0] * 6 + [1, 3])
"""Mostly the last one, sometimes one that is long settled."""


class Interaction(RuleBasedStateMachine):
    """Whoever says whatever at whatever moment: what must hold holds."""

    def __init__(self) -> None:
        super().__init__()
        self.store = MemoryStore()
        self.desk = RunDesk(Session.start(self.store, "s"))
        self.desk.save(new_state())
        self.number = 0
        self.seconds = 0
        self.requests = ["n0"]
        self.granted: list[str] = []
        self.ran: list[str] = []
        self.answers: list[str] = []
        self.inputs: list[str] = []

    def try_to(self, function, *args, **kwargs) -> bool:  # type: ignore[no-untyped-def]  # any of them
        before, lines = self.desk.state, self.store.read()
        try:
            self.desk.change(function, *args, now=at(self.seconds), **kwargs)
        except (InputRefused, ValueError):
            assert self.desk.state == before
            assert self.store.read() == lines
            return False
        return True

    def name(self) -> str:
        self.number += 1
        return f"n{self.number}"

    @rule(kind=st.sampled_from(["clarification", "approval"]), path=PATHS)
    def ask(self, kind: str, path: str) -> None:
        action = action_of(call("w", "write", path=path), working_folder="/w", content=None)
        self.requests.append(self.name())
        self.try_to(
            wait_for_user_input,
            request(self.requests[-1], kind=kind, expires=self.seconds + 3),
            action=action if kind == "approval" else None,
            decision="名字" if kind == "clarification" else None,
        )

    @rule(which=WHICH, again=st.booleans())
    def answer(self, which: int, again: bool) -> None:
        name = self.requests[max(0, len(self.requests) - 1 - which)]
        for _ in range(1 + again):
            if self.try_to(apply_user_answer, answer(name, seconds=self.seconds)):
                self.answers.append(name)

    @rule(which=WHICH, yes=st.booleans())
    def decide(self, which: int, yes: bool) -> None:
        name = self.requests[max(0, len(self.requests) - 1 - which)]
        if self.try_to(approve if yes else deny, name) and yes:
            self.granted.append(name)

    @rule(path=PATHS, again=st.booleans())
    def run_tool(self, path: str, again: bool) -> None:
        """What the harness does right before it runs a tool that a gate wants approved."""
        for _ in range(1 + again):
            self.run_one(path)

    def run_one(self, path: str) -> None:
        action = action_of(call("w", "write", path=path), working_folder="/w", content=None)
        approval = usable(self.desk.state.approvals, action.digest)
        if approval is None:
            return
        name = self.name()
        effect = EffectStarted(effect_id=name, action=action, approval_id=approval.id)
        if self.try_to(record, effect):
            self.ran.append(approval.id)

    @rule(path=PATHS, kind=st.sampled_from(["clarification", "approval"]), which=WHICH)
    def ask_and_be_told(self, path: str, kind: str, which: int) -> None:
        """The whole way at once: chance alone walks it too rarely."""
        self.ask(kind=kind, path=path)
        if kind == "approval":
            self.decide(which=which, yes=True)
            self.run_tool(path=path, again=True)
        else:
            self.answer(which=which, again=True)

    @rule(is_error=st.booleans())
    def tool_ends(self, is_error: bool) -> None:
        open_ones = [one for one in self.desk.state.effects if one.outcome == "unknown"]
        if open_ones:
            self.try_to(record, EffectEnded(effect_id=open_ones[0].id, is_error=is_error))

    @rule(type_=STEERING, which=st.integers(0, 2))
    def steer(self, type_: str, which: int) -> None:
        name = f"in{max(0, len(self.inputs) - which)}"
        if self.try_to(apply_user_steering, steering(type_, "话", name=name)):
            self.inputs.append(name)

    @rule(event=st.sampled_from([ModelCalled()] * 3 + [RunEnded(status="failed", reason="error")]))
    def go_on_or_break_off(self, event: ModelCalled | RunEnded) -> None:
        self.try_to(record, event)

    @rule()
    def resume(self) -> None:
        self.try_to(resume)

    @rule()
    def time_passes(self) -> None:
        self.seconds += 2

    @rule()
    def restart(self) -> None:
        before = self.desk.state
        self.desk = RunDesk(Session.open(self.store))
        assert self.desk.state == before

    @invariant()
    def nothing_happens_twice(self) -> None:
        assert len(set(self.ran)) == len(self.ran)
        assert set(self.ran) <= set(self.granted)
        assert len(set(self.answers)) == len(self.answers)
        assert len(set(self.inputs)) == len(self.inputs)

    @invariant()
    def the_state_hangs_together(self) -> None:
        state = self.desk.state
        assert (state.status == "waiting") == (state.pending_user_input is not None)
        assert state.plan.goal_version == state.goal_version
        assert state.number == len(self.store.read()) - 1
        assert len(state.context_sources) == len(self.answers)

    def teardown(self) -> None:
        """A crash after any line leaves the state that was there after that line."""
        lines = self.store.read()
        states: list[AgentState] = []
        for length in range(2, len(lines) + 1):
            prefix = Session.open(MemoryStore(b"".join(lines[:length])))
            state = runs_of(prefix.entries())["s-1"]
            assert state is not None
            states.append(state)
        assert [state.number for state in states] == list(range(1, len(lines)))
        assert states[-1] == self.desk.state


Interaction.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, derandomize=True
)
TestInteraction = Interaction.TestCase


def log() -> list[bytes]:
    store = MemoryStore()
    desk = RunDesk(Session.start(store, "s"))
    desk.save(new_state())
    desk.change(record, ModelCalled(), now=START)
    desk.change(record, ModelCalled(), now=START)
    return store.read()


def test_a_missing_event_is_noticed() -> None:
    lines = log()
    del lines[2]
    lines[2] = lines[2].replace(lines[2].split(b'"parentId":"')[1][:16], log_id(lines[1]))
    assert_damaged(lines)


def log_id(line: bytes) -> bytes:
    return line.split(b'"id":"')[1][:16]


def test_an_unknown_event_is_not_passed_over() -> None:
    lines = log()
    lines[-1] = lines[-1].replace(b"model_called", b"model_killed")
    assert_damaged(lines)


def assert_damaged(lines: list[bytes]) -> None:
    """The run cannot go on, and another one can begin."""
    desk = RunDesk(Session.open(MemoryStore(b"".join(lines))))
    assert (desk.current, desk.damaged) == (None, ["s-1"])
    with pytest.raises(InputRefused):
        desk.change(record, ModelCalled(), now=START)
    again = RunStarted(goal="再来", budget=1, working_folder="/w", model="fake")
    desk.save(begin(desk.next_run_id(), again, now=START))
    assert desk.state.run_id == "s-2"


def test_a_fork_is_another_run_and_has_no_approvals() -> None:
    desk = RunDesk(Session.start(MemoryStore(), "s"))
    desk.save(new_state())
    action = action_of(call("w", "write"), working_folder="/w", content=None)
    first = request("ask-1", kind="approval")
    desk.change(wait_for_user_input, first, now=START, action=action)
    desk.change(approve, "ask-1", now=START)
    other = action_of(call("v", "write"), working_folder="/v", content=None)
    second = request("ask-2", kind="approval")
    desk.change(wait_for_user_input, second, now=START, action=other)
    copy = RunDesk(desk.session.fork())
    assert copy.state.run_id == f"{copy.session.header.id}-2"
    assert (copy.state.approvals, copy.state.pending_user_input) == ((), None)
    assert copy.state.status == "running"
    assert runs_of(copy.session.entries())[copy.state.run_id] == copy.state
    assert desk.state.status == "waiting"

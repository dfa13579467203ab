"""The log and the state: random inputs, restarts at any moment, and damage."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from mini_agent.runs.events import ModelCalled, RunEnded, RunEvent, RunStarted
from mini_agent.runs.interaction import apply, wait_for_user_input
from mini_agent.runs.log import RunLog, runs_of
from mini_agent.runs.reducer import begin, record
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import Cancel, Command, InputRefused, Resume
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore

from tests.steps.step09.support import START, answer, at, new_state, request

WHICH = st.sampled_from([0] * 6 + [1, 3])
"""Mostly the last one, sometimes one that is long settled."""


class Interaction(RuleBasedStateMachine):
    """Whatever is said at whatever moment: what must hold holds."""

    def __init__(self) -> None:
        super().__init__()
        self.store = MemoryStore()
        self.log = RunLog(Session.start(self.store, "s"))
        self.log.save(new_state())
        self.seconds = 0
        self.requests = ["n0"]
        self.answers: list[str] = []

    def save(self, change: object) -> bool:
        before, lines = self.log.state, self.store.read()
        try:
            self.log.save(change(before))  # type: ignore[operator]  # any of them
        except InputRefused:
            assert self.log.state == before
            assert self.store.read() == lines
            return False
        return True

    def tell(self, said: Command) -> bool:
        return self.save(lambda state: apply(state, said, now=at(self.seconds)))

    def happen(self, event: RunEvent) -> bool:
        return self.save(lambda state: record(state, event, now=at(self.seconds)))

    @rule()
    def ask(self) -> None:
        self.requests.append(f"n{len(self.requests)}")
        asked = request(self.requests[-1], expires=self.seconds + 3)
        self.save(
            lambda state: wait_for_user_input(state, asked, now=at(self.seconds), decision="名字")
        )

    @rule(which=WHICH, again=st.booleans())
    def answer(self, which: int, again: bool) -> None:
        name = self.requests[max(0, len(self.requests) - 1 - which)]
        for _ in range(1 + again):
            if self.tell(answer(name)):
                self.answers.append(name)

    @rule(which=WHICH)
    def ask_and_be_told(self, which: int) -> None:
        """The whole way at once: chance alone walks it too rarely."""
        self.ask()
        self.answer(which=which, again=True)

    @rule(event=st.sampled_from([ModelCalled()] * 3 + [RunEnded(status="failed", reason="error")]))
    def go_on_or_break_off(self, event: RunEvent) -> None:
        self.happen(event)

    @rule(budget=st.sampled_from([None, None, 1, 20]))
    def resume(self, budget: int | None) -> None:
        self.tell(Resume(budget=budget))

    @rule(really=st.sampled_from([False] * 9 + [True]))
    def cancel(self, really: bool) -> None:
        if really:
            self.tell(Cancel())

    @rule()
    def time_passes(self) -> None:
        self.seconds += 2

    @rule()
    def restart(self) -> None:
        before = self.log.state
        self.log = RunLog(Session.open(self.store))
        assert self.log.state == before

    @invariant()
    def the_state_hangs_together(self) -> None:
        state = self.log.state
        assert (state.status == "waiting") == (state.pending_user_input is not None)
        assert (state.status == "running") == (state.stop_reason is None)
        assert state.number == len(self.store.read()) - 1
        answered = [one.request.id for one in state.decisions if one.answer is not None]
        assert answered == self.answers
        assert len(set(answered)) == len(answered)

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
        assert states[-1] == self.log.state


Interaction.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, derandomize=True
)
TestInteraction = Interaction.TestCase


def lines_of_a_log() -> list[bytes]:
    store = MemoryStore()
    log = RunLog(Session.start(store, "s"))
    log.save(new_state())
    log.record(ModelCalled())
    log.record(ModelCalled())
    return store.read()


def test_a_missing_event_is_noticed() -> None:
    lines = lines_of_a_log()
    del lines[2]
    lines[2] = lines[2].replace(lines[2].split(b'"parentId":"')[1][:16], id_of(lines[1]))
    assert_damaged(lines)


def id_of(line: bytes) -> bytes:
    return line.split(b'"id":"')[1][:16]


def test_an_unknown_event_is_not_passed_over() -> None:
    lines = lines_of_a_log()
    lines[-1] = lines[-1].replace(b"model_called", b"model_killed")
    assert_damaged(lines)


def test_a_run_begins_once() -> None:
    lines = lines_of_a_log()
    again = lines[1].replace(id_of(lines[1]), b"0" * 16)
    again = again.replace(b'"parentId":null', b'"parentId":"' + id_of(lines[-1]) + b'"')
    assert_damaged([*lines, again])


def assert_damaged(lines: list[bytes]) -> None:
    """The run cannot go on, and another one can begin."""
    log = RunLog(Session.open(MemoryStore(b"".join(lines))))
    assert (log.current, log.damaged) == (None, ["s-1"])
    with pytest.raises(InputRefused):
        log.record(ModelCalled())
    again = RunStarted(goal="再来", budget=1, working_folder="/w", model="fake")
    log.save(begin(log.next_run_id(), again, now=START))
    assert log.state.run_id == "s-2"


def test_a_fork_is_another_run_and_waits_for_the_same() -> None:
    log = RunLog(Session.start(MemoryStore(), "s"))
    log.save(new_state())
    log.save(wait_for_user_input(log.state, request(), now=START))
    copy = RunLog(log.session.fork())
    assert copy.state.run_id == f"{copy.session.header.id}-2"
    assert copy.state.pending_user_input == request()
    assert runs_of(copy.session.entries())[copy.state.run_id] == copy.state
    copy.save(apply(copy.state, answer(), now=at(1)))
    assert log.state.status == "waiting"

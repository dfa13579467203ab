"""A process that dies at a write, at each of them: what is done after that is right."""

from typing import Any

import anyio
import pytest
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.run_fold import runs_of
from mini_agent.session import Session
from mini_agent.session_store import MemoryStore

from tests.steps.step09.support import Desk, ask_before_write, ask_call, call

WRITE = call("w", "write", path="a.txt", content="x")
RULES = (
    FakeRule(match="用户批准了", calls=(WRITE,)),
    FakeRule(match="用户回答了", calls=(WRITE,)),
    FakeRule(match="程序中断过", calls=(call("look-again", "read"),)),
    FakeRule(match="写好了", reply="做完了。"),
    FakeRule(match="STALE", reply="做完了。"),
    FakeRule(match="看到了", calls=(ask_call(checked=("look", "look-again")),)),
    FakeRule(match="整理", calls=(call("look", "read"),)),
    FakeRule(calls=(WRITE,)),
)
"""After a crash it looks again and asks again; the harness knows what was answered before."""


class Killed(BaseException):
    """Raised in place of the death of the process."""


class Mortal(MemoryStore):
    """A store whose process dies at a certain write: before it, after it, or in the middle."""

    def __init__(self, *, at: int, how: str) -> None:
        super().__init__()
        self.left = at
        self.how = how

    def append(self, lines: bytes) -> None:
        self.left -= 1
        if self.left > 0 or self.how == "never":
            super().append(lines)
            return
        if self.left == 0:
            super().append({"before": b"", "torn": lines[:-9], "after": lines}[self.how])
        raise Killed  # and whatever a dying process might still try to write is not written

    def revived(self) -> "Mortal":
        alive = Mortal(at=0, how="never")
        for line in self.read():
            if line.endswith(b"\n"):  # a file store sets the torn line aside
                MemoryStore.append(alive, line)
        return alive


def say_next(runner: Any) -> None:
    """Do what a patient user would do."""
    state = runner.desk.current
    if state is None:
        runner.start("整理待办")
    elif state.status == "waiting":
        pending = state.pending_user_input
        if pending.kind == "approval":
            runner.approve(pending.id)
        else:
            runner.answer(pending.id, "王芳")
    else:
        runner.resume()


def live(desk: Desk, *, most: int) -> None:
    """Let one process after the other work until the run is completed, or somebody dies."""

    async def process() -> str:
        runner = desk.process(create_fake_model(RULES))
        if runner.desk.current is not None and runner.desk.current.status == "completed":
            return "completed"
        say_next(runner)
        return (await desk.work(runner)).status

    for _ in range(most):
        if anyio.run(process) == "completed":
            return
    raise AssertionError("it never ends")


def died(desk: Desk) -> bool:
    dead = False
    try:
        live(desk, most=8)
    except* Killed:
        dead = True
    return dead


def new_desk(store: Mortal) -> Desk:
    desk = Desk(store=store, gate=ask_before_write, budget=40)
    desk.tools.act = lambda call: "看到了" if call.name == "read" else "写好了"
    return desk


def writes() -> int:
    store = Mortal(at=1_000, how="after")
    assert not died(new_desk(store))
    return 1_000 - store.left


@pytest.mark.parametrize("how", ["before", "torn", "after"])
def test_death_at_each_write(how: str) -> None:
    for number in range(1, writes() + 1):
        desk = new_desk(Mortal(at=number, how=how))
        assert died(desk)
        asked_before = questions(desk)
        dead = desk.store
        assert isinstance(dead, Mortal)
        desk.store = dead.revived()
        live(desk, most=12)
        state = desk.folded()
        grants = [one for one in state.approvals if one.granted]
        assert state.status == "completed"
        assert len(desk.tools.ran) <= len(grants), f"at write {number}"
        assert sum(one.spent_at is not None for one in grants) >= len(desk.tools.ran)
        clarified = [one for one in state.decisions if one.name == "名字"]
        assert len(clarified) == 1, f"the user was asked twice, write {number}"
        assert asked_before <= questions(desk)  # the question that he saw is the one he answers
        assert [source.content for source in state.context_sources] == ["王芳"]


def questions(desk: Desk) -> set[str]:
    lines = [line for line in desk.store.read() if line.endswith(b"\n")]
    if not lines:
        return set()
    runs = runs_of(Session.open(MemoryStore(b"".join(lines))).entries())
    states = [state for state in runs.values() if state is not None]
    pending = states[-1].pending_user_input if states else None
    asked = {one.request_id for state in states for one in state.decisions}
    is_question = pending is not None and pending.kind == "clarification"
    return asked | ({pending.id} if pending is not None and is_question else set())


def test_the_whole_way_takes_one_answer_and_one_approval() -> None:
    desk = new_desk(Mortal(at=0, how="never"))
    live(desk, most=8)
    state = desk.folded()
    assert (len(desk.tools.ran), len(state.approvals), len(state.decisions)) == (1, 1, 1)
    assert [step.reason for step in state.transitions] == [
        "clarification",
        "user_input_received",
        "approval",
        "approved",
        "completed",
    ]

"""A process that dies at a write, at each of them: what is done after that is right."""

from typing import Any

import anyio
import pytest
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.runs.log import runs_of
from mini_agent.runs.user_input import Resume
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore

from tests.steps.step09.support import Desk, answer, ask_call, call

WRITE = call("w", "write", path="a.txt", content="x")
RULES = (
    FakeRule(match="用户回答了", calls=(WRITE,)),
    FakeRule(match="程序中断过", calls=(call("look-again", "read", path="名字"),)),
    FakeRule(match="写好了", reply="做完了。"),
    FakeRule(match="已经回答过", reply="做完了。"),
    FakeRule(match="看到了", calls=(ask_call(checked=("look", "look-again")),)),
    FakeRule(match="整理", calls=(call("look", "read", path="名字"),)),
    FakeRule(reply="做完了。"),
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
    state = runner.log.current
    if state is None:
        runner.start("整理待办")
    elif state.status == "waiting":
        runner.tell(answer(state.pending_user_input.id))
    else:
        runner.tell(Resume())


def live(desk: Desk, *, most: int) -> None:
    """Let one process after the other work until the run is completed, or somebody dies."""

    async def process() -> str:
        runner = desk.process(create_fake_model(RULES))
        if runner.log.current is not None and runner.log.current.status == "completed":
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
    desk = Desk(store=store, budget=40)
    desk.tools.act = lambda name, arguments: "看到了" if name == "read" else "写好了"
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
        assert state.status == "completed"
        assert len(desk.tools.ran) <= 1, f"at write {number}"  # nothing is run again by itself
        clarified = [one for one in state.decisions if one.name == "名字"]
        assert len(clarified) == 1, f"the user was asked twice, write {number}"
        assert asked_before <= questions(desk)  # the question that was seen is the one answered
        assert [one.answer.content for one in clarified if one.answer] == ["王芳"]
        told = b"".join(desk.store.read()).decode()
        assert "用户回答了：用哪个名字？" in told, f"nobody told the model, write {number}"


def questions(desk: Desk) -> set[str]:
    lines = [line for line in desk.store.read() if line.endswith(b"\n")]
    if not lines:
        return set()
    runs = runs_of(Session.open(MemoryStore(b"".join(lines))).entries())
    states = [state for state in runs.values() if state is not None]
    pending = states[-1].pending_user_input if states else None
    asked = {one.request.id for state in states for one in state.decisions}
    return asked | ({pending.id} if pending is not None else set())


def test_the_whole_way_takes_one_answer() -> None:
    desk = new_desk(Mortal(at=0, how="never"))
    live(desk, most=8)
    state = desk.folded()
    assert (len(desk.tools.ran), len(state.decisions)) == (1, 1)

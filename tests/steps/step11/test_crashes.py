"""A process that dies at a write, at each of them, while others speak to the run by the inbox."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.runs.user_input import Resume

from tests.steps.step09.support import answer, ask_call, call
from tests.steps.step09.test_crashes import Killed, Mortal
from tests.steps.step11.support import Desk, constraint, goal, plan_call

DONE = {"id": "a", "status": "done", "results": ["w"]}
RULES = (
    FakeRule(match="逐个说明", calls=(plan_call("replan", {"id": "b"}, w="keep"),)),
    FakeRule(match="把目标改成了", calls=(plan_call("plan-2", {"id": "b"}),)),
    FakeRule(match="- [作废]", calls=(plan_call("plan-3", {"id": "b"}),)),
    FakeRule(match="用户回答了", calls=(call("w", "write", path="a.txt"),)),
    FakeRule(match="写好了", calls=(plan_call("plan-1", DONE),)),
    FakeRule(match="程序中断过", calls=(call("look-again", "read", path="名字"),)),
    FakeRule(match="看到了", calls=(ask_call(checked=("look", "look-again")),)),
    FakeRule(match="整理", calls=(call("look", "read", path="名字"),)),
    FakeRule(reply="做完了。"),
)


def say_next(runner: Any) -> None:
    state = runner.log.current
    if state is None:
        runner.start("整理待办")
    elif state.status == "waiting":
        runner.tell(answer(state.pending_user_input.id))
    else:
        runner.tell(Resume())


def live(desk: Desk, *, most: int) -> None:
    """Let processes work until the model has nothing more to do; the plan may stay open."""

    async def process() -> str:
        runner = desk.process(create_fake_model(RULES))
        state = runner.log.current
        if state is not None and state.stop_reason in ("completed", "plan_open：b"):
            return "over"
        say_next(runner)
        await desk.work(runner)
        return ""

    for _ in range(most):
        if anyio.run(process) == "over":
            return
    raise AssertionError("it never ends")


def new_desk(store: Mortal, folder: Path) -> Desk:
    desk = Desk(store=store, budget=40, inboxes=folder)

    def act(name: str, arguments: dict[str, Any]) -> str:
        if name == "read":
            desk.post(constraint())  # again and again, as the same one
            return "看到了"
        desk.post(goal())
        return "写好了"

    desk.tools.act = act
    return desk


def died(desk: Desk) -> bool:
    dead = False
    try:
        live(desk, most=8)
    except* Killed:
        dead = True
    return dead


@pytest.mark.parametrize("how", ["before", "torn", "after"])
def test_death_at_each_write(how: str, tmp_path: Path) -> None:
    store = Mortal(at=1_000, how="after")
    assert not died(new_desk(store, tmp_path / "whole"))
    for number in range(1, 1_000 - store.left + 1):
        desk = new_desk(Mortal(at=number, how=how), tmp_path / f"{how}-{number}")
        assert died(desk)
        dead = desk.store
        assert isinstance(dead, Mortal)
        desk.store = dead.revived()
        live(desk, most=12)
        state = desk.folded()
        told = b"".join(desk.store.read()).decode()
        assert state.constraints == ("不要改 b",), f"at write {number}"
        assert "用户加了限制：不要改 b" in told
        assert len(desk.tools.ran) <= len({effect.id for effect in state.effects})
        if desk.tools.ran:
            assert (state.goal, state.goal_version) == ("另一件事", 2), f"at write {number}"
            assert "用户把目标改成了：另一件事" in told
            assert all(e.decided_for == 2 for e in state.effects if e.goal_version == 1)


def test_the_whole_way(tmp_path: Path) -> None:
    desk = new_desk(Mortal(at=0, how="never"), tmp_path)
    live(desk, most=8)
    state = desk.folded()
    assert (state.goal_version, state.stop_reason) == (2, "plan_open：b")
    assert [effect.decision for effect in state.effects] == ["keep"]

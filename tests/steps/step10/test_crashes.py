"""A process that dies at a write, at each of them: no approval is used twice, none gets lost."""

from typing import Any

import anyio
import pytest
from mini_agent.fake_model import FakeRule, create_fake_model
from mini_agent.runs.user_input import Resume

from tests.steps.step09.support import answer, ask_call, call
from tests.steps.step09.test_crashes import Killed, Mortal
from tests.steps.step10.support import Desk, write, yes

RULES = (
    FakeRule(match="程序照记录执行了", reply="做完了。"),
    FakeRule(match="用户回答了", calls=(write("w1", "a.txt"), write("w2", "b.txt"))),
    FakeRule(match="程序中断过", calls=(call("look-again", "read", path="名字"),)),
    FakeRule(match="已经回答过", calls=(write("w3", "a.txt"), write("w4", "b.txt"))),
    FakeRule(match="看到了", calls=(ask_call(checked=("look", "look-again")),)),
    FakeRule(match="整理", calls=(call("look", "read", path="名字"),)),
    FakeRule(reply="做完了。"),
)


def say_next(runner: Any) -> None:
    state = runner.log.current
    if state is None:
        runner.start("整理待办")
    elif state.status != "waiting":
        runner.tell(Resume())
    elif state.pending_user_input.kind == "approval":
        runner.tell(yes(state))
    else:
        runner.tell(answer(state.pending_user_input.id))


def live(desk: Desk, *, most: int) -> None:
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


def new_desk(store: Mortal, *, in_turn: bool) -> Desk:
    desk = Desk(store=store, budget=40, ask_user=yes if in_turn else None)
    desk.tools.act = lambda name, arguments: "看到了" if name == "read" else "写好了"
    return desk


def died(desk: Desk) -> bool:
    dead = False
    try:
        live(desk, most=8)
    except* Killed:
        dead = True
    return dead


@pytest.mark.parametrize("in_turn", [False, True])
@pytest.mark.parametrize("how", ["before", "torn", "after"])
def test_death_at_each_write(how: str, in_turn: bool) -> None:
    store = Mortal(at=1_000, how="after")
    assert not died(new_desk(store, in_turn=in_turn))
    for number in range(1, 1_000 - store.left + 1):
        desk = new_desk(Mortal(at=number, how=how), in_turn=in_turn)
        assert died(desk)
        dead = desk.store
        assert isinstance(dead, Mortal)
        desk.store = dead.revived()
        live(desk, most=12)
        state = desk.folded()
        grants = [one for one in state.approvals if one.granted]
        spent = [one for one in grants if one.spent_at is not None]
        assert state.status == "completed"
        assert len(desk.tools.ran) <= len(spent) == len(state.effects), f"at write {number}"
        assert state.due == (), f"an approval is lost, write {number}"
        assert len([one for one in state.decisions if one.answer]) == 1


@pytest.mark.parametrize("in_turn", [False, True])
def test_the_whole_way_takes_one_answer_and_one_approval(in_turn: bool) -> None:
    desk = new_desk(Mortal(at=0, how="never"), in_turn=in_turn)
    live(desk, most=8)
    state = desk.folded()
    requests = {one.request_id for one in state.approvals}
    assert (len(desk.tools.ran), len(requests), len(state.decisions)) == (2, 1, 1)

"""A run whose course is changed: while it waits, between two turns, and in the middle of one."""

import os
import termios
import tty
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mini_agent.cli.keyboard import take_typed_lines
from mini_agent.extensions.events import Block
from mini_agent.messages import AssistantMessage, Context, message_text
from mini_agent.runs.events import PlanRevised
from mini_agent.runs.inbox import Inbox
from mini_agent.runs.permissions import UNSETTLED
from mini_agent.runs.plan import TaskPlan
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import Constraint, GoalChange, InputRefused, Resume, Steering
from mini_agent.stream import StreamError, StreamEvent, StreamOptions, StreamStart
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import LOOK, answer, ask_call, call, pending_id, results, says
from tests.steps.step10.support import ASK, write, yes
from tests.steps.step11.support import Desk, cancel, constraint, goal, plan_call

WRITE = says(write())
DONE = says("做完了。")


def seen_by(seen: list[str], *then: AssistantMessage) -> list[Any]:
    """Return responses that note what the model was shown last."""

    def look(context: Context) -> AssistantMessage:
        seen.append(message_text(context.messages[-1]))
        return left.pop(0)

    left = [*then]
    return [look] * len(then)


async def waiting(desk: Desk, *first: AssistantMessage) -> AgentState:
    runner = desk.scripted(*first, LOOK, says(ask_call()))
    runner.start("整理待办")
    return await desk.work(runner)


@pytest.mark.parametrize("said", [constraint(), goal()])
async def test_what_was_said_while_it_waits_is_told_in_whatever_process(said: Steering) -> None:
    """Fault 76: one process takes it, another one answers or resumes."""
    desk = Desk()
    state = await waiting(desk)
    desk.scripted().tell(said)
    seen: list[str] = []
    runner = desk.scripted(*seen_by(seen, DONE))
    is_goal = isinstance(said, GoalChange)
    runner.tell(Resume() if is_goal else answer(pending_id(state)))
    await desk.work(runner)
    assert ("另一件事" if is_goal else "不要改 b") in seen[0].partition("目标（")[0]


async def test_after_a_goal_change_old_effects_come_first() -> None:
    desk = Desk()
    before = await waiting(desk, WRITE)
    runner = desk.scripted(
        says(write("w2", "b.txt")),
        says(plan_call("p1", {"id": "a"})),
        says(plan_call("p2", {"id": "a"}, w="keep")),
        says(write("w3", "b.txt")),
        says(plan_call("p3", {"id": "a", "status": "done", "results": ["w3"]})),
        DONE,
    )
    runner.tell(goal())
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert told["w2"] == UNSETTLED.format(ids="w")
    assert "还要说明" in told["p1"]
    assert told["p2"].startswith("计划第 3 版")
    assert [one["path"] for one in desk.tools.ran] == ["a.txt", "b.txt"]
    assert (state.effects[0].decision, state.effects[0].about) == ("keep", before.effects[0].about)
    assert (state.status, desk.folded()) == ("completed", state)


async def test_a_person_is_asked_to_put_an_effect_in_order() -> None:
    desk = Desk()
    await waiting(desk, WRITE)
    runner = desk.scripted(says(plan_call("p", w="manual_reconciliation")))
    runner.tell(goal())
    state = await desk.work(runner)
    assert state.pending_user_input is not None
    assert state.pending_user_input.kind == "manual_reconciliation"
    assert "write" in state.pending_user_input.question
    seen: list[str] = []
    runner = desk.scripted(*seen_by(seen, DONE))
    runner.tell(answer(pending_id(state), "删掉了"))
    assert (await desk.work(runner)).status == "completed"
    assert "删掉了" in seen[0]


async def test_a_run_whose_plan_is_open_is_not_completed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    desk = Desk(workspace=Workspace(tmp_path))
    runner = desk.scripted(LOOK, says(plan_call("p", {"id": "a"}, {"id": "b"})), DONE)
    runner.start("整理待办")
    state = await desk.work(runner)
    assert (state.status, state.stop_reason) == ("failed", "plan_open：a、b")
    done = {"status": "done", "results": ["look"]}
    steps = ({"id": "a", "files": ["a.txt"]} | done, {"id": "b"} | done)
    seen: list[str] = []
    runner = desk.scripted(*seen_by(seen, says(plan_call("p2", *steps)), DONE))
    runner.tell(Resume())
    state = await desk.work(runner)
    assert "plan_open：a、b" in seen[0]
    assert (state.status, state.stop_reason) == ("completed", "completed")


async def test_after_a_new_goal_no_old_step_counts_by_itself() -> None:
    """Fault 77: without a new plan the run is not completed."""
    desk = Desk()
    done = {"id": "a", "status": "done", "results": ["look"]}
    await waiting(desk, LOOK, says(plan_call("p", done)))
    runner = desk.scripted(DONE)
    runner.tell(goal())
    state = await desk.work(runner)
    assert (state.status, state.stop_reason) == ("failed", "plan_open：a")


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        ({"results": ["q"]}, "没有这样成功的调用"),
        ({"results": ["p0"]}, "没有这样成功的调用"),
        ({"results": ["broken"]}, "没有这样成功的调用"),
        ({"results": []}, "能证明"),
        ({"results": ["look"], "files": ["never_existed.py"]}, "不存在"),
    ],
)
async def test_evidence_is_a_call_that_went_well_in_this_run(
    evidence: dict[str, Any], why: str, tmp_path: Path
) -> None:
    desk = Desk(workspace=Workspace(tmp_path))

    def act(name: str, arguments: dict[str, Any]) -> str:
        if arguments.get("path") == "broken":
            raise ValueError("exit 1")
        return "好了"

    desk.tools.act = act
    done = {"id": "a", "status": "done"} | evidence
    runner = desk.scripted(
        LOOK,
        says(call("broken", "write", path="broken")),
        says(plan_call("p0", {"id": "a"})),
        says(plan_call("p", done)),
        DONE,
    )
    runner.start("整理待办")
    state = await desk.work(runner)
    assert why in results(runner.conversation.context.messages)["p"]
    assert state.stop_reason == "plan_open：a"


async def test_an_approved_call_that_ran_from_the_record_is_evidence(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path), policy=ASK)
    runner = desk.scripted(WRITE)
    runner.start("写文件")
    state = await desk.work(runner)
    done = {"id": "a", "status": "done", "results": ["w"]}
    runner = desk.scripted(says(plan_call("p", done)), DONE)
    runner.tell(yes(state))
    assert (await desk.work(runner)).status == "completed"


async def test_no_gate_has_a_say_in_a_plan() -> None:
    desk = Desk(gate=lambda call: Block("不行"))
    runner = desk.scripted(says(plan_call("p", {"id": "a"})), DONE)
    runner.start("整理待办")
    assert (await desk.work(runner)).plan.version == 2


async def test_a_plan_that_is_on_record_is_the_result_of_its_call() -> None:
    for was_revised in (True, False):
        desk = Desk()
        runner = desk.scripted()
        runner.start("整理待办")
        runner.conversation.session.add_message(says(plan_call("p", {"id": "a"})))
        if was_revised:
            plan = TaskPlan(version=2, reason="按用户说的")
            runner.log.record(PlanRevised(plan=plan))
        heard = results(desk.scripted().conversation.context.messages)["p"]
        assert ("第 2 版" in heard, "没有改" in heard) == (was_revised, not was_revised)


class Slow:
    """A model whose first answer takes until it is aborted."""

    def __init__(self) -> None:
        self.started = anyio.Event()
        self.closed = False

    def __call__(
        self, context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        return self.stream(options or StreamOptions())

    async def stream(self, options: StreamOptions) -> AsyncGenerator[StreamEvent, None]:
        yield StreamStart()
        self.started.set()
        with options.signal.scope():
            await anyio.sleep_forever()
        self.closed = True
        yield StreamError(message=AssistantMessage(content=(), stop_reason="aborted"))


async def cancelled_from_outside(desk: Desk, runner: Any, started: anyio.Event) -> AgentState:
    states: list[AgentState] = []

    async def work() -> None:
        states.append(await desk.work(runner))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            await started.wait()
            desk.post(cancel())
    return states[0]


async def test_a_cancel_from_outside_ends_the_stream(tmp_path: Path) -> None:
    desk, model = Desk(inboxes=tmp_path), Slow()
    runner = desk.process(model)
    runner.start("慢慢来")
    state = await cancelled_from_outside(desk, runner, model.started)
    assert (state.status, state.stop_reason, model.closed) == ("cancelled", "算了", True)
    assert desk.folded() == state


async def test_a_cancel_from_outside_ends_the_tool(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    started, ended = anyio.Event(), []

    async def slow() -> str:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(True)
        return "never"

    desk.tools.act = lambda name, arguments: slow()
    runner = desk.scripted(WRITE, DONE)
    runner.start("写文件")
    state = await cancelled_from_outside(desk, runner, started)
    assert (state.status, state.effects[0].outcome, ended) == ("cancelled", "unknown", [True])


async def test_the_inbox_is_read_before_anything_is_judged(tmp_path: Path) -> None:
    """Faults 20 and 81."""
    desk = Desk(inboxes=tmp_path)
    state = await waiting(desk)
    runner = desk.scripted()
    desk.post(cancel())
    with pytest.raises(InputRefused):
        runner.tell(answer(pending_id(state)))
    assert (desk.folded().status, desk.folded().pending_user_input) == ("cancelled", None)
    with pytest.raises(InputRefused):
        desk.scripted().tell(Resume())

    desk = Desk(inboxes=tmp_path / "other")
    await waiting(desk)
    desk.post(goal())
    runner = desk.scripted(DONE)
    runner.tell(Resume())  # it waits no more
    assert (await desk.work(runner)).goal == "另一件事"


async def test_a_constraint_from_outside_reaches_the_next_turn(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    seen: list[str] = []

    def act(name: str, arguments: dict[str, Any]) -> str:
        desk.post(constraint())
        return "内容"

    desk.tools.act = act
    runner = desk.scripted(LOOK, *seen_by(seen, DONE))
    runner.start("整理待办")
    state = await desk.work(runner)
    assert "不要改 b" in seen[0]
    assert (state.constraints, state.plan.version, state.status) == (("不要改 b",), 2, "completed")
    assert desk.scripted().log.state == state  # read again, it is not applied again


async def test_what_comes_at_the_very_end_gets_an_answer(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    seen: list[str] = []

    def last(context: Context) -> AssistantMessage:
        desk.post(constraint())
        return DONE

    runner = desk.scripted(last, *seen_by(seen, DONE))
    runner.start("整理待办")
    assert (await desk.work(runner)).status == "completed"
    assert "不要改 b" in seen[0]


async def test_what_is_typed_while_it_works_steers_it_and_answers_nothing() -> None:
    desk = Desk()
    left: list[Steering] = [Constraint(text="只看")]

    def typed() -> list[Steering]:
        said = left[:]
        left.clear()
        return said

    seen: list[str] = []
    runner = desk.scripted(LOOK, *seen_by(seen, says(ask_call())))
    runner.deps = replace(runner.deps, typed=typed)
    runner.start("整理待办")
    work = desk.work(runner)
    left.append(GoalChange(goal="别的"))
    state = await work
    assert "只看" in seen[0]
    assert "别的" in seen[0]
    assert (state.constraints, state.goal, state.status) == (("只看",), "别的", "waiting")
    left.append(Constraint(text="y"))  # typed before the question: no part of the run
    assert state.pending_user_input is not None


def test_an_inbox_survives_half_a_line(tmp_path: Path) -> None:
    """Fault 16: what is acknowledged is applied."""
    desk = Desk(inboxes=tmp_path)
    runner = desk.scripted()
    runner.start("整理待办")
    reader = Inbox(tmp_path, "s")
    assert list(reader.unread(runner.log)) == []
    desk.post(constraint("一"))
    with (tmp_path / "s.inbox").open("ab") as file:
        file.write(b'{"runId": "s-1", "sa')
    assert list(reader.unread(runner.log)) == [constraint("一")]
    desk.post(constraint("二", "in-4"))
    desk.post(cancel("三"), run_id="s-2")
    assert list(reader.unread(runner.log)) == [constraint("一"), constraint("二", "in-4")]
    assert [said.id for said in reader.take_in(runner.log)] == ["in-1", "in-4"]
    assert list(reader.unread(runner.log)) == []
    assert desk.folded().constraints == ("一", "二")


async def test_what_cannot_be_taken_stops_nothing(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    desk.post(cancel(" "))
    runner = desk.scripted(LOOK, DONE)
    left: list[Steering] = [Constraint(text="长" * 20_001), Constraint(text="只看")]

    def typed() -> list[Steering]:
        said = left[:]
        left.clear()
        return said

    runner.deps = replace(runner.deps, typed=typed)
    runner.start("整理待办")
    state = await desk.work(runner)
    assert (state.status, state.constraints) == ("completed", ("只看",))
    assert any("太长" in notice for notice in desk.notices)


def test_lines_pasted_at_a_prompt_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    tty.setraw(slave)  # as at a prompt: a CR stays a CR
    os.write(master, "只看\r/goal 你好\r\r".encode())
    termios.tcsetattr(slave, termios.TCSANOW, before)
    with os.fdopen(master, "wb"), os.fdopen(slave) as keyboard:
        monkeypatch.setattr("sys.stdin", keyboard)
        assert take_typed_lines() == ["只看", "/goal 你好"]
        assert take_typed_lines() == []

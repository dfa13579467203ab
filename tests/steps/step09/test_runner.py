"""A run in one process after the other: the loop, the log and the user together."""

from collections.abc import AsyncGenerator, Callable
from itertools import count
from pathlib import Path

import anyio
import pytest
from mini_agent.abort import AbortSignal
from mini_agent.extension_answers import Ask, Block
from mini_agent.inbox import Inbox
from mini_agent.messages import AssistantMessage, Context, ToolCall, message_text
from mini_agent.repair import open_calls
from mini_agent.run_permissions import DENIED, STALE, UNSETTLED
from mini_agent.run_state import AgentState
from mini_agent.stream import StreamError, StreamEvent, StreamOptions, StreamStart
from mini_agent.tools.workspace import Workspace
from mini_agent.user_input import InputRefused

from tests.steps.step09.support import (
    LOOK,
    Desk,
    ask_before_write,
    ask_call,
    call,
    gate_of,
    results,
    says,
    steering,
)

WRITE = says(call("w", "write", path="a.txt", content="x"))
DONE = says("做完了。")


async def waiting(desk: Desk) -> AgentState:
    """Let a run look, ask, and wait."""
    runner = desk.scripted(LOOK, says(ask_call()))
    runner.start("整理待办")
    return await desk.work(runner)


def pending_id(state: AgentState) -> str:
    assert state.pending_user_input is not None
    return state.pending_user_input.id


async def test_a_question_stops_the_run_and_leaves_nothing_open() -> None:
    desk = Desk()
    state = await waiting(desk)
    assert (state.status, state.model_calls, state.stop_reason) == ("waiting", 2, None)
    assert (desk.ended[-1].reason, desk.ended[-1].detail) == ("stopped", "user_input_required")
    runner = desk.scripted()
    assert results(runner.conversation.context.messages)["q"] == f"waiting {pending_id(state)}"
    assert open_calls(runner.conversation.session.messages()) == []
    assert desk.folded() == state


async def test_an_answer_in_another_process_goes_on_with_the_same_run() -> None:
    desk = Desk()
    before = await waiting(desk)
    seen: list[str] = []

    def look(context: Context) -> AssistantMessage:
        seen.append(message_text(context.messages[-1]))
        return DONE

    runner = desk.scripted(look)
    runner.answer(pending_id(before), "王芳")
    state = await desk.work(runner)
    assert (state.run_id, state.status, state.model_calls) == (before.run_id, "completed", 3)
    assert "用哪个名字？\n王芳" in seen[0]
    assert desk.folded() == state
    with pytest.raises(InputRefused) as refused:
        desk.scripted().answer(pending_id(before), "李雷")
    assert refused.value.code == "unexpected_user_input"


async def test_an_answer_outlives_a_resumption_that_fails() -> None:
    desk = Desk()
    before = await waiting(desk)
    runner = desk.scripted()  # no response left: the model fails
    runner.answer(pending_id(before), "王芳")
    state = await desk.work(runner)
    assert state.status == "failed"
    runner = desk.scripted(DONE)
    runner.resume()
    state = await desk.work(runner)
    assert (state.status, state.context_sources[0].content) == ("completed", "王芳")


@pytest.mark.parametrize(
    "calls",
    [(ask_call(), call("w", "write", path="a")), (ask_call("q1"), ask_call("q2", decision="别的"))],
    ids=["with a side effect", "two questions"],
)
async def test_a_mixed_turn_runs_nothing_and_asks_nothing(calls: tuple[ToolCall, ...]) -> None:
    desk = Desk()
    runner = desk.scripted(LOOK, says(*calls), DONE)
    runner.start("整理待办")
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert all(told[one.id].startswith("invalid_model_output") for one in calls)
    assert (state.status, desk.tools.ran, len(state.transitions)) == ("completed", [], 1)


@pytest.mark.parametrize("checked", [(), ("elsewhere",)])
async def test_who_has_not_looked_does_not_ask(checked: tuple[str, ...]) -> None:
    desk = Desk()
    runner = desk.scripted(says(ask_call(checked=checked)), LOOK, says("写在 a.txt 里。"))
    runner.start("整理待办")
    state = await desk.work(runner)
    assert "先用只读工具" in results(runner.conversation.context.messages)["q"]
    assert (state.status, [step.reason for step in state.transitions]) == (
        "completed",
        ["completed"],
    )


async def test_looking_in_an_earlier_run_does_not_count() -> None:
    desk = Desk()
    runner = desk.scripted(LOOK, DONE, says(ask_call()), DONE)
    runner.start("先看看")
    await desk.work(runner)
    runner.start("再问")
    state = await desk.work(runner)
    assert state.status == "completed"
    assert "先用只读工具" in results(runner.conversation.context.messages)["q"]


async def test_a_question_that_was_answered_is_not_asked_again() -> None:
    desk = Desk(budget=6)
    before = await waiting(desk)
    runner = desk.scripted(*[says(ask_call(f"q{n}")) for n in range(9)])
    runner.answer(pending_id(before), "王芳")
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert {told[f"q{n}"] for n in range(4)} == {"没有问：这个问题用户已经回答过：王芳"}
    assert (state.status, state.stop_reason, state.model_calls) == ("failed", "budget_exhausted", 6)


async def test_an_expired_question_is_gone_without_an_answer() -> None:
    desk = Desk(answer_within=10)
    before = await waiting(desk)
    desk.seconds = 10
    with pytest.raises(InputRefused) as refused:
        desk.scripted().answer(pending_id(before), "王芳")
    assert refused.value.code == "expired_user_input"
    assert desk.folded() == before
    runner = desk.scripted(says(ask_call("again")), DONE)
    runner.resume()
    state = await desk.work(runner)
    told = [message_text(message) for message in runner.conversation.context.messages]
    assert any("expired, no answer" in text for text in told)
    assert (state.status, state.context_sources) == ("completed", ())


async def asked_to_write(desk: Desk, *responses: AssistantMessage) -> AgentState:
    desk.gate = ask_before_write
    runner = desk.scripted(*(responses or (WRITE,)))
    runner.start("写文件")
    return await desk.work(runner)


async def test_an_approved_call_runs_once_and_a_second_one_asks_again(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    assert (state.status, desk.ended[-1].detail) == ("waiting", "approval_required")
    assert desk.tools.ran == []
    runner = desk.scripted(WRITE, WRITE)
    runner.approve(pending_id(state))
    state = await desk.work(runner)
    assert (len(desk.tools.ran), state.status) == (1, "waiting")
    assert state.approvals[0].spent_at is not None
    assert [effect.outcome for effect in state.effects] == ["done"]
    assert desk.folded() == state


async def test_two_calls_share_no_approval(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    arguments = WRITE.content[0]
    assert isinstance(arguments, ToolCall)
    twice = [ToolCall(id=name, name="write", arguments=arguments.arguments) for name in "xy"]
    runner = desk.scripted(says(*twice), DONE)
    runner.approve(pending_id(state))
    await desk.work(runner)
    assert desk.tools.ran == ["x"]
    assert results(runner.conversation.context.messages)["y"] == STALE


async def test_an_approval_does_not_fit_a_changed_file(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    (tmp_path / "a.txt").write_text("由别人写的")
    runner = desk.scripted(WRITE)
    runner.approve(pending_id(state))
    state = await desk.work(runner)
    assert (desk.tools.ran, state.status) == ([], "waiting")
    assert state.approvals[0].spent_at is None


async def test_a_file_that_changes_in_the_last_moment_is_noticed(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    changing = says(call("first", "bash"), call("w2", "write", path="a.txt", content="x"))
    desk.tools.act = lambda call: (
        (tmp_path / "a.txt").write_text("别的") and "好" if call.name == "bash" else "好"
    )
    runner = desk.scripted(changing, DONE)
    runner.approve(pending_id(state))
    await desk.work(runner)
    assert "w2" not in desk.tools.ran
    assert results(runner.conversation.context.messages)["w2"] == STALE


async def test_other_arguments_or_another_run_need_another_approval(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    runner = desk.scripted(says(call("v", "write", path="a.txt", content="y")), DONE)
    runner.approve(pending_id(state))
    state = await desk.work(runner)
    assert (desk.tools.ran, state.status) == ([], "waiting")
    runner.deny(pending_id(state))
    await desk.work(runner)
    runner = desk.scripted(WRITE)
    runner.start("另一次")
    state = await desk.work(runner)
    assert (desk.tools.ran, state.status, state.approvals) == ([], "waiting", ())


async def test_a_denial_is_told_and_not_asked_about_again(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    runner = desk.scripted(WRITE, DONE)
    runner.deny(pending_id(state), "先别动")
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert DENIED in told.values()
    assert any("先别动" in message_text(m) for m in runner.conversation.context.messages)
    assert (state.status, desk.tools.ran) == ("completed", [])


async def test_free_text_approves_nothing(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    state = await asked_to_write(desk)
    with pytest.raises(InputRefused) as refused:
        desk.scripted().answer(pending_id(state), "y")
    assert refused.value.code == "approval_required"
    assert desk.folded() == state


async def test_while_an_approval_is_pending_nothing_else_is_changed(tmp_path: Path) -> None:
    desk = Desk(workspace=Workspace(tmp_path))
    desk.gate = lambda call: Ask("问") if call.arguments.get("path") == "a.txt" else None
    both = says(call("free", "write", path="b.txt"), call("w", "write", path="a.txt"))
    runner = desk.scripted(both)
    runner.start("写两个")
    state = await desk.work(runner)
    assert (desk.tools.ran, state.status) == ([], "waiting")


async def test_a_block_wins_over_a_question_and_a_raising_gate_blocks() -> None:
    def raising(call: ToolCall) -> None:
        raise RuntimeError("坏了")

    for gate in (raising, lambda call: Block("不行")):
        desk = Desk()
        desk.gate = ask_before_write
        runner = desk.scripted(WRITE, DONE)
        runner.equipment.extensions.add("second", gate_of(gate))
        runner.start("写文件")
        state = await desk.work(runner)
        assert (state.status, state.transitions[0].reason) == ("completed", "completed")
        assert desk.tools.ran == []
        assert "second" in results(runner.conversation.context.messages)["w"]


def plan_call(call_id: str, *, effects: tuple[tuple[str, str], ...] = ()) -> ToolCall:
    return call(
        call_id,
        "update_plan",
        reason="目标变了",
        steps=[{"id": "a", "title": "a", "acceptance": "看得到"}],
        effects=[{"id": name, "decision": decision} for name, decision in effects],
    )


async def written(desk: Desk) -> AgentState:
    runner = desk.scripted(LOOK, WRITE, says(ask_call()))
    runner.start("写文件")
    return await desk.work(runner)


async def test_after_a_goal_change_old_effects_come_first() -> None:
    desk = Desk()
    before = await written(desk)
    more = call("w2", "write", path="b.txt")
    runner = desk.scripted(
        says(more),
        says(plan_call("p1")),
        says(plan_call("p2", effects=(("w", "keep"),))),
        says(call("w3", "write", path="b.txt")),
        DONE,
    )
    runner.steer("goal_change", "另一件事")
    state = await desk.work(runner)
    told = results(runner.conversation.context.messages)
    assert told["w2"] == UNSETTLED.format(ids="w")
    assert "还要说明" in told["p1"]
    assert told["p2"].startswith("计划第 3 版")
    assert (desk.tools.ran, state.effects[0].decision) == (["w", "w3"], "keep")
    assert before.effects[0].action == state.effects[0].action
    assert desk.folded() == state


async def test_a_person_is_asked_to_put_an_effect_in_order() -> None:
    desk = Desk()
    await written(desk)
    runner = desk.scripted(says(plan_call("p", effects=(("w", "manual_reconciliation"),))))
    runner.steer("goal_change", "另一件事")
    state = await desk.work(runner)
    assert state.pending_user_input is not None
    assert state.pending_user_input.kind == "manual_reconciliation"
    assert state.transitions[-1].reason == "manual_reconciliation"
    runner = desk.scripted(DONE)
    runner.answer(pending_id(state), "删掉了")
    assert (await desk.work(runner)).status == "completed"


async def test_resuming_elsewhere_or_with_another_model_takes_insistence(tmp_path: Path) -> None:
    desk = Desk()
    before = await waiting(desk)
    for changed in ({"workspace": Workspace(tmp_path)}, {"model_name": "other/model"}):
        other = Desk(store=desk.store, _ids=count(1000), **changed)
        with pytest.raises(InputRefused) as refused:
            other.scripted().answer(pending_id(before), "王芳")
        assert refused.value.code == "run_elsewhere"
    assert desk.folded() == before
    other = Desk(store=desk.store, _ids=count(2000), model_name="other/model", insist=True)
    with pytest.raises(InputRefused):
        other.scripted().answer("ask-none", "王芳")
    assert desk.folded() == before
    runner = other.scripted(DONE)
    runner.answer(pending_id(before), "王芳")
    state = await other.work(runner)
    assert (state.status, state.model) == ("completed", "other/model")


class Slow:
    """A model whose first answer takes until it is aborted."""

    def __init__(self, desk: Desk) -> None:
        self.started = anyio.Event()
        self.closed = False

    def __call__(
        self, context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        return self.stream(options or StreamOptions())

    async def stream(self, options: StreamOptions) -> AsyncGenerator[StreamEvent, None]:
        yield StreamStart()
        self.started.set()
        with options.signal.cut_short():
            await anyio.sleep_forever()
        self.closed = True
        yield StreamError(message=AssistantMessage(content=(), stop_reason="aborted"))


async def cancelled_from_outside(
    desk: Desk, model: Slow, inboxes: Path, started: Callable[[], anyio.Event]
) -> AgentState:
    runner = desk.process(model)
    runner.start("慢慢来")
    states: list[AgentState] = []

    async def work() -> None:
        states.append(await desk.work(runner))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            await started().wait()
            Inbox(inboxes, "s").post(steering("cancel", "算了"))
    return states[0]


async def test_a_cancel_from_outside_ends_the_stream(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    model = Slow(desk)
    state = await cancelled_from_outside(desk, model, tmp_path, lambda: model.started)
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

    desk.tools.act = lambda call: slow()
    runner = desk.scripted(WRITE, DONE)
    runner.start("写文件")
    states = []

    async def work() -> None:
        states.append(await desk.work(runner))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            await started.wait()
            Inbox(tmp_path, "s").post(steering("cancel", "算了"))
    assert (states[0].status, states[0].effects[0].outcome, ended) == (
        "cancelled",
        "unknown",
        [True],
    )


async def test_a_cancel_at_the_question_is_final(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    before = await waiting(desk)
    Inbox(tmp_path, "s").post(steering("cancel", "算了"))
    runner = desk.scripted()
    with pytest.raises(InputRefused):
        runner.answer(pending_id(before), "王芳")
    assert (desk.folded().status, desk.folded().pending_user_input) == ("cancelled", None)


async def test_a_constraint_from_outside_reaches_the_next_turn(tmp_path: Path) -> None:
    desk = Desk(inboxes=tmp_path)
    seen: list[str] = []

    def post(call: ToolCall) -> str:
        Inbox(tmp_path, "s").post(steering("constraint", "不要改 b"))
        return "内容"

    def look(context: Context) -> AssistantMessage:
        seen.append(message_text(context.messages[-1]))
        return DONE

    desk.tools.act = post
    runner = desk.scripted(LOOK, look)
    runner.start("整理待办")
    state = await desk.work(runner)
    assert "不要改 b" in seen[0]
    assert (state.constraints, state.plan.version, state.status) == (("不要改 b",), 2, "completed")
    assert desk.scripted().desk.state == state  # read again, it is not applied again


async def test_an_aborted_turn_can_be_resumed_and_is_not_cancelled() -> None:
    desk = Desk()
    signal = AbortSignal()
    signal.abort()
    runner = desk.scripted(DONE)
    runner.start("整理待办")
    state = await desk.work(runner, signal)
    assert (state.status, state.stop_reason) == ("failed", "aborted")
    runner = desk.scripted(DONE)
    runner.resume()
    assert (await desk.work(runner)).status == "completed"

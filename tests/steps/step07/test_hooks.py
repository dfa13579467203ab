"""The hooks of the loop: where each is called, what it can do, and what it can never break."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from copy import deepcopy
from dataclasses import replace

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd, ToolExecutionStart
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import Toolset
from mini_agent.hooks import LoopHooks
from mini_agent.messages import (
    AssistantMessage,
    Context,
    StopReason,
    ToolCall,
    ToolResultMessage,
    message_text,
    user_text,
)
from mini_agent.results import (
    CUT_OFF,
    INTERRUPTED,
    NEVER_STARTED,
    UNCHECKED,
    WITHHELD,
    ToolError,
)
from mini_agent.scripted_model import create_scripted_model

from tests.steps.step07.support import Run, Tools, assert_well_formed, call, result, says, told

FOREIGN_ERRORS = (
    ValueError("坏了"),
    SystemExit(2),
    asyncio.CancelledError(),
    ExceptionGroup("many", [ValueError("坏了")]),
)


async def hang(*_: object) -> None:
    await anyio.sleep_forever()


async def aborted_when_all_wait(run: Run) -> Run:
    """Run, press abort when nothing moves any more, and check the run as a whole."""
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(run.whole)
            await wait_all_tasks_blocked()
            run.signal.abort()
    return run


# after_message


async def test_a_text_after_a_message_refuses_all_its_calls() -> None:
    async def refuse(message: AssistantMessage) -> str | None:
        return "一次只问一件事" if message_text(message) == "问" else None

    script = says("问", call("t1"), call("t2")), says("再来", call("t3")), says("好")
    run = await Run(*script, hooks=LoopHooks(after_message=refuse)).whole()
    assert run.told == [
        "assistant: 问[t1][t2]",
        "error t1: 一次只问一件事",
        "error t2: 一次只问一件事",
        "assistant: 再来[t3]",
        "result t3: echo t3",
        "assistant: 好",
    ]
    assert run.tools.ran == ["t3"]
    assert run.blocked == ["t1", "t2"]
    assert run.end == AgentEnd(reason="completed")


async def test_it_is_called_once_for_each_complete_answer_and_sees_it_in_the_history() -> None:
    seen: list[str] = []

    async def look(message: AssistantMessage) -> None:
        assert run.context.messages[-1] is message
        seen.append(message_text(message))

    run = Run(says("一", call("t1")), says("二"), hooks=LoopHooks(after_message=look))
    await run.whole()
    assert seen == ["一", "二"]


@pytest.mark.parametrize("stop_reason", ["length", "refusal", "error", "aborted"])
async def test_an_answer_that_runs_nothing_is_no_hook_s_business(stop_reason: StopReason) -> None:
    async def fail(*_: object) -> None:
        raise AssertionError("it was asked")

    hooks = LoopHooks(after_message=fail, before_call=fail, after_call=fail)  # type: ignore[arg-type]
    broken = says("看", call("t1"), stop_reason=stop_reason, error="断了")
    run = await Run(broken, says("好"), hooks=hooks, max_turns=1).whole()
    text = CUT_OFF if stop_reason == "length" else NEVER_STARTED
    assert run.told[1] == f"error t1: {text}"


@pytest.mark.parametrize("error", FOREIGN_ERRORS, ids=repr)
async def test_one_that_raises_after_a_message_has_said_no(error: BaseException) -> None:
    async def refuse(message: AssistantMessage) -> str:
        raise error

    hooks = LoopHooks(after_message=refuse)
    run = await Run(says(call("t1"), call("t2")), says("好"), hooks=hooks).whole()
    assert run.tools.ran == []
    assert run.blocked == ["t1", "t2"]
    assert all(line.startswith("error ") and len(line) > 10 for line in run.told[1:3])


async def test_an_abort_cuts_it_short_and_nothing_starts() -> None:
    run = Run(says(call("t1")), says("好"), hooks=LoopHooks(after_message=hang))
    await aborted_when_all_wait(run)
    assert run.told == ["assistant: [t1]", f"error t1: {NEVER_STARTED}"]
    assert run.tools.ran == run.blocked == []
    assert run.end == AgentEnd(reason="aborted")


# before_call


async def test_all_calls_are_asked_about_in_order_before_any_tool_starts() -> None:
    order: list[str] = []

    async def ask(call: ToolCall) -> ToolCall:
        await anyio.lowlevel.checkpoint()
        order.append(f"ask {call.id}")
        return call

    tools = Tools({"echo": lambda call: order.append(f"run {call.id}")})
    script = says(call("t1"), call("t2"), call("t3")), says("好")
    await Run(*script, hooks=LoopHooks(before_call=ask), tools=tools).whole()
    assert order[:3] == ["ask t1", "ask t2", "ask t3"]
    assert sorted(order[3:]) == ["run t1", "run t2", "run t3"]  # together, in any order


async def test_what_it_passes_on_is_what_runs_and_the_history_keeps_what_the_model_said() -> None:
    async def change(call: ToolCall) -> ToolCall:
        return replace(call, arguments={"path": "b.txt"})

    sent = says(call("t1", path="a.txt"))
    run = await Run(sent, says("好"), hooks=LoopHooks(before_call=change)).whole()
    assert run.tools.arguments == [{"path": "b.txt"}]
    assert run.context.messages[1] == sent
    assert [e.call for e in run.events if isinstance(e, ToolExecutionStart)] == list(sent.content)


async def test_it_can_answer_in_place_of_the_tool() -> None:
    async def answer(call: ToolCall) -> ToolCall | ToolResultMessage:
        return call if call.id == "t2" else result(call, "已经知道", is_error=call.id == "t3")

    script = says(call("t1"), call("t2"), call("t3")), says("好")
    run = await Run(*script, hooks=LoopHooks(before_call=answer)).whole()
    assert run.told[1:4] == ["result t1: 已经知道", "result t2: echo t2", "error t3: 已经知道"]
    assert run.tools.ran == ["t2"]
    assert run.blocked == ["t3"]  # an answer is no block, an error is


@pytest.mark.parametrize("error", FOREIGN_ERRORS, ids=repr)
async def test_one_that_raises_before_a_call_blocks_it_and_no_other(error: BaseException) -> None:
    async def ask(call: ToolCall) -> ToolCall:
        if call.id == "t2":
            raise error
        return call

    script = says(call("t1"), call("t2"), call("t3")), says("好")
    run = await Run(*script, hooks=LoopHooks(before_call=ask)).whole()
    assert sorted(run.tools.ran) == ["t1", "t3"]
    assert run.blocked == ["t2"]
    assert run.told[2].startswith("error t2: ")


@pytest.mark.parametrize(
    "answer",
    [
        call("t9"),
        call("t1", "other"),
        result(call("t9"), "好"),
        result(call("t1", "other"), "好"),
        None,
        True,
        "好",
    ],
)
async def test_an_answer_that_is_none_to_this_call_blocks_it(answer: ToolCall) -> None:
    async def ask(call: ToolCall) -> ToolCall:
        return answer

    run = await Run(says(call("t1")), says("好"), hooks=LoopHooks(before_call=ask)).whole()
    assert run.tools.ran == []
    assert run.blocked == ["t1"]


async def test_arguments_are_checked_before_it_is_asked_and_again_when_it_changed_them() -> None:
    asked: list[ToolCall] = []

    def check(call: ToolCall) -> ToolCall:
        if not isinstance(call.arguments.get("n"), int):
            raise ToolError("n：应为整数")
        return call

    async def change(call: ToolCall) -> ToolCall:
        asked.append(call)
        return call if call.id == "t2" else replace(call, arguments={"n": "坏"})

    script = says(call("t1", n="1"), call("t2", n=2), call("t3", n=3)), says("好")
    run = await Run(*script, hooks=LoopHooks(before_call=change), check=check).whole()
    assert [call.id for call in asked] == ["t2", "t3"]
    assert run.told[1:4] == ["error t1: n：应为整数", "result t2: echo t2", "error t3: n：应为整数"]
    assert run.blocked == ["t3"]  # what does not fit was not blocked by anybody


async def test_it_sees_the_arguments_as_they_will_run() -> None:
    asked: list[ToolCall] = []

    def check(call: ToolCall) -> ToolCall:
        return replace(call, arguments={"n": int(str(call.arguments["n"]))})

    async def look(call: ToolCall) -> ToolCall:
        asked.append(call)
        return call

    hooks = LoopHooks(before_call=look)
    run = await Run(says(call("t1", n="500")), says("好"), hooks=hooks, check=check).whole()
    assert [call.arguments for call in asked] == run.tools.arguments == [{"n": 500}]


async def test_one_that_changes_what_it_was_given_cannot_get_around_the_check() -> None:
    def check(call: ToolCall) -> ToolCall:
        if "evil" in call.arguments:
            raise ToolError("没有参数 evil")
        return deepcopy(call)

    async def change(call: ToolCall) -> ToolCall:
        call.arguments["evil"] = True
        return call

    hooks = LoopHooks(before_call=change)
    run = await Run(says(call("t1")), says("好"), hooks=hooks, check=check).whole()
    assert run.tools.ran == []
    assert run.told[1] == "error t1: 没有参数 evil"


async def test_a_call_that_is_no_object_is_not_asked_about() -> None:
    async def ask(call: ToolCall) -> ToolCall:
        raise AssertionError("it was asked")

    broken = ToolCall(id="t1", name="echo", malformed="[")
    run = await Run(says(broken), says("好"), hooks=LoopHooks(before_call=ask)).whole()
    assert run.told[1].startswith("error t1: 没有执行：参数不是 JSON 对象")


async def test_an_abort_while_it_thinks_lets_nothing_start() -> None:
    async def ask(call: ToolCall) -> ToolCall:
        if call.id == "t2":
            await hang()
        return call

    script = says(call("t1"), call("t2"), call("t3")), says("好")
    run = await aborted_when_all_wait(Run(*script, hooks=LoopHooks(before_call=ask)))
    assert run.tools.ran == []
    assert run.told[1:] == [f"error {name}: {NEVER_STARTED}" for name in ("t1", "t2", "t3")]
    assert run.end == AgentEnd(reason="aborted")


# after_call


async def test_what_comes_back_from_it_is_the_result() -> None:
    async def shorten(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
        return result(call, message_text(output)[:2] + call.id, is_error=output.is_error)

    def fail(call: ToolCall) -> str:
        raise ToolError("没有这个文件")

    script = says(call("t1"), call("t2", "fail")), says("好")
    hooks = LoopHooks(after_call=shorten)
    run = await Run(*script, hooks=hooks, tools=Tools({"fail": fail})).whole()
    assert run.told[1:3] == ["result t1: ect1", "error t2: 没有t2"]
    assert run.blocked == []


@pytest.mark.parametrize("error", FOREIGN_ERRORS, ids=repr)
async def test_one_that_raises_after_a_call_leaves_an_error_and_not_the_result(
    error: BaseException,
) -> None:
    async def check(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
        if call.id == "t1":
            raise error
        return output

    hooks = LoopHooks(after_call=check)
    run = await Run(says(call("t1"), call("t2")), says("好"), hooks=hooks).whole()
    assert sorted(run.tools.ran) == ["t1", "t2"]
    assert run.told[1].startswith("error t1: " + UNCHECKED.format(error=""))
    assert "echo t1" not in run.told[1]
    assert run.told[2] == "result t2: echo t2"


async def test_the_result_of_another_call_is_not_taken() -> None:
    async def swap(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
        return replace(output, tool_call_id="t2")

    hooks = LoopHooks(after_call=swap)
    run = await Run(says(call("t1"), call("t2")), says("好"), hooks=hooks).whole()
    assert run.told[1].startswith("error t1: ")
    assert run.told[2] == "result t2: echo t2"


async def test_it_is_asked_only_about_what_has_run_and_with_what_it_ran() -> None:
    seen: list[ToolCall] = []

    async def before(call: ToolCall) -> ToolCall | ToolResultMessage:
        if call.id == "t1":
            return result(call, "不许", is_error=True)
        return replace(call, arguments={"n": 2})

    async def after(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
        seen.append(call)
        return output

    hooks = LoopHooks(before_call=before, after_call=after)
    broken = ToolCall(id="t3", name="echo", malformed="[")
    await Run(says(call("t1"), call("t2", n=1), broken), says("好"), hooks=hooks).whole()
    assert seen == [call("t2", n=2)]


async def test_an_abort_while_it_looks_keeps_the_result_back() -> None:
    hooks = LoopHooks(after_call=hang)  # type: ignore[arg-type]  # it never comes to an answer
    run = await aborted_when_all_wait(Run(says(call("t1")), says("好"), hooks=hooks))
    assert run.told[1:] == [f"error t1: {WITHHELD}"]
    assert run.end == AgentEnd(reason="aborted")


async def test_a_cancellation_from_outside_while_it_looks_keeps_the_result_back() -> None:
    hooks = LoopHooks(after_call=hang)  # type: ignore[arg-type]  # it never comes to an answer
    run = Run(says(call("t1"), call("t2")), says("好"), hooks=hooks, sequential=["echo"])

    async def listen() -> None:
        async with aclosing(run.generator):
            async for _ in run.generator:
                pass

    with anyio.CancelScope() as outside:
        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await wait_all_tasks_blocked()
            outside.cancel()
    assert outside.cancelled_caught
    assert run.told[1:] == [f"error t1: {WITHHELD}", f"error t2: {NEVER_STARTED}"]


# the ends of a run


async def test_a_cut_answer_without_calls_is_the_end() -> None:
    run = await Run(says("我先", stop_reason="length"), says("好"), hooks=LoopHooks()).whole()
    assert run.end == AgentEnd(reason="truncated", detail="1")
    assert run.told == ["assistant: 我先"]


async def test_three_cut_answers_in_a_row_are_the_end() -> None:
    script = [says("我先", call(f"t{n}"), stop_reason="length") for n in range(1, 5)]
    run = await Run(*script, hooks=LoopHooks()).whole()
    assert run.end == AgentEnd(reason="truncated", detail="3")
    assert len([line for line in run.told if line.startswith("assistant")]) == 3


async def test_a_whole_answer_begins_the_count_of_cut_ones_anew() -> None:
    def cut(name: str) -> AssistantMessage:
        return says(call(name), stop_reason="length")

    script = [cut("t1"), cut("t2"), says(call("t3")), cut("t4"), cut("t5"), says("好")]
    run = await Run(*script, hooks=LoopHooks()).whole()
    assert run.end == AgentEnd(reason="completed")


async def test_a_blank_answer_is_the_end_and_no_part_of_the_history() -> None:
    run = await Run(says(" "), hooks=LoopHooks()).whole()
    assert run.end == AgentEnd(reason="empty")
    assert run.told == []


async def test_what_has_run_when_the_user_aborts_keeps_its_result_and_no_turn_follows() -> None:
    def abort(call: ToolCall) -> str:
        run.signal.abort()
        return "做完了"

    tools = Tools({"abort": abort})
    run = Run(says(call("t1", "abort")), says("好"), hooks=LoopHooks(), tools=tools)
    await run.whole()
    assert run.told[1:] == ["result t1: 做完了"]
    assert run.end == AgentEnd(reason="aborted")


async def test_after_an_abort_no_call_is_asked_about() -> None:
    async def fail(*_: object) -> None:
        raise AssertionError("it was asked")

    hooks = LoopHooks(after_message=fail, before_call=fail)  # type: ignore[arg-type]
    run = Run(says(call("t1")), says("好"), hooks=hooks)
    async for event in run.generator:
        if isinstance(event, ToolExecutionStart):
            run.signal.abort()
    assert run.told[1:] == [f"error t1: {NEVER_STARTED}"]


# All of them together.


async def passes(call: ToolCall) -> ToolCall:
    return call


async def keeps(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
    return output


async def nothing(*_: object) -> None:
    return None


SILENT = LoopHooks(after_message=nothing, before_call=passes, after_call=keeps)


async def test_hooks_that_do_nothing_change_nothing() -> None:
    script = says("看", call("t1"), call("t2")), says(call("t3")), says("好")
    without = await Run(*script, hooks=LoopHooks()).whole()
    with_them = await Run(*script, hooks=SILENT).whole()
    assert without.events == with_them.events
    assert without.context == with_them.context


async def test_whoever_leaves_early_leaves_a_well_formed_history() -> None:
    script = says("看", call("t1"), call("t2")), says("再看", call("t3")), says("好")

    def start() -> Run:
        return Run(*script, hooks=SILENT)

    count = len((await start().whole()).events)
    for seen in range(1, count):
        run = start()
        async with aclosing(run.generator):
            async for _ in run.generator:
                seen -= 1
                if seen == 0:
                    break
        assert_well_formed(run.context.messages)
        assert all(f"result {name}: echo {name}" in run.told for name in run.tools.ran)


async def test_a_late_word_of_a_tool_is_not_shown_while_its_result_is_looked_at() -> None:
    shown: list[str] = []
    late: list[Callable[[str], None]] = []

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        late.append(on_update)
        return "好"

    async def after(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
        late[0]("太晚了")
        return output

    run = run_agent_loop(
        Context(messages=[user_text("开始")]),
        model=create_scripted_model([says(call("t1")), says("好")]),
        tools=Toolset(execute=execute, on_update=lambda call, text: shown.append(text)),
        hooks=LoopHooks(after_call=after),
        max_turns=3,
    )
    async for _ in run:
        pass
    assert shown == []


async def test_a_tool_that_is_interrupted_is_not_shown_to_after_call() -> None:
    async def after(call: ToolCall, output: ToolResultMessage) -> ToolResultMessage:
        raise AssertionError("it has no result")

    tools = Tools({"hang": hang})
    run = Run(says(call("t1", "hang")), says("好"), hooks=LoopHooks(after_call=after), tools=tools)
    await aborted_when_all_wait(run)
    assert told(run.context.messages)[2:] == [f"error t1: {INTERRUPTED}"]

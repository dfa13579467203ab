"""From calls to results: whatever a tool does, its call gets one result, and the rest go on."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from mini_agent.abort import AbortSignal
from mini_agent.blocking import run_blocking
from mini_agent.execution import Batch, ToolExecutor, Toolset
from mini_agent.messages import ToolCall, ToolResultMessage, message_text
from mini_agent.results import INTERRUPTED, NEVER_STARTED, NO_OUTPUT, ToolError, ToolOutput

from tests.steps.step04.support import Tools, call


def no_updates(call: ToolCall, text: str) -> None:
    raise AssertionError("no tool here reports progress")


def batch(
    *calls: ToolCall,
    execute: ToolExecutor,
    signal: AbortSignal | None = None,
    on_update: Callable[[ToolCall, str], None] = no_updates,
    sequential: tuple[str, ...] = (),
) -> Batch:
    tools = Toolset(execute=execute, sequential=sequential, on_update=on_update)
    return Batch(calls=calls, tools=tools, signal=signal or AbortSignal())


async def result_of(tool: Callable[[ToolCall], Any]) -> ToolResultMessage:
    one = batch(call("t1", "it"), execute=Tools({"it": tool}))
    await one.run()
    (result,) = one.settle(unstarted=NEVER_STARTED)
    return result


def raising(error: BaseException) -> Callable[[ToolCall], object]:
    def tool(call: ToolCall) -> object:
        raise error

    return tool


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ToolError("没有这个文件。"), "没有这个文件。"),
        (ToolError(), "ToolError"),
        (ValueError(), "ValueError"),
        (KeyError("x"), "KeyError: 'x'"),
        (FileNotFoundError(2, "No such file", "/secret/a.txt"), "FileNotFoundError: No such file"),
        (ExceptionGroup("many", [ExceptionGroup("one", [ValueError("x")])]), "ValueError: x"),
        (asyncio.CancelledError(), "CancelledError"),
        (SystemExit(2), "SystemExit: 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_what_a_tool_raises_is_an_error_result(error: BaseException, text: str) -> None:
    result = await result_of(raising(error))
    assert result.is_error
    assert message_text(result) == text


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("好", "好"),
        ("", NO_OUTPUT),
        (None, NO_OUTPUT),
        (ToolOutput(text=""), NO_OUTPUT),
        ("半个\ud83d", "半个\ufffd"),
        ("\ud83d\ude00", "😀"),
    ],
)
async def test_what_a_tool_returns_is_text(output: object, text: str) -> None:
    result = await result_of(lambda call: output)
    assert not result.is_error
    assert message_text(result) == text
    assert message_text(result).encode()


async def test_details_are_for_the_user() -> None:
    result = await result_of(lambda call: ToolOutput(text="改好了", details="- 旧\n+ 新"))
    assert (message_text(result), result.details) == ("改好了", "- 旧\n+ 新")


async def test_half_a_surrogate_pair_stays_out_of_details_and_of_errors_too() -> None:
    result = await result_of(lambda call: ToolOutput(text="\ud83d", details="\ude00"))
    assert (message_text(result), result.details) == ("\ufffd", "\ufffd")
    result = await result_of(raising(ToolError("\ud83d")))
    assert message_text(result) == "\ufffd"


@pytest.mark.parametrize("output", [{"b", "a"}, b"\xff", 7, float("nan"), ToolOutput(text=7)])  # type: ignore[arg-type]  # that is the point
async def test_anything_else_is_an_error_result_that_names_the_type(output: object) -> None:
    result = await result_of(lambda call: output)
    wrong = output.text if isinstance(output, ToolOutput) else output
    assert result.is_error
    assert message_text(result) == f"工具返回了 {type(wrong).__name__}，而不是文字。"


async def test_arguments_that_are_no_object_never_reach_the_tool() -> None:
    tools = Tools()
    bad = ToolCall(id="t1", name="read", malformed="[" * 2_000_000)
    one = batch(bad, execute=tools)
    await one.run()
    (result,) = one.settle(unstarted=NEVER_STARTED)
    assert tools.ran == []
    assert result.is_error
    assert "[[[" in message_text(result)
    assert len(message_text(result).encode()) < 1000


async def test_one_that_fails_costs_the_others_nothing() -> None:
    go = anyio.Event()

    async def slow(call: ToolCall) -> str:
        await go.wait()
        return "慢"

    def quick(call: ToolCall) -> str:
        go.set()  # the slow one cannot end before this one ran: they run together
        return "快"

    table = {
        "slow": slow,
        "fails": raising(ValueError()),
        "quick": quick,
        "cancels": raising(asyncio.CancelledError()),
    }
    four = batch(
        *(call(f"t{number}", name) for number, name in enumerate(table, start=1)),
        execute=Tools(table),
    )
    with anyio.fail_after(5):
        await four.run()
    results = four.settle(unstarted=NEVER_STARTED)
    assert [(r.tool_call_id, r.tool_name, message_text(r), r.is_error) for r in results] == [
        ("t1", "slow", "慢", False),
        ("t2", "fails", "ValueError", True),
        ("t3", "quick", "快", False),
        ("t4", "cancels", "CancelledError", True),
    ]


async def test_one_by_one_means_that_none_runs_beside_another() -> None:
    running, most = 0, 0

    async def tool(call: ToolCall) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await anyio.lowlevel.checkpoint()
        running -= 1
        return "好"

    tools = Tools({"it": tool})
    three = batch(
        *(call(f"t{number}", "it") for number in range(3)), execute=tools, sequential=("it",)
    )
    await three.run()
    assert most == 1
    assert tools.ran == ["t0", "t1", "t2"]


async def test_ctrl_c_is_no_news_for_the_model() -> None:
    with pytest.raises(KeyboardInterrupt):
        await result_of(raising(KeyboardInterrupt()))


@pytest.mark.parametrize("anyio_backend", ["asyncio"])  # trio has none but that of scopes
async def test_a_cancellation_of_asyncio_itself_goes_through() -> None:
    one = batch(call("t1", "hang"), execute=Tools({"hang": lambda call: anyio.sleep_forever()}))
    task = asyncio.ensure_future(one.run())
    await wait_all_tasks_blocked()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert message_text(one.settle(unstarted=NEVER_STARTED)[0]) == INTERRUPTED


async def test_cancellation_from_outside_reaches_parallel_tools_as_such() -> None:
    cancelled: list[str] = []

    async def tool(call: ToolCall) -> None:
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            cancelled.append(call.id)
            raise

    two = batch(call("t1", "it"), call("t2", "it"), execute=Tools({"it": tool}))
    with anyio.move_on_after(0.01) as outside:
        await two.run()
    assert outside.cancelled_caught
    assert sorted(cancelled) == ["t1", "t2"]
    assert two.outcomes == {"t1": None, "t2": None}


async def aborted_while_running(
    tool: Callable[[], Awaitable[object]], signal: AbortSignal
) -> ToolResultMessage:
    one = batch(call("t1", "it"), execute=Tools({"it": lambda call: tool()}), signal=signal)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(one.run)
            await wait_all_tasks_blocked()
            signal.abort()
    return one.settle(unstarted=NEVER_STARTED)[0]


async def test_an_aborted_tool_may_say_how_far_it_came() -> None:
    async def tool() -> None:
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            raise ToolError("做了一半") from None

    result = await aborted_while_running(tool, AbortSignal())
    assert message_text(result) == "做了一半"


async def test_an_aborted_tool_is_silent_while_it_cleans_up() -> None:
    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            on_update("收拾一下")

    signal = AbortSignal()
    one = batch(call("t1"), execute=execute, signal=signal)  # its `on_update` would fail
    async with anyio.create_task_group() as group:
        group.start_soon(one.run)
        await wait_all_tasks_blocked()
        signal.abort()
    assert message_text(one.settle(unstarted=NEVER_STARTED)[0]) == INTERRUPTED


async def test_a_tool_that_blocks_is_left_behind_at_once() -> None:
    release = threading.Event()
    try:
        result = await aborted_while_running(
            lambda: run_blocking(lambda: release.wait(60)), AbortSignal()
        )
        assert message_text(result) == INTERRUPTED
    finally:
        release.set()


async def test_a_tool_that_was_left_behind_reaches_nobody_any_more() -> None:
    started, release, ended = threading.Event(), threading.Event(), threading.Event()
    updates: list[str] = []
    signal = AbortSignal()

    def show(call: ToolCall, text: str) -> None:
        updates.append(text)
        started.set()

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        def work() -> str:
            on_update("开始")
            release.wait(60)
            on_update("还在做")
            ended.set()
            return "做完了"

        return await run_blocking(work)

    one = batch(call("t1"), execute=execute, signal=signal, on_update=show)
    async with anyio.create_task_group() as group:
        group.start_soon(one.run)
        await anyio.to_thread.run_sync(started.wait)
        signal.abort()
    (result,) = one.settle(unstarted=NEVER_STARTED)
    release.set()
    await anyio.to_thread.run_sync(ended.wait)
    assert message_text(result) == INTERRUPTED
    assert updates == ["开始"]


async def test_a_blocking_function_gives_back_what_it_returns_and_raises() -> None:
    assert await run_blocking(lambda: 7) == 7
    with pytest.raises(ValueError, match="invalid literal"):
        await run_blocking(lambda: int("x"))
    assert threading.main_thread() is not await run_blocking(threading.current_thread)


async def test_progress_comes_while_the_tool_runs_and_never_after() -> None:
    updates: list[tuple[str, str]] = []
    late: list[Callable[[str], None]] = []

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        late.append(on_update)
        on_update("一半")
        return "好"

    one = batch(
        call("t1"), execute=execute, on_update=lambda call, text: updates.append((call.id, text))
    )
    await one.run()
    late[0]("太晚")
    assert updates == [("t1", "一半")]

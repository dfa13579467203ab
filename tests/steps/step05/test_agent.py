"""The loop with real tools: every call is answered, in order (cases C4 and C6)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio
import pytest
from mini_agent.abort import AbortSignal
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import Batch, ToolExecutor
from mini_agent.messages import (
    AssistantMessage,
    Context,
    TextContent,
    ToolCall,
    ToolResultMessage,
    message_text,
    user_text,
)
from mini_agent.results import INTERRUPTED
from mini_agent.scripted_model import create_scripted_model
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.registry import Registry
from mini_agent.tools.tool import Arguments, Tool
from mini_agent.tools.workspace import Workspace
from pydantic import JsonValue

from .support import read_text, write_text


def call(call_id: str, name: str, **arguments: JsonValue) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


async def results_of(registry: Registry, *calls: ToolCall) -> list[tuple[str, str, bool]]:
    """Let a model make `calls` and then say something; return id, text and outcome of each."""
    responses = (
        AssistantMessage(content=calls, stop_reason="tool_use"),
        AssistantMessage(content=(TextContent(text="好"),)),
    )
    context = Context(messages=[user_text("开始")], tools=registry.specs)
    run = run_agent_loop(
        context,
        model=create_scripted_model(responses),
        tools=registry.toolset,
        max_turns=3,
    )
    async for _ in run:
        pass
    assert message_text(context.messages[-1]) == "好"
    results = [m for m in context.messages if isinstance(m, ToolResultMessage)]
    return [(r.tool_call_id, message_text(r), r.is_error) for r in results]


@pytest.fixture
def registry(workspace: Workspace) -> Registry:
    return Registry(create_builtin_tools(workspace))


async def test_the_loop_goes_on_whatever_the_arguments(registry: Registry) -> None:
    bad = [
        ToolCall(id="t1", name="read", malformed="null"),
        ToolCall(id="t2", name="read", malformed='"{\\"path\\":\\"a.txt\\"}"'),
        ToolCall(id="t3", name="read", malformed="{" * 2_000_000),
        call("t4", "read"),
        call("t5", "read", path=1),
        call("t6", "read", path="a.txt", extra=1),
    ]
    results = await results_of(registry, *bad)
    assert [result[0] for result in results] == [call.id for call in bad]
    assert all(is_error for *_, is_error in results)
    assert all("没有执行" in text and len(text.encode()) < 1000 for _, text, _ in results)


async def test_two_edits_of_one_file_both_happen(registry: Registry, workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "one two")
    first: JsonValue = [{"old_text": "one", "new_text": "1"}]
    second: JsonValue = [{"old_text": "two", "new_text": "2"}]
    calls = [
        call("t1", "edit", path="a.txt", edits=first),
        call("t2", "edit", path="./a.txt", edits=second),
    ]
    results = await results_of(registry, *calls)
    assert [is_error for *_, is_error in results] == [False, False]
    assert read_text(workspace, "a.txt") == "1 2"


async def test_edits_queue_up_even_side_by_side(registry: Registry, workspace: Workspace) -> None:
    write_text(workspace, "a.txt", "".join(f"<{n}>\n" for n in range(20)))
    calls = [
        call(str(n), "edit", path="a.txt", edits=[{"old_text": f"<{n}>", "new_text": f"[{n}]"}])
        for n in range(20)
    ]
    side_by_side = replace(registry.toolset, sequential=())
    batch = Batch(calls=calls, tools=side_by_side, signal=AbortSignal())
    await batch.run()
    assert not any(result.is_error for result in batch.settle(unstarted=""))
    assert read_text(workspace, "a.txt") == "".join(f"[{n}]\n" for n in range(20))


async def test_what_depends_on_a_write_comes_after_it(registry: Registry) -> None:
    calls = [
        call("t1", "write", path="a.txt", content="好"),
        call("t2", "bash", command="cat a.txt"),
        call("t3", "read", path="a.txt"),
    ]
    results = await results_of(registry, *calls)
    assert [text for _, text, _ in results[1:]] == ["好\n[退出码 0]", "好"]


async def test_a_failed_command_is_an_error_with_its_output(registry: Registry) -> None:
    results = await results_of(registry, call("t1", "bash", command="echo 好; exit 3"))
    assert results == [("t1", "好\n[退出码 3]", True)]


async def test_an_abort_does_not_wait_for_a_tool_that_blocks(
    registry: Registry, workspace: Workspace
) -> None:
    write_text(workspace, "a.txt", "old")
    signal = AbortSignal()
    edits: JsonValue = [{"old_text": "old", "new_text": "new"}]
    batch = Batch(
        calls=[call("t1", "edit", path="a.txt", edits=edits)],
        tools=registry.toolset,
        signal=signal,
    )
    with anyio.fail_after(5), workspace.changing(workspace.root / "a.txt", AbortSignal()):
        async with anyio.create_task_group() as group:
            group.start_soon(batch.run)
            await anyio.wait_all_tasks_blocked()
            signal.abort()
    (result,) = batch.settle(unstarted="")
    assert message_text(result) == INTERRUPTED
    with workspace.changing(workspace.root / "a.txt", AbortSignal()):
        assert read_text(workspace, "a.txt") == "old"


class Nothing(Arguments):
    """No parameters."""


def toy(name: str, work: Callable[[], Awaitable[str]]) -> Tool[Nothing]:
    async def execute(
        args: Nothing, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        return await work()

    return Tool(name=name, description="", parameters=Nothing, execute=execute, read_only=True)


async def test_a_tool_that_raises_takes_no_other_with_it() -> None:
    quick_is_done = anyio.Event()

    async def slow() -> str:
        await quick_is_done.wait()
        return "慢"

    async def quick() -> str:
        quick_is_done.set()
        return "快"

    async def broken() -> str:
        raise ValueError

    async def cancelled() -> str:
        raise asyncio.CancelledError

    toys = {"slow": slow, "broken": broken, "quick": quick, "cancelled": cancelled}
    registry = Registry(toy(name, work) for name, work in toys.items())
    calls = [call(f"t{n}", name) for n, name in enumerate(toys, start=1)]
    assert await results_of(registry, *calls) == [
        ("t1", "慢", False),
        ("t2", "ValueError", True),
        ("t3", "快", False),
        ("t4", "CancelledError", True),
    ]


def test_the_registry_is_the_function_that_the_loop_takes(registry: Registry) -> None:
    execute: ToolExecutor = registry.execute
    assert registry.toolset.execute == execute

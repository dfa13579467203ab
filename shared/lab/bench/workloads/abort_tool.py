"""From an abort to the end of the run, while a tool blocks and is deaf to it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from threading import Event
from time import perf_counter

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_events import AgentEnd
from mini_agent.agent_loop import run_agent_loop
from mini_agent.blocking import run_blocking
from mini_agent.execution import Toolset
from mini_agent.messages import AssistantMessage, Context, ToolCall, user_text
from mini_agent.stream import StreamDone, StreamEvent, StreamOptions, StreamStart

from lab.bench.measure import compare
from lab.bench.wake import wake_up

SINCE = 4
TARGET = "5 ms"
LIMIT = "setting an event that another task waits for"


async def model(
    context: Context, /, *, options: StreamOptions | None = None
) -> AsyncGenerator[StreamEvent, None]:
    """Ask for the deaf tool."""
    call = ToolCall(id="call-1", name="block")
    yield StreamStart()
    yield StreamDone(message=AssistantMessage(content=(call,), stop_reason="tool_use"))


async def abort_while_a_tool_blocks() -> float:
    """Abort while the tool blocks; return the seconds until `AgentEnd`."""
    signal, begun, over = AbortSignal(), Event(), Event()
    pressed = 0.0

    def block() -> str:
        begun.set()
        over.wait()
        return ""

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        return await run_blocking(block)

    async def press() -> None:
        nonlocal pressed
        await anyio.to_thread.run_sync(begun.wait)
        pressed = perf_counter()
        signal.abort()

    context = Context(messages=[user_text("等")])
    run = run_agent_loop(
        context, model=model, tools=Toolset(execute=execute), max_turns=1, signal=signal
    )
    async with anyio.create_task_group() as group, aclosing(run):
        group.start_soon(press)
        async for event in run:
            if isinstance(event, AgentEnd):
                over.set()
                return perf_counter() - pressed
    raise AssertionError("the run did not end")


if __name__ == "__main__":
    compare(lambda: anyio.run(wake_up), lambda: anyio.run(abort_while_a_tool_blocks), rounds=21)

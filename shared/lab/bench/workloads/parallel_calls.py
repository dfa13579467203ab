"""50 calls of 50 ms in one message, beside the 50 ms that one of them takes."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import Toolset
from mini_agent.messages import AssistantMessage, Context, ToolCall, user_text
from mini_agent.stream import StreamDone, StreamEvent, StreamOptions, StreamStart

from lab.bench.measure import compare, timed

SINCE = 4
TARGET = "at most 1.1 times the limit"
LIMIT = "one wait of 50 ms, with the start of an event loop"

CALLS, SECONDS = 50, 0.05


async def limit() -> None:
    """Wait once."""
    await anyio.sleep(SECONDS)


async def model(
    context: Context, /, *, options: StreamOptions | None = None
) -> AsyncGenerator[StreamEvent, None]:
    """Ask for all calls at once."""
    calls = tuple(ToolCall(id=f"call-{n}", name="wait") for n in range(CALLS))
    yield StreamStart()
    yield StreamDone(message=AssistantMessage(content=calls, stop_reason="tool_use"))


async def execute(
    call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
) -> str:
    """Wait, and say so."""
    await anyio.sleep(SECONDS)
    return "好"


async def ours() -> None:
    """Run one turn."""
    context = Context(messages=[user_text("等")])
    run = run_agent_loop(context, model=model, tools=Toolset(execute=execute), max_turns=1)
    async with aclosing(run):
        async for _ in run:
            pass
    assert len(context.messages) == 2 + CALLS


if __name__ == "__main__":
    compare(timed(lambda: anyio.run(limit)), timed(lambda: anyio.run(ours)))

"""100,000 text deltas through the model and the loop, beside two bare generators."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

import anyio
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import NO_TOOLS
from mini_agent.messages import AssistantMessage, Context, TextContent, user_text
from mini_agent.stream import StreamDone, StreamEvent, StreamOptions, StreamStart, TextDelta

from lab.bench.measure import compare, timed

SINCE = 4
TARGET = "at most 1.43 times the limit"
LIMIT = "a slots dataclass per delta, through two generators"

COUNT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What the limit sends: the same as a delta, with nothing around it."""

    text: str


async def bare_source() -> AsyncGenerator[Piece, None]:
    """Yield the pieces."""
    for _ in range(COUNT):
        yield Piece(text="字")


async def bare_relay() -> AsyncGenerator[Piece, None]:
    """Pass them on, as a loop would."""
    async with aclosing(bare_source()) as source:
        async for piece in source:
            yield piece


async def limit() -> int:
    """Count what comes out of the two bare generators."""
    async with aclosing(bare_relay()) as relay:
        return sum([1 async for _ in relay])


async def model(
    context: Context, /, *, options: StreamOptions | None = None
) -> AsyncGenerator[StreamEvent, None]:
    """Answer with a great many deltas."""
    yield StreamStart()
    for _ in range(COUNT):
        yield TextDelta(text="字")
    yield StreamDone(message=AssistantMessage(content=(TextContent(text="字" * COUNT),)))


async def ours() -> int:
    """Count what comes out of the loop."""
    context = Context(messages=[user_text("说")])
    run = run_agent_loop(context, model=model, tools=NO_TOOLS, max_turns=1)
    async with aclosing(run):
        return sum([1 async for event in run if isinstance(event, TextDelta)])


if __name__ == "__main__":
    compare(timed(lambda: anyio.run(limit)), timed(lambda: anyio.run(ours)), units=COUNT)

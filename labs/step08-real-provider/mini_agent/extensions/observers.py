"""Those that watch: whatever happens to them, what they watch goes on undisturbed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import anyio

from ..abort import AbortSignal
from ..agent_events import AgentEvent
from .events import OBSERVED
from .handlers import HandlerFailed
from .registry import Extensions

ABORT_GRACE = 0.5
"""Seconds that one observer gets when the user has aborted the run."""


async def observed(
    run: AsyncGenerator[AgentEvent, None], extensions: Extensions, *, signal: AbortSignal
) -> AsyncGenerator[AgentEvent, None]:
    """Pass the events of `run` on, each after its observers have been told."""
    async with aclosing(run):
        async for event in run:
            if isinstance(event, OBSERVED):
                await tell(event, extensions, signal=signal)
            yield event


async def tell(event: object, extensions: Extensions, *, signal: AbortSignal) -> None:
    """Tell all observers of `event`."""
    for handler in extensions.in_turn(type(event)):
        scope = anyio.move_on_after(ABORT_GRACE) if signal.aborted else signal.scope()
        with scope, suppress(HandlerFailed):
            await extensions.ask(handler, event)

"""Those that watch: whatever happens to them, what they watch goes on undisturbed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import anyio

from .abort import AbortSignal
from .agent_events import AgentEvent
from .extension_events import OBSERVED
from .extension_handlers import HandlerFailed
from .extensions import Extensions

HASTE = 0.5
"""Seconds that one observer gets when the user has aborted the run."""

MOST_EMITTED = 100
"""How many events extensions may emit at one event of the harness. It ends every echo."""

ECHO = "（扩展之间的消息没完没了，其余的都丢弃了）"


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
    """Tell all observers of `event`, and after that what they have to tell each other."""
    await _tell_all(event, extensions, signal)
    await tell_emitted(extensions, signal=signal)


async def tell_emitted(extensions: Extensions, *, signal: AbortSignal) -> None:
    """Tell all observers what extensions have emitted since the last time."""
    emitted = extensions.host.emitted
    for _ in range(MOST_EMITTED):
        if not emitted:
            return
        await _tell_all(emitted.popleft(), extensions, signal)
    emitted.clear()
    extensions.host.notify(ECHO)


async def _tell_all(event: object, extensions: Extensions, signal: AbortSignal) -> None:
    for handler in extensions.handlers(type(event)):
        if handler in extensions.handlers(type(event)):  # one before it may have ended it
            scope = anyio.move_on_after(HASTE) if signal.aborted else signal.cut_short()
            with scope, suppress(HandlerFailed):
                await extensions.ask(handler, event)

"""Ctrl-C during a turn: it stops the answer, and not the program.

Not here: Ctrl-C at the prompt. That one belongs to `ask`.
"""

import signal as signals
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

import anyio

from .abort import AbortSignal


@asynccontextmanager
async def ctrl_c_aborts(*, grace: float = 0.2) -> AsyncIterator[AbortSignal]:
    """Yield a signal that is aborted when the user presses Ctrl-C while the body runs.

    After an abort the key stays caught for another `grace` seconds, so that an
    impatient second press does no harm. An error of the body leaves in an
    ExceptionGroup.

    Raises:
        SystemExit: the program was asked to end (SIGTERM). The body could come to its end first.
    """
    signal = AbortSignal()
    received: set[signals.Signals] = set()

    async def listen() -> None:
        async for number in presses:
            received.add(number)
            signal.abort()

    both = anyio.open_signal_receiver(signals.SIGINT, signals.SIGTERM)
    with both as presses, _noted_at_once(signal):
        # A yield inside a task group: allowed in a context manager, and nowhere else.
        async with anyio.create_task_group() as beside:
            beside.start_soon(listen)
            yield signal
            if signal.aborted:
                await anyio.sleep(grace)
            beside.cancel_scope.cancel()
    if signals.SIGTERM in received:
        sys.exit(128 + signals.SIGTERM)  # the shell's number for it


@contextmanager
def _noted_at_once(signal: AbortSignal) -> Iterator[None]:
    """Let `aborted` be true from the press on, even while something blocks the event loop."""
    receive = signals.getsignal(signals.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        signal.aborted = True  # no more than that: whatever was at work stands half-way
        if callable(receive):
            receive(number, frame)

    signals.signal(signals.SIGINT, note)
    try:
        yield
    finally:
        signals.signal(signals.SIGINT, receive)

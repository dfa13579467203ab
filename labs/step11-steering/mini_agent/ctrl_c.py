"""Ctrl-C during a turn: it stops the answer, and not the program.

Not here: Ctrl-C at the prompt. That one belongs to `ask`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from signal import SIGINT

import anyio

from .abort import AbortSignal


@asynccontextmanager
async def ctrl_c_aborts(*, grace: float = 0.2) -> AsyncIterator[AbortSignal]:
    """Yield a signal that is aborted when the user presses Ctrl-C while the body runs.

    After a press the key stays caught for another `grace` seconds, so that an
    impatient second press does no harm. An error of the body leaves in an
    ExceptionGroup.
    """
    signal = AbortSignal()
    pressed = anyio.Event()

    async def listen() -> None:
        async for _ in presses:
            signal.abort()
            pressed.set()

    with anyio.open_signal_receiver(SIGINT) as presses:
        # A yield inside a task group: allowed in a context manager, and nowhere else.
        async with anyio.create_task_group() as beside:
            beside.start_soon(listen)
            yield signal
            if pressed.is_set():
                await anyio.sleep(grace)
            beside.cancel_scope.cancel()

"""Listen to a program until it has ended, which is not when its output ends.

What it left in the background has its output, too, and may keep it open for ever.
"""

from collections.abc import Callable
from io import FileIO

import anyio
from anyio.abc import Process

DRAIN_TIMEOUT = 1.0
"""Seconds after the end of a program, until no more output is waited for."""

CHUNK = 64 * 1024
"""Bytes that are read at once: as many as a pipe holds."""


class Listener:
    """Hears what one program says."""

    def __init__(
        self,
        process: Process,
        reader: FileIO,
        *,
        say: Callable[[bytes], None],
        max_bytes: int,
        quiet_interval: float,
    ) -> None:
        """Listen to `process` at `reader`, which must not block; `say` gets what is heard.

        After `max_bytes` the program is killed. After its end, `quiet_interval` is for how many
        seconds nothing must come, until no more is expected.
        """
        self._process = process
        self._reader = reader
        self._say = say
        self._max_bytes = max_bytes
        self._quiet_interval = quiet_interval
        self._heard = 0
        self._all_heard = anyio.Event()

    @property
    def flooded(self) -> bool:
        """It has said too much, and was killed for it."""
        return self._heard > self._max_bytes

    async def listen(self) -> None:
        """Listen until the program has ended, and a little longer."""
        async with anyio.create_task_group() as beside:
            beside.start_soon(self._take_all)
            await self._process.wait()
            await self._last_words()
            beside.cancel_scope.cancel()

    def take(self) -> bool:
        """Pass on what there is to read at the moment; tell whether there was anything."""
        piece = self._reader.read(CHUNK)
        if piece:
            self._heard += len(piece)
            self._say(piece)
        return bool(piece)

    async def _take_all(self) -> None:
        more = True
        while more and not self.flooded:
            await anyio.wait_readable(self._reader)
            more = self.take()
        if self.flooded:
            self._process.kill()
        self._all_heard.set()

    async def _last_words(self) -> None:
        with anyio.move_on_after(DRAIN_TIMEOUT):
            before = -1
            while before < self._heard and not self._all_heard.is_set():
                before = self._heard
                with anyio.move_on_after(self._quiet_interval):
                    await self._all_heard.wait()

"""Listen to a program until it has ended, which is not when its output ends.

What it left in the background has its output, too, and may keep it open for ever.
"""

from collections.abc import Callable
from io import FileIO

import anyio
from anyio.abc import Process

LINGER = 1.0
"""Seconds after the end of a program, until no more output is waited for."""

PIECE = 64 * 1024
"""Bytes that are read at once: as many as a pipe holds."""


class Listener:
    """Hears what one program says."""

    def __init__(
        self,
        process: Process,
        reader: FileIO,
        *,
        say: Callable[[bytes], None],
        most: int,
        silence: float,
    ) -> None:
        """Listen to `process` at `reader`, which must not block; `say` gets what is heard.

        After `most` bytes the program is killed. After its end, `silence` is for how many
        seconds nothing must come, until no more is expected.
        """
        self._process = process
        self._reader = reader
        self._say = say
        self._most = most
        self._silence = silence
        self._heard = 0
        self._all_heard = anyio.Event()

    @property
    def flooded(self) -> bool:
        """It has said too much, and was killed for it."""
        return self._heard > self._most

    async def listen(self) -> None:
        """Listen until the program has ended, and a little longer."""
        async with anyio.create_task_group() as beside:
            beside.start_soon(self._take_all)
            await self._process.wait()
            await self._last_words()
            beside.cancel_scope.cancel()

    def take(self) -> bool:
        """Pass on what there is to read at the moment; tell whether there was anything."""
        piece = self._reader.read(PIECE)
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
        with anyio.move_on_after(LINGER):
            before = -1
            while before < self._heard and not self._all_heard.is_set():
                before = self._heard
                with anyio.move_on_after(self._silence):
                    await self._all_heard.wait()

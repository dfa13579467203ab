"""What a command prints: the tail of it in memory, the whole in a file."""

import os
import tempfile
import time
from codecs import getincrementaldecoder
from contextlib import suppress
from pathlib import Path

from .limits import LIMIT, Limit, keep_tail

TAIL_LIMIT = Limit(bytes=LIMIT.bytes - 1024)
"""With the notices after it, a result stays within `LIMIT`."""


PREFIX, SUFFIX = "mini-agent-", ".txt"
KEPT = 7 * 24 * 60 * 60.0
"""Seconds for which the file of a long output stays."""


class BashOutput:
    """Takes bytes as they come. The memory that it needs does not grow with them.

    End it with `finish` or `discard`, or its file stays open.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Make the file in `folder`; None means the system's folder for temporary files."""
        self.size = 0
        """How long it all is, in bytes of UTF-8: a byte that is none counts as U+FFFD."""

        remove_old_outputs(Path(folder or tempfile.gettempdir()))
        descriptor, name = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=folder)
        self.file: Path | None = Path(name)
        """Where all of it is, for the user's eyes only. None: the disk did not take it."""

        self._writer = open(descriptor, "wb")
        self._decoder = getincrementaldecoder("utf-8")("replace")  # pieces end within characters
        self._tail = bytearray()

    def add(self, piece: bytes) -> str:
        """Take the next bytes, and return the text that they complete."""
        if self.file:
            try:
                self._writer.write(piece)
            except OSError:
                self.discard()
        return self._add_text(self._decoder.decode(piece))

    def finish(self) -> bytes:
        """Return the tail, cut as results are. The file stays if there is more in it."""
        self._add_text(self._decoder.decode(b"", final=True))
        shown = keep_tail(bytes(self._tail), TAIL_LIMIT)
        try:
            self._writer.close()
        except OSError:
            self.discard()
        if len(shown) == self.size or not (self.file and self.file.exists()):
            self.discard()
        return shown

    def discard(self) -> None:
        """Remove the file."""
        with suppress(OSError):  # what closing writes may find the disk full, too
            self._writer.close()
        if self.file:
            self.file.unlink(missing_ok=True)
            self.file = None

    def _add_text(self, text: str) -> str:
        data = text.encode()
        self.size += len(data)
        self._tail += data
        if len(self._tail) > 4 * TAIL_LIMIT.bytes:  # not at every piece: it moves what is left
            del self._tail[: -2 * TAIL_LIMIT.bytes]
        return text


def remove_old_outputs(folder: Path) -> None:
    """Remove the files of this user that nobody will look at any more."""
    for path in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with suppress(OSError):  # somebody else may be doing the same
            status = path.lstat()
            if status.st_uid == os.geteuid() and time.time() - status.st_mtime > KEPT:
                path.unlink()

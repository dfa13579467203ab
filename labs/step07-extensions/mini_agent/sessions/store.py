"""Where the lines of a session are kept: the contract, and the store that needs no file.

Not here: what stands on a line (`entries.py`), and files (`file.py`).
"""

from collections.abc import Sequence
from io import BytesIO
from typing import Protocol

from pydantic_core import from_json


class SessionStore(Protocol):
    r"""Keeps the lines of one session, in order, without looking into them.

    A line is bytes up to and including its "\n". Only the last one that `read`
    returns may lack it: whoever wrote it died on the way.
    """

    def read(self) -> list[bytes]:
        """Return all lines. Empty: nothing was ever stored."""

    def append(self, lines: bytes) -> None:
        """Store one or more whole lines behind all others. They are safe when this returns.

        Raises:
            SessionError: they could not be stored; then none of them is.
        """

    def beside(self, session_id: str) -> "SessionStore":
        """Return an empty store of the same kind for another session."""

    def close(self) -> None:
        """Make room for another writer. The store is not used after that."""


class MemoryStore:
    """A store that is gone when its process is."""

    def __init__(self, lines: bytes = b"") -> None:
        self._lines = bytearray(lines)

    def read(self) -> list[bytes]:
        """Return all lines."""
        return BytesIO(self._lines).readlines()

    def append(self, lines: bytes) -> None:
        """Keep `lines`."""
        self._lines += lines

    def beside(self, session_id: str) -> "MemoryStore":
        """Return an empty store."""
        return MemoryStore()

    def close(self) -> None:
        """Do nothing: there can be no other writer."""


def is_torn(line: bytes) -> bool:
    """Tell whether `line` is the beginning of a write that never finished.

    A complete line that only lacks its line end is not: nothing of it is lost.
    """
    if line.endswith(b"\n"):
        return False
    try:
        from_json(line)
    except ValueError:
        return True
    return False


def whole_lines(lines: Sequence[bytes]) -> list[bytes]:
    """Return `lines`, each with its line end, and without a torn last one."""
    return [line.rstrip(b"\n") + b"\n" for line in lines if not is_torn(line)]

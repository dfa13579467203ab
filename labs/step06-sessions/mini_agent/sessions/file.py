"""A store of lines in a file: one writer, and every line on the disk before the next thing happens.

Not here: what the lines mean. So nothing is written, not even mended, before the first
`append`: by then the reader of the lines has refused a file that is no session.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from .disk import append_safely, create_safely, cut_off, make_folder
from .entries import SessionError
from .store import is_torn


class SessionBusy(SessionError):
    """Raised when another process has the session open."""


class FileStore:
    """Keeps the lines of one session in a file that only grows.

    The lock is a file beside it. The system lets go of it when the process ends, however
    it ends. A new file appears with its first lines in it, never empty.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open `path` if it exists. If it does not, `append` will make it, and its folder.

        Args:
            path: The file. Files beside it, with other endings, belong to it.
            read_only: Take no lock and write nothing. If a writer is at work, the last
                line may be half of what it is just adding.

        Raises:
            SessionBusy: another process has it open.
            SessionError: it cannot be written to.
        """
        self._path = path
        self._read_only = read_only
        self._lock = FileLock(path.with_suffix(".lock"))
        self._file: int | None = None
        self._ends_well = False
        """Known to end with a line end, so that the next line will stand alone."""

        if path.exists():
            if not read_only:
                self._take_lock()
            with self._errors():
                self._file = os.open(path, os.O_RDONLY if read_only else os.O_RDWR | os.O_APPEND)

    def read(self) -> list[bytes]:
        """Return all lines; see `SessionStore`."""
        if self._file is None:
            return []
        with self._errors():
            return read_lines(self._path)

    def append(self, lines: bytes) -> None:
        """Store `lines`; see `SessionStore`."""
        if self._read_only:
            raise SessionError(f"会话 {self._path.stem} 只是打开来读的")
        if self._file is None:
            self._file = self._create(lines)
            return
        if not self._ends_well:
            self._mend(self._file)
        self._ends_well = False
        try:
            append_safely(self._file, lines)
        except OSError as error:
            raise self._failed(error) from error
        self._ends_well = True

    def beside(self, session_id: str) -> "FileStore":
        """Return an empty store in the same folder; see `SessionStore`."""
        return FileStore(self._path.with_name(f"{session_id}.jsonl"))

    def close(self) -> None:
        """Let others write; see `SessionStore`."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._lock.release(force=True)

    def _create(self, lines: bytes) -> int:
        with self._errors():
            make_folder(self._path.parent)
            self._take_lock()
            if self._path.exists():
                raise SessionError(f"会话 {self._path.stem} 已经存在")
            return create_safely(self._path, lines)

    def _mend(self, file: int) -> None:
        """Let the next line begin on a line of its own, whatever the last one looks like."""
        with self._errors():
            lines = read_lines(self._path)
            if not lines or lines[-1].endswith(b"\n"):
                return
            if is_torn(lines[-1]):
                cut_off(self._path.with_suffix(".torn"), file, lines[-1])
            else:
                append_safely(file, b"\n")

    def _take_lock(self) -> None:
        with self._errors():
            try:
                self._lock.acquire(blocking=False)
            except Timeout as error:
                raise SessionBusy(f"会话 {self._path.stem} 正被另一个进程使用") from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> SessionError:
        return SessionError(f"会话 {self._path.stem} 读写失败：{error.strerror or error}")


def read_lines(path: Path) -> list[bytes]:
    r"""Return the lines of a file. Only "\n" ends one: text may hold U+2028 and its kind."""
    with path.open("rb") as file:
        return file.readlines()

"""The one folder that the file tools work in. A path is judged by where it really leads.

This keeps mistakes in, not attackers: it does not hold back a program that `bash` starts.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from ..abort import AbortSignal
from ..results import ToolError
from .limits import short

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""Do not follow a link that appeared just now, and do not wait for a writer at a pipe."""

LONGEST_PATH = 4096
"""Characters. The system takes no longer ones, and to follow a million of `..` takes long."""


class Workspace:
    """A folder, and the only way from a path that the model names to a file."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)
        """Free of links, so that paths can be compared part by part."""

        self._locks: dict[Path, Lock] = {}

    def locate(self, path: str) -> Path:
        """Return the real place of `path`, which need not exist; links and `..` are followed.

        Where nothing has exactly this name, one counts that differs only in its Unicode
        form (é as one code point or as two).

        Raises:
            ToolError: it is no path, or it leads out of the workspace.
        """
        if not path or "\0" in path or len(path) > LONGEST_PATH:
            raise ToolError(f"路径不能为空，不能超过 {LONGEST_PATH} 个字符，不能含有 NUL 字符。")
        real = self._inside(os.path.expanduser(path))
        return real if os.path.lexists(real) else self._inside(self._as_spelled_on_disk(real))

    def name(self, real: Path) -> str:
        """Return how to call a place inside: relative to the root, with slashes."""
        return real.relative_to(self.root).as_posix()

    def open(self, path: str) -> BinaryIO:
        """Open a regular file for reading. Nothing else is opened, not even for a moment.

        Raises:
            ToolError: see `locate`; or it is missing, a folder, a pipe, a device.
        """
        real = self.locate(path)
        file = open_file(real, path)
        try:
            self._inside(real)  # a folder on the way may have become a link in the meantime
        except ToolError:
            file.close()
            raise
        return file

    @contextmanager
    def changing(self, real: Path, signal: AbortSignal) -> Iterator[None]:
        """Hold the right to change one file. Blocks until others are done with it.

        Raises:
            ToolError: the user has aborted in the meantime; then nothing must change.
        """
        with self._locks.setdefault(real, Lock()):
            if signal.aborted:
                raise ToolError("已中止，没有改动任何文件。")
            yield

    def _inside(self, path: str | Path) -> Path:
        real = Path(os.path.realpath(self.root / path))
        if not real.is_relative_to(self.root):
            raise ToolError(f"路径在工作区之外：{short(path)}。只能使用工作区里的路径。")
        return real

    def _as_spelled_on_disk(self, real: Path) -> Path:
        found = self.root
        for name in real.relative_to(self.root).parts:
            found = found / _same_name(found, name)
        return found


def open_file(real: Path, path: str) -> BinaryIO:
    """Open what is at `real`, which the model called `path`; links are not followed.

    Raises:
        ToolError: it is missing, or no regular file.
    """
    require_file(status_of(real, path), path)
    file = open(os.open(real, FLAGS), "rb")
    try:
        require_file(os.fstat(file.fileno()), path)  # what was opened, whatever its name is now
    except ToolError:
        file.close()
        raise
    return file


def status_of(real: Path, path: str) -> os.stat_result:
    """Return what is at `real`, which the model called `path`.

    Raises:
        ToolError: there is nothing.
    """
    try:
        return real.lstat()
    except (FileNotFoundError, NotADirectoryError):
        raise ToolError(f"不存在：{short(path)}。用 ls 或 find 看看有什么。") from None


def require_file(status: os.stat_result, path: str) -> None:
    """Refuse everything but a regular file: opening a pipe or a device can wait for ever.

    Raises:
        ToolError: it is something else; the message says what.
    """
    if stat.S_ISDIR(status.st_mode):
        raise ToolError(f"这是文件夹，不是文件：{short(path)}。用 ls 查看它。")
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"这不是普通文件（是管道、设备或套接字）：{short(path)}。")


def _same_name(folder: Path, name: str) -> str:
    """Return the entry of `folder` that looks like `name`; `name` itself if there is none."""
    if name.isascii() or os.path.lexists(folder / name) or not folder.is_dir():
        return name
    wanted = unicodedata.normalize("NFC", name)
    alike = (e for e in sorted(os.listdir(folder)) if unicodedata.normalize("NFC", e) == wanted)
    return next(alike, name)

"""The one folder that the file tools work in. A path is judged by where it really leads.

This keeps mistakes in, not attackers: it does not hold back a program that `bash` starts.
"""

import fcntl
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from ..abort import AbortSignal
from ..results import ToolError
from .limits import short
from .replace_file import look, remove_drafts

FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""Do not follow a link that appeared just now, and do not wait for a writer at a pipe."""

FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY

OWN_FOLDER = Path(__file__).resolve().parents[2]
"""Where the program itself is. No file tool changes anything there, whatever the workspace is."""

MAX_PATH = 4096
"""Characters (PATH_MAX of Linux). To follow a million of `..` would take long."""


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
        if not path or "\0" in path or len(path) > MAX_PATH:
            raise ToolError(f"路径不能为空，不能超过 {MAX_PATH} 个字符，不能含有 NUL 字符。")
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
        try:
            with self.enter(real.parent) as folder:
                return open_file(folder, real.name, path)
        except (FileNotFoundError, NotADirectoryError):
            raise ToolError(missing(path)) from None

    @contextmanager
    def enter(self, folder: Path, *, create: bool = False) -> Iterator[int]:
        """Hold a folder open, and give its descriptor.

        It is entered name by name from the root, and no link is followed. So whatever
        becomes of its path after `locate`, what is done relative to the descriptor is
        done inside (openat(2) says why).

        Args:
            folder: A real path inside.
            create: Make the folders that are missing.

        Raises:
            ToolError: it holds the root, and so is outside.
            OSError: it is missing, or no folder, or has just become a link.
        """
        if not folder.is_relative_to(self.root):
            raise ToolError("这是文件夹，不是文件：工作区本身。用 ls 查看它。")
        descriptor = os.open(self.root, FOLDER)
        try:
            for name in folder.relative_to(self.root).parts:
                if create:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=descriptor)
                outer, descriptor = descriptor, os.open(name, FOLDER, dir_fd=descriptor)
                os.close(outer)
            yield descriptor
        finally:
            os.close(descriptor)

    @contextmanager
    def changing(self, real: Path, signal: AbortSignal, *, create: bool = False) -> Iterator[int]:
        """Hold the right to change one file, and give the descriptor of its folder.

        Blocks until others are done with it, in this process and in others.

        Raises:
            ToolError: it is the program's own, or the user has aborted in the meantime.
            OSError: see `enter`, which gets `create`.
        """
        if real.is_relative_to(OWN_FOLDER):
            raise ToolError(f"这是程序自己的文件，不能改：{self.name(real)}。")
        with self._locks.setdefault(real, Lock()):
            _go_on(signal)
            with self.enter(real.parent, create=create) as folder:
                with suppress(OSError):  # NFS locks no folders: there, only our threads queue up
                    fcntl.flock(folder, fcntl.LOCK_EX)  # until it is closed
                    remove_drafts(folder)
                _go_on(signal)
                yield folder

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


def open_file(folder: int, name: str, path: str) -> BinaryIO:
    """Open a file of an open folder, which the model called `path`; a link is not followed.

    Raises:
        ToolError: it is missing, or no regular file.
    """
    status = look(folder, name)
    if status is None:
        raise ToolError(missing(path))
    require_file(status, path)
    return open_listed_file(folder, name)


def open_listed_file(folder: int | None, name: str) -> BinaryIO:
    """Open what was a regular file when the folder was listed. None: `name` is a whole path.

    Raises:
        ToolError: it is none any more.
        OSError: it is gone, a link, or not to be read.
    """
    file = open(os.open(name, FILE, dir_fd=folder), "rb")
    try:
        require_file(os.fstat(file.fileno()), name)  # what was opened, whatever its name is now
    except ToolError:
        file.close()
        raise
    return file


def missing(path: str) -> str:
    """Return what to say when nothing has this path."""
    return f"不存在：{short(path)}。用 ls 或 find 看看有什么。"


def require_file(status: os.stat_result, path: str) -> None:
    """Refuse everything but a regular file: opening a pipe or a device can wait for ever.

    Raises:
        ToolError: it is something else; the message says what.
    """
    if stat.S_ISDIR(status.st_mode):
        raise ToolError(f"这是文件夹，不是文件：{short(path)}。用 ls 查看它。")
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"这不是普通文件（是管道、设备或套接字）：{short(path)}。")


def _go_on(signal: AbortSignal) -> None:
    if signal.aborted:
        raise ToolError("已中止，没有改动任何文件。")


def _same_name(folder: Path, name: str) -> str:
    """Return the entry of `folder` that looks like `name`; `name` itself if there is none."""
    if name.isascii() or os.path.lexists(folder / name) or not folder.is_dir():
        return name
    wanted = unicodedata.normalize("NFC", name)
    alike = (e for e in sorted(os.listdir(folder)) if unicodedata.normalize("NFC", e) == wanted)
    return next(alike, name)

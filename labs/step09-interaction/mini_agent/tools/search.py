"""The tools that look around: `ls`, `grep`, `find`. Pure Python: the same on every machine.

A regular expression with nested repetitions, like `(a+)+$`, may take for ever, and all of
the program waits: Python cannot interrupt it, not even from another thread.
"""

import os
import re
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pydantic import Field

from ..abort import AbortSignal
from ..results import ToolError, ToolOutput
from .globs import matches
from .limits import keep_head, line_count, short
from .tool import Arguments
from .walk import entries, walk
from .workspace import Workspace, open_file, status_of

WIDTH = 500
"""How many characters of a found line are shown."""

PIECE = 1024 * 1024
"""A longer line is searched in pieces of so many bytes."""


class LsArgs(Arguments):
    """The arguments of `ls`."""

    path: str = Field(default=".", description="要列出的文件夹，相对于工作区")
    limit: int = Field(default=500, ge=1, description="最多列出多少项")


class FindArgs(Arguments):
    """The arguments of `find`."""

    pattern: str = Field(description="通配符：`*.py` 只看文件名，`src/**/*.py` 看整个路径")
    path: str = Field(default=".", description="从哪个文件夹找起，相对于工作区")
    limit: int = Field(default=1000, ge=1, description="最多列出多少项")


class GrepArgs(Arguments):
    """The arguments of `grep`."""

    pattern: str = Field(description="Python 正则表达式，逐行匹配")
    path: str = Field(default=".", description="在哪个文件或文件夹里找，相对于工作区")
    glob: str = Field(default="*", description="只找符合这个通配符的文件，写法同 find")
    ignore_case: bool = Field(default=False, description="不分大小写")
    literal: bool = Field(default=False, description="把 pattern 当作普通文本")
    limit: int = Field(default=100, ge=1, description="最多列出多少行")


def ls(workspace: Workspace, args: LsArgs, signal: AbortSignal) -> ToolOutput:
    """List one folder, hidden entries included."""
    found = entries(_folder(workspace, args.path))
    return _listing((entry.name + _mark(entry) for entry in found), most=args.limit)


def find(workspace: Workspace, args: FindArgs, signal: AbortSignal) -> ToolOutput:
    """List the paths below a folder that match a glob."""
    folder = _folder(workspace, args.path)
    found = (
        workspace.name(Path(entry.path)) + _mark(entry)
        for entry in walk(folder, root=workspace.root, signal=signal)
        if matches(os.path.relpath(entry.path, folder), args.pattern)
    )
    return _listing(found, most=args.limit)


def grep(workspace: Workspace, args: GrepArgs, signal: AbortSignal) -> ToolOutput:
    """List the lines that match a regular expression."""
    pattern = _compile(args)
    found = (
        f"{workspace.name(file)}:{number}: {line[:WIDTH]}{'…' if len(line) > WIDTH else ''}"
        for file in _files(workspace, args, signal)
        for number, line in _lines(file, signal)
        if pattern.search(line)
    )
    return _listing(found, most=args.limit)


def _files(workspace: Workspace, args: GrepArgs, signal: AbortSignal) -> Iterator[Path]:
    """Return the regular files that `grep` is to look into, and may."""
    start = workspace.locate(args.path)
    if not stat.S_ISDIR(status_of(start, args.path).st_mode):
        yield start
        return
    for entry in walk(start, root=workspace.root, signal=signal):
        wanted = matches(os.path.relpath(entry.path, start), args.glob)
        if wanted and entry.is_file(follow_symlinks=False) and os.access(entry.path, os.R_OK):
            yield Path(entry.path)


def _lines(path: Path, signal: AbortSignal) -> Iterator[tuple[int, str]]:
    """Return the lines of a text file with their numbers; nothing if it is binary."""
    with open_file(path, path.name) as file:
        if b"\0" in file.read(8192):
            return
        file.seek(0)
        number = 1
        while not signal.aborted and (piece := file.readline(PIECE)):
            yield number, piece.decode("utf-8", errors="replace").rstrip("\r\n")
            number += piece.endswith(b"\n")


def _compile(args: GrepArgs) -> re.Pattern[str]:
    source = re.escape(args.pattern) if args.literal else args.pattern
    try:
        return re.compile(source, re.IGNORECASE if args.ignore_case else 0)
    except re.error as error:
        raise ToolError(
            f"正则表达式不对：{short(error)}。要找普通的文本，用 literal=true。"
        ) from None


def _folder(workspace: Workspace, path: str) -> Path:
    real = workspace.locate(path)
    if not stat.S_ISDIR(status_of(real, path).st_mode):
        raise ToolError(f"这不是文件夹：{short(path)}。")
    return real


def _mark(entry: os.DirEntry[str]) -> str:
    """Return what stands behind a name: `/` a folder, `@` a link."""
    if entry.is_symlink():
        return "@"
    return "/" if entry.is_dir() else ""


def _listing(found: Iterator[str], *, most: int) -> ToolOutput:
    """Return the first `most` lines, as far as they fit, and say so if there are more."""
    lines = list(islice(found, most + 1))
    text = "".join(f"{line}\n" for line in lines[:most]) or "[什么也没有]"
    shown = keep_head(text.encode("utf-8", errors="replace"))
    count = line_count(shown)
    if len(lines) <= count:
        return ToolOutput(text=shown.decode())
    notice = f"[只列出了前 {count} 项，后面还有。缩小范围，或加大 limit（现在是 {most}）]"
    return ToolOutput(text=shown.decode() + notice)

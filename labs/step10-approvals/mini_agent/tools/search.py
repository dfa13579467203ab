"""The tools that look around: `ls`, `grep`, `find`. The same on every machine.

That is why `rg` is not called where it happens to be installed: it has rules of its own for
patterns, binary files, long lines and the order of what it finds.
"""

import os
import re
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from pydantic import Field

from ..abort import AbortSignal
from ..results import ToolError, ToolOutput
from .limits import LIMIT, keep_head, line_count, short
from .patterns import Regex, compile_glob, compile_regex
from .tool import Arguments
from .walk import entries, walk
from .workspace import Workspace, missing, open_listed_file

MAX_WIDTH = 500
"""Characters of a found line that are shown."""

CHUNK = 64 * 1024
"""Bytes that are read and searched at once."""

MAX_LINE = 1024 * 1024
"""Bytes of a line. A longer one is searched in pieces."""

BINARY_PROBE = 8000
"""Bytes at the start of a file: with a NUL in them it is binary, as for git (xdiff-interface.c)."""

KEEPS_KEYS = re.compile(r"(?i).*\.env(\..*)?")
"""Names of files that `grep` passes over unless it is told the very file: keys stand there."""


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

    pattern: str = Field(
        description="RE2 正则表达式，逐行匹配；不支持环视和反向引用；"
        "\\w、\\d、\\b 只认 ASCII，汉字写作 \\p{Han}"
    )
    path: str = Field(default=".", description="在哪个文件或文件夹里找，相对于工作区")
    glob: str = Field(default="*", description="只找符合这个通配符的文件，写法同 find")
    ignore_case: bool = Field(default=False, description="不分大小写")
    literal: bool = Field(default=False, description="把 pattern 当作普通文本")
    limit: int = Field(default=100, ge=1, description="最多列出多少行")


def ls(workspace: Workspace, args: LsArgs, signal: AbortSignal) -> ToolOutput:
    """List one folder, hidden entries included."""
    with workspace.enter(_folder(workspace, args.path)) as folder:
        names = [entry.name + _mark(entry) for entry in entries(folder)]
    return _listing(iter(names), limit=args.limit)


def find(workspace: Workspace, args: FindArgs, signal: AbortSignal) -> ToolOutput:
    """List the paths below a folder that match a glob."""
    folder = _folder(workspace, args.path)
    is_wanted = compile_glob(args.pattern)
    found = (
        _below(workspace.root, it.path) + _mark(it.entry)
        for it in walk(workspace, folder, signal)
        if is_wanted(_below(folder, it.path))
    )
    return _listing(found, limit=args.limit)


def grep(workspace: Workspace, args: GrepArgs, signal: AbortSignal) -> ToolOutput:
    """List the lines that match a regular expression."""
    pattern = compile_regex(args.pattern, ignore_case=args.ignore_case, literal=args.literal)
    found = (
        f"{name}:{number}: {line[:MAX_WIDTH]}{'…' if len(line) > MAX_WIDTH else ''}"
        for name, file in _files(workspace, args, signal)
        for number, line in _matching_lines(file, pattern, signal)
    )
    return _listing(found, limit=args.limit)


def _files(
    workspace: Workspace, args: GrepArgs, signal: AbortSignal
) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the regular files that `grep` is to look into, and may; each is closed again."""
    start = workspace.locate(args.path)
    if not _is_folder(start, args.path):
        with workspace.open(args.path) as file:
            yield workspace.name(start), file
        return
    is_wanted = compile_glob(args.glob)
    for found in walk(workspace, start, signal):
        if KEEPS_KEYS.fullmatch(found.entry.name):
            continue
        if found.entry.is_file(follow_symlinks=False) and is_wanted(_below(start, found.path)):
            try:
                file = open_listed_file(found.folder, found.entry.name)
            except (OSError, ToolError):  # not for us to read, or it has just become another thing
                continue
            with file:
                yield _below(workspace.root, found.path), file


def _matching_lines(
    file: BinaryIO, pattern: Regex, signal: AbortSignal
) -> Iterator[tuple[int, str]]:
    """Yield the lines in which `pattern` is, with their numbers; none if the file is binary."""
    number = 1
    for block in _blocks(file):
        if signal.aborted:
            return
        for before, line in _search(block.replace(b"\r\n", b"\n").removesuffix(b"\n"), pattern):
            yield number + before, line.decode(errors="replace")
        number += block.count(b"\n")


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the file in blocks of whole lines, as far as lines have a sensible length."""
    rest = b""
    while chunk := file.read(CHUNK):
        if not rest and b"\0" in chunk[:BINARY_PROBE]:
            return
        block = rest + chunk
        end = block.rfind(b"\n") + 1 or len(block) * (len(block) > MAX_LINE)
        if end:
            yield block[:end]
        rest = block[end:]
    if rest:
        yield rest


def _search(block: bytes, pattern: Regex) -> Iterator[tuple[int, bytes]]:
    """Yield each line in which `pattern` is, and how many stand before it."""
    before = place = 0
    while place <= len(block) and (match := pattern.search(block, place)):
        start = block.rfind(b"\n", 0, match.start()) + 1
        end = block.find(b"\n", match.end())
        end = end if end >= 0 else len(block)
        before += block.count(b"\n", place, start)
        yield before, block[start:end]
        before, place = before + 1, end + 1


def _is_folder(real: Path, path: str) -> bool:
    try:
        return stat.S_ISDIR(real.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        raise ToolError(missing(path)) from None


def _folder(workspace: Workspace, path: str) -> Path:
    real = workspace.locate(path)
    if not _is_folder(real, path):
        raise ToolError(f"这不是文件夹：{short(path)}。")
    return real


def _below(folder: Path, path: str) -> str:
    """Return the rest of a path below `folder`."""
    return path[len(str(folder)) :].lstrip("/")


def _mark(entry: os.DirEntry[str]) -> str:
    """Return what stands after a name: `/` a folder, `@` a link."""
    if entry.is_symlink():
        return "@"
    return "/" if entry.is_dir() else ""


def _listing(found: Iterator[str], *, limit: int) -> ToolOutput:
    """Return the first `limit` lines, as far as they fit, and say so if there are more."""
    limit = min(limit, LIMIT.lines)
    lines = list(islice(found, limit + 1))
    text = "".join(f"{line}\n" for line in lines[:limit]) or "[什么也没有]"
    shown = keep_head(text.encode("utf-8", errors="replace"))
    count = line_count(shown)
    if len(lines) <= count:
        return ToolOutput(text=shown.decode())
    more = f"，或加大 limit（现在是 {limit}）" if count == limit < LIMIT.lines else ""
    return ToolOutput(text=f"{shown.decode()}[只列出了前 {count} 项，后面还有。缩小范围{more}]")

"""The tool `read`: some lines of a text file, and how to get the next ones."""

from dataclasses import dataclass, field
from shlex import quote
from typing import BinaryIO

from pydantic import Field

from ..abort import AbortSignal
from ..results import ToolError, ToolOutput
from .limits import LIMIT, Limit, keep_head, line_count
from .text_file import decode
from .tool import Arguments
from .workspace import Workspace

CHUNK = 64 * 1024
"""How many bytes of a line are read at once: a file may be one line of 50 MB."""


class ReadArgs(Arguments):
    """The arguments of `read`."""

    path: str = Field(description="要读的文件，相对于工作区")
    offset: int = Field(default=1, ge=1, description="从第几行开始，第一行是 1")
    limit: int = Field(default=LIMIT.lines, ge=1, description="最多读几行")


@dataclass(slots=True, kw_only=True)
class Passage:
    """Lines of a file, and what was seen on the way to its end."""

    data: bytearray = field(default_factory=bytearray)
    """The lines. More than a result may hold, and then it ends somewhere in a line."""

    lines: int = 0
    """How many the whole file has."""

    size: int = 0
    """How many bytes the whole file has."""


def read(workspace: Workspace, args: ReadArgs, signal: AbortSignal) -> ToolOutput:
    """Return the lines that `args` asks for, as far as they fit, and how to go on."""
    limit = Limit(lines=min(args.limit, LIMIT.lines))
    with workspace.open(args.path) as file:
        passage = collect(file, first=args.offset, limit=limit, signal=signal)
    if args.offset > max(passage.lines, 1):
        raise ToolError(f"offset={args.offset} 超出了末尾：文件只有 {passage.lines} 行。")
    shown = keep_head(bytes(passage.data), limit)
    text = decode(shown, args.path, size=passage.size).removeprefix("\ufeff")
    return ToolOutput(text=(text or "[空文件]") + how_to_go_on(args, passage, shown))


def collect(file: BinaryIO, *, first: int, limit: Limit, signal: AbortSignal) -> Passage:
    """Read to the end, and keep the lines from `first` on: a little more than `limit` allows.

    Only LF ends a line. The memory that it takes does not grow with the file.
    """
    passage = Passage()
    line = 1
    while piece := file.readline(CHUNK):
        if signal.aborted:
            raise ToolError("已中止。")
        if first <= line < first + limit.lines and len(passage.data) <= limit.bytes:
            passage.data += piece
        passage.lines = line
        passage.size += len(piece)
        line += piece.endswith(b"\n")
    return passage


def how_to_go_on(args: ReadArgs, passage: Passage, shown: bytes) -> str:
    """Return a notice if there is more after what is shown, else nothing."""
    last = args.offset + line_count(shown) - 1
    if len(shown) < len(passage.data) and not shown.endswith(b"\n"):
        rest = f"sed -n {last}p {quote(args.path)} | tail -c +{len(shown) + 1} | head -c 50000"
        return f"\n[第 {last} 行太长，只显示了前 {len(shown)} 字节。其余部分用 bash 看：{rest}]"
    if last < passage.lines:
        return f"[第 {args.offset}–{last} 行，共 {passage.lines} 行。继续读：offset={last + 1}]"
    return ""

"""The tool `edit`: replace pieces of a text file, all of them or none."""

import os

from pydantic import Field

from ..abort import AbortSignal
from ..results import ToolError, ToolOutput
from .lf_view import LfView
from .limits import short
from .replace_file import replace_file
from .replacement import apply_changes, find_changes
from .text_file import decode
from .tool import Arguments
from .unified_diff import unified_diff
from .workspace import Workspace, open_file

MAX_BYTES = 100 * 1024 * 1024
"""A larger file is not taken into memory."""


class Replacement(Arguments):
    """One piece of text, and what comes in its place."""

    old_text: str = Field(description="要替换的原文，照抄；在文件里必须只出现一次")
    new_text: str = Field(description="换成什么")


class EditArgs(Arguments):
    """The arguments of `edit`."""

    path: str = Field(description="要改的文件，相对于工作区")
    edits: tuple[Replacement, ...] = Field(
        min_length=1, description="若干处替换，都对照改动前的文件，互不重叠"
    )


def edit(workspace: Workspace, args: EditArgs, signal: AbortSignal) -> ToolOutput:
    """Make all replacements in what the file holds now, or change nothing."""
    real = workspace.locate(args.path)
    name = workspace.name(real)
    with workspace.changing(real, signal) as folder:
        original, before = _load(folder, real.name, args.path)
        view = LfView(original)
        changes = find_changes(view, [(e.old_text, e.new_text) for e in args.edits])
        replace_file(folder, real.name, apply_changes(original, changes), before=before)
    lines = "、".join(dict.fromkeys(str(view.line(change.start)) for change in changes))
    return ToolOutput(
        text=f"已修改 {name}：{len(args.edits)} 处（原文第 {lines} 行）。",
        details=unified_diff(name, view, changes),
    )


def _load(folder: int, name: str, path: str) -> tuple[bytes, os.stat_result]:
    with open_file(folder, name, path) as file:
        before = os.fstat(file.fileno())
        if before.st_size > MAX_BYTES:
            raise ToolError(f"{short(path)} 太大（{before.st_size} 字节）。用 bash 改，例如 sed。")
        original = file.read()
    decode(original, path, size=len(original))  # an edit of what is not text would spoil it
    return original, before

"""From lines to entries: what a session holds, what of it is damaged, and what must be refused.

Not here: mending anything. Reading changes no byte.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from pydantic import ValidationError
from pydantic_core import from_json

from .entries import (
    VERSION,
    Entry,
    SessionError,
    SessionHeader,
    UnknownEntry,
    decode,
)
from .store import is_torn

SHOWN = 60
"""Characters of a torn line that the user gets to see."""

MAX_LINE_NUMBERS = 5
"""Line numbers that one message names."""


@dataclass(slots=True, kw_only=True)
class Loaded:
    """All that could be read."""

    header: SessionHeader

    entries: dict[str, Entry] = field(default_factory=dict)
    """By id, in the order of the lines: a parent always stands before its children."""

    damaged: list[int] = field(default_factory=list)
    """Numbers of the lines that cannot be read; the header is line 1. They stay where they are."""

    detached: list[int] = field(default_factory=list)
    """Lines whose parent must have stood on a damaged line. Each begins a branch of its own."""

    torn: bytes = b""
    """What stands behind the last line end and is no entry: a write that never finished."""

    @property
    def last_id(self) -> str | None:
        """The entry that was added last, those of an unknown kind aside. None: there is none."""
        backwards = reversed(self.entries.items())
        return next((key for key, entry in backwards if not isinstance(entry, UnknownEntry)), None)


def load(lines: Sequence[bytes]) -> Loaded:
    """Read the lines of a session, header first.

    Raises:
        SessionError: this is no session, or not of our version, or its entries do not
            form a tree. The message names both versions, or the line.
    """
    loaded = Loaded(header=read_header(lines[0] if lines else b""))
    with _collector_off():
        _read_entries(lines, loaded)
    return loaded


def read_header(line: bytes) -> SessionHeader:
    """Return the header that stands on the first line; see `load`."""
    try:
        value = from_json(line)
    except ValueError:
        value = None
    if not isinstance(value, dict) or value.get("type") != "session":
        raise SessionError("这不是会话文件：" + ("第一行不是会话头" if line else "它是空的"))
    if (version := value.get("version")) != VERSION:
        raise SessionError(f"它的格式版本是 {version}，这个程序只认识版本 {VERSION}")
    try:
        header = decode(line)
    except ValidationError as error:
        fields = "、".join(str(detail["loc"][-1]) for detail in error.errors())
        raise SessionError(f"会话头无效：{fields}") from error
    assert isinstance(header, SessionHeader)  # its type has just been looked at
    return header


def describe_damage(loaded: Loaded) -> list[str]:
    """Return what the user has to be told. Nothing, if all is sound."""
    texts = []
    if loaded.damaged:
        texts.append(
            f"第 {_numbers(loaded.damaged)} 行（共 {len(loaded.damaged)} 行）读不出来，"
            "已原样留在文件里；其余的都读到了。"
        )
    if loaded.detached:
        texts.append(
            f"第 {_numbers(loaded.detached)} 行的上一条在读不出来的行里："
            "从那里起自成一支，接不上更早的内容。"
        )
    if loaded.torn:
        shown = loaded.torn.decode(errors="replace")[:SHOWN]
        texts.append(
            f"最后一行只写了一半（{len(loaded.torn)} 字节），没有读入；"
            f"写入下一条时，它会原样移到同名的 .torn 文件：{shown}…"
        )
    return texts


def _read_entries(lines: Sequence[bytes], loaded: Loaded) -> None:
    entries, orphans = loaded.entries, []
    for number, line in enumerate(lines[1:], start=2):
        try:
            entry = decode(line)
        except ValueError:
            entry = None
        if entry is None or isinstance(entry, SessionHeader):  # a second header is damage, too
            _note_damage(number, line, loaded)
            continue
        if entry.id is None:
            continue  # of an unknown kind, and no part of the tree
        if entry.id in entries:
            raise SessionError(f"第 {number} 行的编号 {entry.id!r} 前面已经用过")
        if entry.parent_id is not None and entry.parent_id not in entries:
            orphans.append((number, entry.parent_id, bool(loaded.damaged)))
        entries[entry.id] = entry
    for number, parent_id, excused in orphans:  # a cycle would hang every walk through the tree
        if parent_id in entries:
            raise SessionError(f"第 {number} 行的上一条 {parent_id!r} 排在它自己后面")
        if not excused:
            raise SessionError(f"第 {number} 行的上一条 {parent_id!r} 不存在")
        loaded.detached.append(number)


def _note_damage(number: int, line: bytes, loaded: Loaded) -> None:
    if is_torn(line):
        loaded.torn = line
    elif line.strip():
        loaded.damaged.append(number)


def _numbers(numbers: Sequence[int]) -> str:
    shown = "、".join(str(number) for number in numbers[:MAX_LINE_NUMBERS])
    return shown if len(numbers) <= MAX_LINE_NUMBERS else shown + " …"


@contextmanager
def _collector_off() -> Iterator[None]:
    """Spare a long load the collector, which would look at every entry again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # else its first pass looks at all of them, and that takes as long as the load
        if was_on:
            gc.enable()

"""What changes do to a file, as a unified diff: for a user to see, or for `patch`.

The format is that of POSIX, `diff -u`. It is made from the changes, which are known:
to compare two files of 10 MB line by line would take seconds.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from .lf_view import LfView
from .replacement import Change, apply_changes

CONTEXT = 3
"""Unchanged lines around a change, as `diff -u` and git show them."""

NO_LINE_END = "\\ 文件末尾没有换行符"
"""Follows a line that does not end. Programs know it by the backslash."""


def unified_diff(name: str, view: LfView, changes: Sequence[Change]) -> str:
    """Return what `changes` do to the file `name`, with its path as git writes it."""
    lines = [f"--- a/{name}", f"+++ b/{name}"]
    shift = 0
    for group in _neighbours(view, changes):
        old, new, first = _stretch(view, group)
        for hunk in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
            lines += _hunk(old, new, hunk, first=first, shift=shift)
        shift += len(new) - len(old)
    return "\n".join(lines)


def _neighbours(view: LfView, changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield the changes in groups: those that share lines of context belong together."""
    group = [changes[0]]
    for last, change in pairwise(changes):
        if view.original.count(b"\n", last.end, change.start) > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    yield group


def _stretch(view: LfView, group: Sequence[Change]) -> tuple[list[str], list[str], int]:
    """Return the lines around a group before and after, and the number of the first one."""
    original, start, end = view.original, group[0].start, group[-1].end
    for _ in range(CONTEXT + 1):
        start = original.rfind(b"\n", 0, max(start - 1, 0)) + 1 if start else 0
    for _ in range(CONTEXT + 1):
        end = original.find(b"\n", end) + 1 or len(original)
    moved = [Change(start=c.start - start, end=c.end - start, new=c.new) for c in group]
    before = original[start:end]
    return _lines(before), _lines(b"".join(apply_changes(before, moved))), view.line(start)


def _hunk(
    old: Sequence[str],
    new: Sequence[str],
    hunk: Sequence[tuple[str, int, int, int, int]],
    *,
    first: int,
    shift: int,
) -> Iterator[str]:
    (_, a, _, c, _), (_, _, b, _, d) = hunk[0], hunk[-1]
    yield f"@@ -{_range(first + a, b - a)} +{_range(first + shift + c, d - c)} @@"
    for kind, a, b, c, d in hunk:
        if kind == "equal":
            yield from _marked(" ", old[a:b])
        else:
            yield from _marked("-", old[a:b])
            yield from _marked("+", new[c:d])


def _range(first: int, count: int) -> str:
    return f"{first if count else first - 1},{count}"  # of no lines, it is where they would be


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line.removesuffix("\n")
        if not line.endswith("\n"):
            yield NO_LINE_END


def _lines(data: bytes) -> list[str]:
    """Return the lines of UTF-8 text with their ends; only LF ends a line."""
    *whole, rest = data.decode().split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])

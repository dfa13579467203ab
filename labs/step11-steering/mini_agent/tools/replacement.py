"""Replace pieces of a file and leave every other byte alone. Pure: bytes in, bytes out.

A model does not see which line ends a file has. So its texts are looked for as if
every line ended with LF, and what it adds ends its lines the way the file does there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, pairwise

from ..results import ToolError
from .lf_view import LfView
from .near_match import near_match

MAX_PLACES = 100
"""Where a text is in more places than this, nobody needs the exact number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One stretch of the original that really differs, and what comes in its place."""

    start: int
    end: int

    new: bytes
    """With the line ends of its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One replacement that has found its place in the original."""

    start: int
    end: int
    old: str
    new: str


def find_changes(view: LfView, replacements: Sequence[tuple[str, str]]) -> list[Change]:
    """Find the place of each replacement (old, new); return what differs, from the top down.

    Raises:
        ToolError: an old text is empty, missing, in several places, equal to its new
            text, or overlaps another one. The message says which, and what to do.
    """
    matches = [
        _find(view, _to_lf(old), _to_lf(new), which=f"第 {number} 处替换")
        for number, (old, new) in enumerate(replacements, start=1)
    ]
    matches.sort(key=lambda match: match.start)
    for first, second in pairwise(matches):
        if second.start < first.end:
            line = view.line(second.start)
            raise ToolError(f"两处替换在第 {line} 行附近重叠。把它们合并成一处。")
    return [change for match in matches for change in _differences(view, match)]


def apply_changes(original: bytes, changes: Sequence[Change]) -> Iterator[bytes | memoryview]:
    """Yield the original with all `changes` made, in pieces: it may be long, and is not copied."""
    whole, done = memoryview(original), 0
    for change in changes:
        yield whole[done : change.start]
        yield change.new
        done = change.end
    yield whole[done:]


def _find(view: LfView, old: str, new: str, *, which: str) -> Match:
    if not old:
        raise ToolError(f"{which}：old_text 是空的。写出要替换的原文。")
    if old == new:
        raise ToolError(f"{which}：old_text 与 new_text 相同，什么都不会改变。")
    places = list(islice(view.find_all(old.encode()), MAX_PLACES + 1))
    if not places:
        hint = near_match(_to_lf(view.original.decode()), old)
        raise ToolError(f"{which}：文件里没有这段 old_text。{hint}")
    if len(places) > 1:
        raise ToolError(f"{which}：{_ambiguous(view, places)}")
    end = view.advance(places[0], len(old.encode()))
    return Match(start=places[0], end=end, old=old, new=new)


def _ambiguous(view: LfView, places: Sequence[int]) -> str:
    count = str(len(places)) if len(places) <= MAX_PLACES else f"超过 {MAX_PLACES}"
    lines = "、".join(dict.fromkeys(str(view.line(place)) for place in places[:5]))
    more = "等" if len(places) > 5 else ""
    return f"old_text 出现了 {count} 次（第 {lines} 行{more}）。多带几行上下文，让它只出现一次。"


def _differences(view: LfView, match: Match) -> Iterator[Change]:
    """Yield the stretches in which the two texts differ: what they share keeps its bytes."""
    old, new = match.old.splitlines(keepends=True), match.new.splitlines(keepends=True)
    # Its `autojunk` stays on: in long texts it looks past what is everywhere, and ends soon.
    place = match.start
    for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        before, after = "".join(old[a:b]), "".join(new[c:d])
        if kind != "equal":
            yield _change(view, place, before, after)
        place = view.advance(place, len(before.encode()))


def _change(view: LfView, place: int, old: str, new: str) -> Change:
    """Leave out what both texts begin and end with."""
    head = _common_start(old, new)
    old, new = old[len(head) :], new[len(head) :]
    tail = _common_start(old[::-1], new[::-1])[::-1]
    start = view.advance(place, len(head.encode()))
    end = view.advance(start, len(old.removesuffix(tail).encode()))
    added = new.removesuffix(tail).encode()
    return Change(start=start, end=end, new=added.replace(b"\n", view.line_end(start)))


def _to_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _common_start(one: str, other: str) -> str:
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return one[:same]

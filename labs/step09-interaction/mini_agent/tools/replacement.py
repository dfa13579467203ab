"""Replace pieces of a file and leave every other byte alone. Pure: bytes in, bytes out.

A model does not see which line ends a file has. So its texts are looked for as if
every line ended with LF, and what it adds ends its lines the way the file does there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from ..results import ToolError
from .lf_view import LfView
from .near_match import near_match

MOST_PLACES = 100
"""Where a text is in more places than this, nobody needs the exact number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One replacement that has found its place in an `LfView`."""

    whole: tuple[int, int]
    """Start and end of the text that was looked for."""

    edited: tuple[int, int]
    """Start and end of what really differs."""

    new: bytes
    """What comes to stand there, with LF."""


def find_changes(view: LfView, replacements: Sequence[tuple[str, str]]) -> list[Change]:
    """Find the place of each replacement (old, new) in the original; return them in its order.

    Raises:
        ToolError: an old text is empty, missing, in several places, equal to its new
            text, or overlaps another one. The message says which, and what to do.
    """
    changes = [
        _find(view, _to_lf(old), _to_lf(new), which=f"第 {number} 处替换")
        for number, (old, new) in enumerate(replacements, start=1)
    ]
    changes.sort(key=lambda change: change.whole)
    for first, second in pairwise(changes):
        if second.whole[0] < first.whole[1]:
            line = view.line(second.whole[0])
            raise ToolError(f"两处替换在第 {line} 行附近重叠。把它们合并成一处。")
    return changes


def apply_changes(view: LfView, changes: Sequence[Change]) -> bytes:
    """Return the original with all `changes` made, each with the line ends of its place."""
    pieces, done = [], 0
    for change in changes:
        start, end = (view.offset(place) for place in change.edited)
        line_end = view.line_end(change.edited[0])
        pieces += [view.original[done:start], change.new.replace(b"\n", line_end)]
        done = end
    return b"".join([*pieces, view.original[done:]])


def diff(view: LfView, changes: Sequence[Change]) -> Iterator[str]:
    """Return the lines that `changes` touch, before (-) and after (+), for a user to see."""
    for change in changes:
        start, end = change.edited
        first, last = view.whole_lines(start, end)
        before = view.text[first:last]
        after = view.text[first:start] + change.new + view.text[end:last]
        yield f"@@ {view.line(start)} @@"
        yield from (f"-{line}" for line in before.decode().split("\n"))
        yield from (f"+{line}" for line in after.decode().split("\n"))


def _find(view: LfView, old: str, new: str, *, which: str) -> Change:
    if not old:
        raise ToolError(f"{which}：old_text 是空的。写出要替换的原文。")
    if old == new:
        raise ToolError(f"{which}：old_text 与 new_text 相同，什么都不会改变。")
    places = list(islice(_places(view.text, old.encode()), MOST_PLACES + 1))
    if not places:
        hint = near_match(view.text.decode(), old)
        raise ToolError(f"{which}：文件里没有这段 old_text。{hint}")
    if len(places) > 1:
        raise ToolError(f"{which}：{_ambiguous(view, places)}")
    return _change(places[0], old, new)


def _places(text: bytes, wanted: bytes) -> Iterator[int]:
    """Return every place of `wanted`; "aa" is in "aaa" twice, because either could be meant."""
    place = text.find(wanted)
    while place >= 0:
        yield place
        place = text.find(wanted, place + 1)


def _ambiguous(view: LfView, places: Sequence[int]) -> str:
    count = str(len(places)) if len(places) <= MOST_PLACES else f"超过 {MOST_PLACES}"
    lines = "、".join(dict.fromkeys(str(view.line(place)) for place in places[:5]))
    more = "等" if len(places) > 5 else ""
    return f"old_text 出现了 {count} 次（第 {lines} 行{more}）。多带几行上下文，让它只出现一次。"


def _change(place: int, old: str, new: str) -> Change:
    """Leave out what both texts begin and end with: those bytes are not edited."""
    head = _common_start(old, new)
    old_rest, new_rest = old[len(head) :], new[len(head) :]
    tail = _common_start(old_rest[::-1], new_rest[::-1])[::-1]
    end = place + len(old.encode())
    return Change(
        whole=(place, end),
        edited=(place + len(head.encode()), end - len(tail.encode())),
        new=new_rest.removesuffix(tail).encode(),
    )


def _to_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _common_start(one: str, other: str) -> str:
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return one[:same]

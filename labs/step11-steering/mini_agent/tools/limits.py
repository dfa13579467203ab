"""How much of a long text the model gets to see: whole lines, from the head or from the tail.

Not here: the notice that says what was left out. Each tool knows best how to go on.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Two limits; whichever is hit first counts."""

    lines: int = 2_000

    bytes: int = 50 * 1024
    """UTF-8 bytes, line ends included."""


LIMIT = Limit()
"""What one result may hold."""


def keep_head(data: bytes, limit: Limit = LIMIT) -> bytes:
    """Return the first whole lines of `data` that fit; lines end with LF and nothing else.

    Only if not even the first line fits, it is cut, between two characters.
    """
    end = _end_of_lines(data, limit.lines)
    if end <= limit.bytes:
        return data[:end]
    whole_lines = data.rfind(b"\n", 0, limit.bytes) + 1
    return data[: whole_lines or _character_before(data, limit.bytes)]


def keep_tail(data: bytes, limit: Limit = LIMIT) -> bytes:
    """Return the last whole lines of `data` that fit.

    Only if not even the last line fits, it is cut, between two characters.
    """
    start = _start_of_last_lines(data, limit.lines)
    if len(data) - start <= limit.bytes:
        return data[start:]
    start = len(data) - limit.bytes
    line_end = data.find(b"\n", start - 1, len(data) - 1)  # the very last LF starts no line
    return data[line_end + 1 :] if line_end >= 0 else data[_character_after(data, start) :]


def line_count(data: bytes) -> int:
    """Return the number of lines; a last line without LF counts, nothing behind an LF does not."""
    return data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


def short(text: object, *, most: int = 100) -> str:
    """Return `text` for a message: at most so many characters of it, and how many there are."""
    whole = str(text)
    return whole if len(whole) <= most else f"{whole[:most]}…（共 {len(whole)} 个字符）"


def _end_of_lines(data: bytes, lines: int) -> int:
    end = 0
    for _ in range(lines):
        end = data.find(b"\n", end) + 1
        if end == 0:
            return len(data)
    return end


def _start_of_last_lines(data: bytes, lines: int) -> int:
    start = len(data)
    for _ in range(lines):
        start = data.rfind(b"\n", 0, max(start - 1, 0)) + 1
        if start == 0:
            break
    return start


def _character_before(data: bytes, place: int) -> int:
    """Return the last border between two characters that is not behind `place`."""
    return next((p for p in range(place, place - 4, -1) if not _continues(data, p)), place)


def _character_after(data: bytes, place: int) -> int:
    """Return the first border between two characters that is not before `place`."""
    return next((p for p in range(place, place + 4) if not _continues(data, p)), place)


def _continues(data: bytes, place: int) -> bool:
    """Tell whether the byte at `place` belongs to the UTF-8 character before it."""
    return 0 <= place < len(data) and data[place] & 0b1100_0000 == 0b1000_0000

"""A file as if each of its lines ended with LF, without a second copy of it if that can be."""

from collections.abc import Iterator
from functools import cached_property


class LfView:
    """Bytes in which CRLF counts as one character. Places are offsets in the original."""

    def __init__(self, original: bytes) -> None:
        self.original = original

    def find_all(self, wanted: bytes) -> Iterator[int]:
        """Yield every place of `wanted`; "aa" is in "aaa" twice, because either could be meant."""
        as_it_is = b"\n" not in wanted and b"\r" not in wanted
        text = self.original if as_it_is else self._text
        found = text.find(wanted)
        while found >= 0:
            yield found if as_it_is else self.advance(0, found)
            found = text.find(wanted, found + 1)

    def advance(self, place: int, count: int) -> int:
        """Return the place that is `count` characters after `place`; CRLF is one character."""
        end = place + count
        while place < end:  # each CRLF on the way puts the end one further, maybe past others
            place, end = end, end + self.original.count(b"\r\n", place, end + 1)
        return end

    def line(self, place: int) -> int:
        """Return the number of the line that `place` is on, from 1."""
        return self.original.count(b"\n", 0, place) + 1

    def line_end(self, place: int) -> bytes:
        """Return how a line ends there: as the next line end does, or else the last one before."""
        lf = self.original.find(b"\n", place)
        lf = lf if lf >= 0 else self.original.rfind(b"\n")
        return b"\r\n" if lf > 0 and self.original[lf - 1 : lf] == b"\r" else b"\n"

    @cached_property
    def _text(self) -> bytes:
        return self.original.replace(b"\r\n", b"\n")

"""A file as if each of its lines ended with LF, and the way back to the real offsets."""

from bisect import bisect_left
from re import finditer


class LfView:
    """Bytes in which CRLF counts as one LF. Places are offsets in `text`."""

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.text = original.replace(b"\r\n", b"\n")
        pairs = enumerate(finditer(rb"\r\n", original))
        self._shortened_at = [pair.start() - before for before, pair in pairs]

    def offset(self, place: int) -> int:
        """Return where `place` is in the original."""
        return place + bisect_left(self._shortened_at, place)

    def line(self, place: int) -> int:
        """Return the number of the line that `place` is on, from 1."""
        return self.text.count(b"\n", 0, place) + 1

    def line_end(self, place: int) -> bytes:
        """Return how a line ends there: as the next line end does, or else the last one before."""
        lf = self.text.find(b"\n", place)
        lf = lf if lf >= 0 else self.text.rfind(b"\n")
        return b"\r\n" if lf >= 0 and self.original.startswith(b"\r", self.offset(lf)) else b"\n"

    def whole_lines(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of whole lines around `start` to `end`, without the last line end."""
        line_end = self.text.find(b"\n", end)
        return self.text.rfind(b"\n", 0, start) + 1, line_end if line_end >= 0 else len(self.text)

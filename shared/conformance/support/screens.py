"""A screen inside of the suite's own process: what a program prints, and when it can be seen."""

import io


class Screen(io.StringIO):
    """Standard output as a user sees it: what has not been flushed is not there yet.

    With `room`, the reader goes away when so many characters have been written.
    """

    def __init__(self, *, room: int | None = None) -> None:
        super().__init__()
        self.shown = ""
        self._room = room

    def write(self, text: str) -> int:
        """Take a text, or fail as a closed pipe does."""
        written = super().write(text)
        if self._room is not None and self.tell() > self._room:
            raise BrokenPipeError(32, "Broken pipe")
        return written

    def flush(self) -> None:
        """Show all that was written."""
        self.shown = self.getvalue()

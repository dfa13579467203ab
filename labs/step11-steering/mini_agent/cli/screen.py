"""The typewriter for a person at a terminal: Markdown, colours, and a sign of life.

Text is shown as it comes, as everywhere. Once a paragraph or a fence is whole, and holds Markdown,
and is still on the screen, it is shown again in its place. What goes into a pipe, or to somebody
who says `--plain`, is left to `render.py`.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ..messages import ToolCall, ToolResultMessage
from ..render import ANSWER, DIM, NORMAL, Typewriter
from ..stream import TERMINAL, StreamEvent, StreamStart
from ..tool_lines import shown_of
from .markdown import RENDERED, is_whole, rendered, rows_of

RED, GREEN, YELLOW, CYAN, DEFAULT = (f"\x1b[{code}m" for code in (31, 32, 33, 36, 39))
CLEAR_LINE, CLEAR_BELOW = "\r\x1b[K", "\r\x1b[J"
"""Controls of a terminal (ECMA-48: SGR, EL, ED)."""

QUIET, MAX_SIGNS = 1.0, 20
"""Seconds before each sign of life, and how many of them stand on a line."""


@contextmanager
def typewriter_for(notify: Callable[[str], None]) -> Iterator[Typewriter]:
    """Yield the typewriter that suits standard output: a `Screen`, if a person sits there."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield Typewriter(notify)
        return
    screen = Screen(notify, colours=not os.environ.get("NO_COLOR"))
    try:
        yield screen
    finally:
        screen.stop_waiting()


class Screen(Typewriter):
    """A typewriter that can go back a few lines, and has colours."""

    def __init__(self, notify: Callable[[str], None], *, colours: bool) -> None:
        super().__init__(notify)
        self._colours = colours
        self._block = ""
        """What stands on the screen of the paragraph or fence that is being written."""

        self._size = os.terminal_size((0, 0))
        """Of the screen, when that began."""

        self._open: dict[str, ToolCall] = {}
        """Calls without a result, by their ids."""

        self._several = False
        """Some of them were made together, so a result may stand far from its call."""

        self._waiting: Waiting | None = None
        self._is_over = False
        """The answer is: what is written now is about it."""

    def show(self, event: StreamEvent) -> None:
        """Print what `event` says, at once."""
        self.stop_waiting()
        if isinstance(event, StreamStart):
            self._waiting = Waiting()
        elif isinstance(event, TERMINAL):  # a mark behind an answer is none of its Markdown
            self._show_again()
            self._is_over = True
        super().show(event)
        self._is_over = False

    def stop_waiting(self) -> None:
        """Take the signs of life from the screen."""
        if self._waiting is not None:
            self._waiting.end()
            self._waiting = None

    def show_call(self, call: ToolCall) -> None:
        """Print which tool is called, and with what."""
        self._several = bool(self._open)
        self._open[call.id] = call
        self._print_in(CYAN, lambda: super(Screen, self).show_call(call))

    def show_result(self, result: ToolResultMessage, *, blocked: bool) -> None:
        """Print what a tool has brought back; behind its call, if there were several."""
        call = self._open.pop(result.tool_call_id, None)
        if call is not None and self._several:
            self._print_in(DIM, lambda: super(Screen, self).show_call(call))
        if (result.details or "").startswith("--- "):
            print("结果>", self._diff(shown_of(result)), flush=True)
            return
        colour = YELLOW if blocked else RED if result.is_error else ""
        self._print_in(colour, lambda: super(Screen, self).show_result(result, blocked=blocked))

    def _diff(self, text: str) -> str:
        colours = {"+": GREEN, "-": RED, "@": CYAN} if self._colours else {}
        return "\n".join(
            f"{colours[line.strip()[0]]}{line}{DEFAULT}" if line.strip()[:1] in colours else line
            for line in text.split("\n")
        )

    def _print_in(self, colour: str, show: Callable[[], None]) -> None:
        if not self._colours or not colour:
            show()
            return
        print(end=colour)
        show()
        print(end=f"{NORMAL if colour == DIM else DEFAULT}", flush=True)

    def _write(self, beginning: str, text: str) -> None:
        if beginning != ANSWER or self._is_over:
            super()._write(beginning, text)
            return
        for line in text.splitlines(keepends=True):
            begins = "" if self._line == ANSWER else ANSWER
            super()._write(ANSWER, line)
            if not self._block:
                self._size = os.get_terminal_size()
            self._block += begins + line
            if is_whole(self._block):
                self._show_again()

    def _end_line(self) -> None:
        self._show_again()
        super()._end_line()

    def _show_again(self) -> None:
        """Put the block, as Markdown, where its raw text stands. If that is not sure, leave it."""
        raw, self._block = self._block, ""
        if not raw or self._size != os.get_terminal_size():
            return
        text = raw.removeprefix(ANSWER)
        rows = rows_of(raw, self._size.columns)
        if rows is None or rows > self._size.lines or not RENDERED.search(text):
            return
        shown = rendered(text, width=self._size.columns, colours=self._colours)
        begins = ANSWER if raw != text else ""
        if "\n" in shown and begins:
            begins = f"{ANSWER.strip()}\n"
        up = f"\x1b[{rows - 1}A" if rows > 1 else ""
        end = "\n" * (len(text) - len(text.rstrip("\n")))
        print(end=f"{up}{CLEAR_BELOW}{begins}{shown}{end}", flush=True)


class Waiting:
    """Signs of life on an empty line, from a thread of its own: the loop may be busy."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._shown = False
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Take them away again."""
        self._over.set()
        self._thread.join()
        if self._shown:
            print(end=CLEAR_LINE, flush=True)

    def _show(self) -> None:
        for _ in range(MAX_SIGNS):
            if self._over.wait(QUIET):
                return
            self._shown = True
            with suppress(OSError, ValueError):  # the screen has gone away
                print(end=f"{DIM}·{NORMAL} ", flush=True)

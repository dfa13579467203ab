"""What was typed before a question stood on the screen: no answer to it."""

import os
import sys
import termios
from collections.abc import Callable
from select import select

TYPED_AHEAD = "（提问之前输入的，没有当作回答：{text}）"


def take_typed_ahead() -> str:
    """Return what the terminal holds that nobody has read yet; now it is gone.

    Whole lines and half ones alike. "" if standard input is no terminal: what a file or a pipe
    holds was not typed at all.
    """
    if not sys.stdin.isatty():
        return ""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    at_once = termios.tcgetattr(terminal)
    at_once[3] &= ~termios.ICANON  # else a line without its end would stay hidden
    at_once[6][termios.VMIN], at_once[6][termios.VTIME] = 0, 0
    taken = b""
    termios.tcsetattr(terminal, termios.TCSANOW, at_once)
    try:
        while select([terminal], [], [], 0)[0] and (more := os.read(terminal, 4096)):
            taken += more
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
    return taken.decode(errors="replace").strip()


def drop_typed_ahead(notify: Callable[[str], None]) -> None:
    """Make sure that the next line is typed after now; what was typed before is shown again."""
    if text := take_typed_ahead():
        notify(TYPED_AHEAD.format(text=text))


def ask_afresh(
    ask: Callable[[str], str | None], notify: Callable[[str], None]
) -> Callable[[str], str | None]:
    """Return what asks in the middle of a turn: only what is typed from then on is an answer."""

    def asked(question: str) -> str | None:
        drop_typed_ahead(notify)
        return ask(question)

    return asked

"""The terminal border: text in, text out, and a clean way to leave.

Not here: what a line means. The loop decides that.
"""

import locale
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Literal, TextIO


@contextmanager
def console() -> Iterator[None]:
    """Make the standard streams UTF-8, and end quietly when there is nobody to write to.

    Wrap the whole of `main` in it. A reader that goes away (`program | head -1`)
    ends the program without an error, exit 0. Ctrl-C outside of `ask` ends it
    with exit 130, the shell's number for it.
    """
    _use_utf8()
    try:
        try:
            yield
        finally:
            sys.stdout.flush()  # a closed pipe must show here, not while Python shuts down
    except* BrokenPipeError:  # `except*`: from a task group it comes in an ExceptionGroup
        _discard_output()
    except* KeyboardInterrupt:
        sys.exit(130)


def ask(prompt: str) -> str | None:
    """Show `prompt` and return the next line of input, without its line end.

    Returns None when there is no more input: the end of a file or pipe, Ctrl-D,
    or Ctrl-C while waiting. Where a line has been begun, Ctrl-C clears it. A byte
    that is not UTF-8 arrives as U+FFFD; a byte order mark and carriage returns are
    dropped.
    """
    while True:
        try:
            with _ctrl_c_raises():
                return input(prompt).replace("\r", "")
        except (EOFError, KeyboardInterrupt) as left:
            if sys.stdin.isatty():
                print()  # the cursor still stands behind the prompt
            if isinstance(left, EOFError) or not _line_is_begun():
                return None


def _line_is_begun() -> bool:
    """Tell whether something stands behind the prompt. Only where lines can be edited."""
    readline = sys.modules.get("readline")
    return readline is not None and readline.get_line_buffer() != ""


@contextmanager
def _ctrl_c_raises() -> Iterator[None]:
    """Give Ctrl-C to whoever waits inside, whatever handled it before."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _use_utf8() -> None:
    # "-sig" drops a byte order mark; newline="\n": nothing else ends a line.
    sys.stdin = _as_utf8(sys.stdin, "r", encoding="utf-8-sig", newline="\n")
    sys.stdout = _as_utf8(sys.stdout, "w")
    sys.stderr = _as_utf8(sys.stderr, "w")
    if sys.stdin.isatty() and sys.stdout.isatty():
        _edit_lines()


def _as_utf8(
    stream: TextIO | None,
    mode: Literal["r", "w"],
    *,
    encoding: str = "utf-8",
    newline: str | None = None,
) -> TextIO:
    """Return `stream`, set to UTF-8; one that was closed before we started becomes nowhere."""
    if stream is None:  # `program <&-`
        return open(os.devnull, mode, encoding=encoding)
    if isinstance(stream, TextIOWrapper):  # always, but for a test that caught the output
        stream.reconfigure(encoding=encoding, errors="replace", newline=newline)
    return stream


def _edit_lines() -> None:
    """Let `input` edit whole characters: without readline, Backspace leaves half a 世."""
    if locale.getencoding().lower() not in ("utf-8", "utf8"):
        os.environ["LC_ALL"] = "C.UTF-8"  # where readline looks it up
    import readline  # noqa: F401, PLC0415  # importing it is what switches it on


def _discard_output() -> None:
    """Point both outputs at nothing, so that Python's own last flush has no error to report."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())

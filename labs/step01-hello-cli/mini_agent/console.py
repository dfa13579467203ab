"""The terminal border: text in, text out, and a clean way to leave.

Not here: what a line means. The loop decides that.
"""

import locale
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def console() -> Iterator[None]:
    """Make the standard streams UTF-8, and end quietly when there is nobody to write to.

    Wrap the whole of `main` in it. A reader that goes away (`program | head -1`)
    ends the program without an error, exit 0. Ctrl-C outside of `ask` ends it
    with exit 130, the shell's number for it.
    """
    _use_utf8()
    interrupted = False
    try:
        try:
            yield
        finally:
            sys.stdout.flush()  # a closed pipe must show here, not while Python shuts down
    except* BrokenPipeError:  # `except*`: from a task group it comes in an ExceptionGroup
        _discard_output()
    except* KeyboardInterrupt:
        interrupted = True
    if interrupted:
        sys.exit(130)


def ask(prompt: str) -> str | None:
    """Show `prompt` and return the next line of input, without its line end.

    Returns None when there is no more input: the end of a file or pipe, Ctrl-D,
    or Ctrl-C while waiting. A byte that is not UTF-8 arrives as U+FFFD; a byte
    order mark and carriage returns are dropped.
    """
    try:
        with _ctrl_c_raises():
            return input(prompt).replace("\r", "")
    except (EOFError, KeyboardInterrupt):
        if sys.stdin.isatty():
            print()  # the cursor still stands behind the prompt
        return None


@contextmanager
def _ctrl_c_raises() -> Iterator[None]:
    """Give Ctrl-C to whoever waits inside, whatever handled it before."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _use_utf8() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed before we started: `program <&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
        stream = getattr(sys, name)
        if name == "stdin":  # "-sig" drops a byte order mark; only "\n" ends a line
            stream.reconfigure(encoding="utf-8-sig", errors="replace", newline="\n")
        else:
            stream.reconfigure(encoding="utf-8", errors="replace")
    if sys.stdin.isatty() and sys.stdout.isatty():
        _edit_lines()


def _edit_lines() -> None:
    """Let `input` edit whole characters: without readline, Backspace leaves half a 世."""
    if locale.getencoding().lower() not in ("utf-8", "utf8"):
        os.environ["LC_ALL"] = "C.UTF-8"  # where readline looks it up
    import readline  # noqa: F401  # importing it is what switches it on


def _discard_output() -> None:
    """Point both outputs at nothing, so that Python's own last flush has no error to report."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())

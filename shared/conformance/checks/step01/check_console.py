"""`console.ask` and `console.console`: what a line is, and what a program may print.

The suite runs a small program of its own around them (`support/programs/lines.py`). It
shows each line as Python would write it, so that nothing in it stays hidden.
"""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.process import ENCODINGS, typed_before
from conformance.support.programs.lines import SAMPLE
from conformance.support.subject import LINES, Subject
from conformance.support.terminal import BACKSPACE, ENTER, LEFT, terminal

pytestmark = [read("console"), pytest.mark.timeout(60)]

LOCALES = {
    "LANG=C.UTF-8": {"LANG": "C.UTF-8"},
    "LANG=C": {"LANG": "C"},
    "LANG=POSIX": {"LANG": "POSIX"},
}
"""Where editing has to work. Under LC_ALL=C it is not owed."""


def expect_lines(subject: Subject, typed: bytes, wanted: list[str]) -> None:
    """Fail unless asking line after line gives these lines, and then None."""
    finished = subject.console("lines", typed)
    shown = [ascii(line) for line in wanted]
    subject.holds(
        finished.stdout.decode().split("\n")[: len(wanted) + 1]
        == [*(f"> {line}" for line in shown), "> no more"],
        finished,
        wanted=", ".join([*shown, "None"]),
        called=f'ask("> ") until it returns None; typed: {typed!a}',
    )


def test_lines_as_typed(subject: Subject) -> None:
    """ask() returns each line as it was typed, without its end: spaces and empty lines count."""
    expect_lines(subject, "你好\n\n  a b \t\n末行".encode(), ["你好", "", "  a b \t", "末行"])


def test_only_newline_ends_a_line(subject: Subject) -> None:
    """Only a newline ends a line: other separators of Unicode are text like any other."""
    text = "a\u2028b\u0085c\x0bd\x0ce\x1cf"
    expect_lines(subject, f"{text}\n".encode(), [text])


def test_carriage_returns_are_dropped(subject: Subject) -> None:
    """ask() drops carriage returns."""
    expect_lines(subject, b"a\r\nb\r\n", ["a", "b"])


def test_byte_order_mark_is_dropped(subject: Subject) -> None:
    """ask() drops a byte order mark."""
    expect_lines(subject, b"\xef\xbb\xbfa\n", ["a"])


def test_bad_bytes_are_replaced(subject: Subject) -> None:
    """A byte that is not UTF-8 arrives as U+FFFD, and what stands around it survives."""
    expect_lines(subject, "你\udcff好\n".encode(errors="surrogateescape"), ["你\ufffd好"])


def test_no_more_stays_no_more(subject: Subject) -> None:
    """After the end of input, ask() returns None again and again."""
    finished = subject.console("lines", b"")
    subject.prints(finished, b"> no more\n> None\n", called='ask("> "), twice; typed: nothing')


def test_handler_of_ctrl_c_comes_back(subject: Subject) -> None:
    """ask() takes Ctrl-C while it waits, and gives it back to whoever handled it before."""
    finished = subject.console("handlers", b"a\n")
    subject.holds(
        finished.stdout == b"> the same\n",
        finished,
        wanted="the same handler in place afterwards",
        called='ask("> "), with a handler for SIGINT in place',
    )


@pytest.mark.parametrize("name", ENCODINGS)
def test_prints_any_character(subject: Subject, name: str) -> None:
    """Inside of console(), any character can be printed, whatever the terminal's encoding."""
    finished = subject.console("sample", environment=ENCODINGS[name])
    called = typed_before(f"with console(): print({SAMPLE!r})", ENCODINGS[name])
    subject.prints(finished, f"{SAMPLE}\n".encode(), called=called)


def test_errors_pass_through(subject: Subject) -> None:
    """console() hides no error but those of a reader or user who went away."""
    finished = subject.console("raise")
    subject.holds(
        finished.exit_code != 0 and b"ValueError: from inside" in finished.stderr,
        finished,
        wanted="the ValueError",
        called='with console(): raise ValueError("from inside")',
    )


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        pytest.param(f"你好世{BACKSPACE}{ENTER}", "你好", id="Backspace"),
        pytest.param(f"你世{LEFT}好{ENTER}", "你好世", id="arrow left"),
    ],
)
@pytest.mark.parametrize("locale", LOCALES)
def test_editing(subject: Subject, locale: str, keys: str, wanted: str) -> None:
    """On a terminal, Backspace and the arrow keys work on whole characters."""
    subject.get("console.ask")
    with terminal(subject, LINES, "lines", environment=LOCALES[locale]) as screen:
        screen.wait_for("> ")
        screen.type(keys)
        screen.wait_for("\r\n")
        screen.wait_for("> ")
        judge.holds(
            ascii(wanted) in screen.screen.split("\n"),
            called=f"{locale} {screen.called}",
            came=f"the screen:\n{screen.screen}",
            wanted=ascii(wanted),
        )

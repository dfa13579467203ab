"""How a check fails: with what was called, what came, what was wanted, where to read on."""

import difflib
import io
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest


@dataclass(kw_only=True, eq=False)
class CheckFailed(AssertionError):
    """Raised when the folder under test does not do what a check asks for."""

    called: str
    """What the check did, as one would type it; one line."""

    came: str
    wanted: str
    read: str
    """Where to read on: a chapter's heading, or a file of the step."""

    def __str__(self) -> str:
        """Return the four parts, one under the other."""
        return "\n".join(
            f"{label:<8}{text.replace(chr(10), chr(10) + ' ' * 8)}"
            for label, text in (
                ("called", self.called),
                ("came", self.came),
                ("wanted", self.wanted),
                ("read", self.read),
            )
        )


class PartMissing(Exception):
    """Raised when a part that the step asks for is not there yet."""


class SuiteFault(Exception):
    """Raised when the suite itself is wrong, and the folder under test is not to blame."""


def expect(truth: object, *, called: str, came: object, wanted: str, read: str) -> None:
    """Fail the check unless `truth` holds."""
    if not truth:
        came = came if isinstance(came, str) else repr(came)
        raise CheckFailed(called=called, came=came, wanted=wanted, read=read)


def expect_refusal(action: Callable[[], object], *, called: str, wanted: str, read: str) -> None:
    """Fail the check unless `action` raises."""
    try:
        came = action()
    except Exception:  # which error refuses it is the package's own affair
        return
    raise CheckFailed(called=called, came=f"no error, and {came!r}", wanted=wanted, read=read)


def expect_bytes(came: bytes, wanted: bytes, *, called: str, read: str, beside: str = "") -> None:
    """Fail the check unless both are the same bytes; the report shows where they part.

    Nothing is normalised: a line end, a final newline, a space at the end of a
    line, a look-alike character all count. What else came may be told as `beside`.
    """
    if came == wanted:
        return
    raise CheckFailed(
        called=called,
        came=visible_diff(wanted, came) + hint(wanted, came) + beside,
        wanted="the same bytes (`-` wanted, `+` came; ⏎ line end, · space, ␍ CR)",
        read=read,
    )


def visible_diff(wanted: bytes, came: bytes, *, context: int = 1, most: int = 40) -> str:
    """Return a line diff in which invisible characters can be seen, `most` lines at most.

    What lies far behind the first difference is left out: whatever came may be of any size.
    """
    lines_wanted, lines_came = _lines(wanted), _lines(came)
    end = first_difference(lines_wanted, lines_came) + most
    diff = list(
        difflib.unified_diff(
            [visible(line) for line in lines_wanted[:end]],
            [visible(line) for line in lines_came[:end]],
            lineterm="",
            n=context,
        )
    )[2:]
    if len(diff) > most or max(len(lines_wanted), len(lines_came)) > end:
        diff = [*diff[:most], "... and so on"]
    return "\n".join(diff)


def first_difference(one: list[bytes], other: list[bytes]) -> int:
    """Return the place of the first line in which two texts differ, from 0."""
    pairs = zip_longest(one, other)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), len(one))


def _lines(text: bytes) -> list[bytes]:
    r"""Split `text` behind every "\n", and nowhere else."""
    return io.BytesIO(text).readlines()


def visible(line: bytes, *, most: int = 300) -> str:
    """Return one line with its line end, spaces at its end, and odd characters made visible.

    A line of more than `most` characters is cut; the cut says how many are left out.
    """
    text = line.decode("utf-8", errors="backslashreplace")
    body = text.removesuffix("\n").removesuffix("\r")
    end = text[len(body) :].replace("\r", "␍").replace("\n", "⏎")
    if len(body) > most:
        body = f"{body[:most]} ... {len(body) - most} more characters"
    tail = len(body) - len(body.rstrip(" "))
    body = body.rstrip(" ") + "·" * tail
    shown = "".join(char if _is_plain(char) else f"[U+{ord(char):04X}]" for char in body)
    return shown + (end or "[no line end]")


def _is_plain(char: str) -> bool:
    """Tell whether a reader can see what `char` is; separate accents and odd spaces are not."""
    category = unicodedata.category(char)
    return char == " " or not (category.startswith(("C", "Z")) or category == "Mn")


def hint(wanted: bytes, came: bytes) -> str:
    """Name the usual suspects, where one of them is the whole difference."""
    for name, change in (
        ("only the line ends differ: CRLF instead of LF", lambda b: b.replace(b"\r\n", b"\n")),
        ("only the final newline differs", lambda b: b.rstrip(b"\n")),
        ("only a byte order mark differs", lambda b: b.removeprefix(b"\xef\xbb\xbf")),
        (
            "only spaces at the ends of lines differ",
            lambda b: b"\n".join(line.rstrip(b" ") for line in b.split(b"\n")),
        ),
        (
            "only the Unicode form differs: composed and separate accents, or look-alike spaces",
            lambda b: unicodedata.normalize("NFKC", b.decode("utf-8", "replace")).encode(),
        ),
    ):
        if change(wanted) == change(came):
            return f"\n({name})"
    return ""

"""Show where two recorded outputs differ, invisible characters included."""

import difflib
import io
import unicodedata
from itertools import zip_longest


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

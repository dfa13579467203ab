"""`text.escape_controls`: a text of somebody else, in a form that can be seen and does nothing."""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.screen import BIDI
from conformance.support.subject import Subject

pytestmark = read("typewriter")

SHOWN: dict[str, tuple[str, str]] = {
    "nothing to hide": ("你好 ✓ e\u0301 👨\u200d👩 ", "你好 ✓ e\u0301 👨\u200d👩 "),
    "line feed and tab": ("一\n\t二\n", "一\n\t二\n"),
    "escape": ("\x1b[2J", "␛[2J"),
    "a line end of two": ("一\r\n", "一␍\n"),
    "every C0": (
        "".join(chr(code) for code in range(0x20) if code not in (9, 10)),
        "".join(chr(0x2400 + code) for code in range(0x20) if code not in (9, 10)),
    ),
    "delete": ("a\x7f", "a␡"),
    "every C1": (
        "".join(map(chr, range(0x80, 0xA0))),
        "".join(f"\\x{code:02x}" for code in range(0x80, 0xA0)),
    ),
    "every turn of the direction": (BIDI, "".join(f"\\u{ord(sign):04x}" for sign in BIDI)),
    "half of a pair": ("半\ud83d。\ude00", "半\ufffd。\ufffd"),
}
"""A text, and what stands on the screen."""


@pytest.mark.parametrize("name", SHOWN)
def test_escape_controls(subject: Subject, name: str) -> None:
    r"""Controls become pictures (␛), \x9b, \u202e, or U+FFFD; all else, LF and TAB too, stays."""
    text, wanted = SHOWN[name]
    came = subject.get("text.escape_controls")(text)
    judge.same(ascii(came), ascii(wanted), called=f"escape_controls({text!a})")

r"""Text that somebody else made: what a terminal may see of it, and what can be kept of it.

A model, a tool, a file or a server may say what a terminal obeys: move the cursor, set the
clipboard, draw a prompt that never was. Nothing of that reaches the screen. Only what is
shown is changed; the history keeps what was said.
"""

BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""They turn the direction of reading, so that `rm` looks like `mr` (Unicode Annex 9, 2)."""

VISIBLE = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: "\u2421",
    **{code: f"\\x{code:02x}" for code in range(0x80, 0xA0)},  # C1: an escape sequence in one
    **{code: f"\\u{code:04x}" for code in BIDI},
}
"""What stands on the screen for a control character: ␛ for the one of the escape key."""


def escape_controls(text: str) -> str:
    r"""Return `text` with every control character in a form that can be seen, and does nothing.

    Line feed and tab stay. The other C0 controls and DEL become their pictures (U+2400 to
    U+2421), C1 and bidi controls become `\x9b` and `\u202e`, half a character U+FFFD.
    """
    return replace_surrogates(text).translate(VISIBLE)


def one_line(text: str) -> str:
    """Return `text` as `escape_controls` does, on a single line: for names, titles and the like."""
    return escape_controls(text).replace("\n", "\u240a")


def replace_surrogates(text: str) -> str:
    r"""Return `text` with U+FFFD for each half of a surrogate pair that stands alone.

    JSON can carry such a half (`"\ud83d"`; RFC 8259, section 8.2), UTF-8 cannot: no file, no
    request and no screen would take it. Two halves that belong together become one character.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

"""What a text may do to a screen, and how to tell whether it got there."""

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""They turn the direction in which a line is read."""

CONTROLS = "\x1b]0;标题\x07\x1b[2J\r你> \x00\x08\x7f\x9b31m\u202edcba\u2066"
"""A new title for the window, an empty screen, a prompt that never was, red, from right to left."""


def controls_in(text: str) -> list[str]:
    """Return the characters that a terminal obeys: all controls but LF and TAB."""
    return [sign for sign in text if _is_obeyed(sign)]


def _is_obeyed(sign: str) -> bool:
    if sign in "\n\t":
        return False
    return sign < " " or "\x7f" <= sign <= "\x9f" or sign in BIDI or "\ud800" <= sign <= "\udfff"

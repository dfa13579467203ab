"""Text that somebody else made: nothing in it reaches a terminal as a command, or breaks a file."""

import sys
from unicodedata import bidirectional, category

import pytest
from mini_agent.text import escape_controls, one_line, replace_surrogates

FAMILY = "👨\u200d👩\u200d👧 e\u0301 \u200f"
TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""The classes of characters that turn the direction of reading (Unicode Annex 9)."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]52;c;cm0=\x07", "␛[2J␛]52;c;cm0=␇"),
        ("\x00\x08\r\x1f", "␀␈␍␟"),
        ("\x7f", "␡"),
        ("\x9b31m\x85\x80\x9f", r"\x9b31m\x85\x80\x9f"),
        ("rm\u202e\u2066\u2069", r"rm\u202e\u2066\u2069"),
        ("半个\ud83d", "半个\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ude00", "😀"),
        (f"一\t二\n三 {FAMILY}", f"一\t二\n三 {FAMILY}"),
        ("", ""),
    ],
    ids=ascii,
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert escape_controls(text) == shown
    assert escape_controls(shown) == shown  # some texts come by here twice


def test_no_character_at_all_moves_a_cursor_or_turns_the_direction_of_reading() -> None:
    shown = escape_controls("".join(f" {chr(code)}" for code in range(sys.maxunicode + 1)))
    for character in set(shown) - {"\t", "\n"}:
        assert category(character) not in ("Cc", "Cs"), ascii(character)
        assert bidirectional(character) not in TURNING, ascii(character)


def test_what_is_no_control_stays_as_it_is() -> None:
    characters = map(chr, range(0xA0, sys.maxunicode + 1))
    rest = "".join(c for c in characters if category(c) != "Cs" and bidirectional(c) not in TURNING)
    assert escape_controls(rest) == rest


def test_a_name_stays_on_its_line() -> None:
    assert one_line("一\n二\r\n\x1b[A") == "一␊二␍␊␛[A"
    assert one_line("\ud83d") == "\ufffd"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("好😀\x1b\x9b\u202e\n", "好😀\x1b\x9b\u202e\n"),  # UTF-8 can carry all of these
        ("\ud83d", "\ufffd"),
        ("\udcff/a", "\ufffd/a"),
        ("a\ude00\ud83db", "a\ufffd\ufffdb"),
        ("\ud83d\ude00\ud83d", "😀\ufffd"),
    ],
    ids=ascii,
)
def test_half_a_surrogate_pair_becomes_a_character_that_utf8_can_carry(
    text: str, whole: str
) -> None:
    assert replace_surrogates(text) == whole
    assert whole.encode().decode() == whole

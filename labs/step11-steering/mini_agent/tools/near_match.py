"""Say where a text that was not found is nearly there, and where the two differ."""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

LOOK_ALIKES = str.maketrans("‘’‚‛“”„‟‐‑‒–—―−", "''''\"\"\"\"-------")

READ_AGAIN = "先用 read 重读这个文件，再原样照抄。"


def near_match(text: str, wanted: str) -> str:
    """Return a hint for whoever looked for `wanted` in `text` and did not find it."""
    lines, wanted_lines = text.split("\n"), wanted.split("\n")
    loose_lines = [_loosely(line) for line in lines]
    for anchor in _longest(wanted_lines):
        key = _loosely(wanted_lines[anchor])
        number = next((n for n, line in enumerate(loose_lines) if key and key in line), None)
        if number is not None:
            return _first_difference(lines, wanted_lines, start=number - anchor)
    return READ_AGAIN


def _loosely(line: str) -> str:
    """Return `line` without what eyes pass over: spacing, case, typographic quotes and dashes."""
    plain = unicodedata.normalize("NFKC", line).translate(LOOK_ALIKES)
    return " ".join(plain.split()).casefold()


def _longest(lines: Sequence[str], *, most: int = 3) -> list[int]:
    """Return the places of the longest lines: those say best where a text belongs."""
    return sorted(range(len(lines)), key=lambda n: -len(lines[n]))[:most]


def _first_difference(lines: Sequence[str], wanted: Sequence[str], *, start: int) -> str:
    last = len(wanted) - 1
    for n, wanted_line in enumerate(wanted):
        line = lines[start + n] if 0 <= start + n < len(lines) else ""
        if not _fits(wanted_line, line, at_start=n == 0, at_end=n == last):
            return f"第 {start + n + 1} 行很接近，但不一样：{_compare(wanted_line, line)}"
    return READ_AGAIN


def _fits(wanted: str, line: str, *, at_start: bool, at_end: bool) -> bool:
    """Tell whether a line of the wanted text can be that line; its ends may be further out."""
    if at_start and at_end:
        return wanted in line
    if at_start:
        return line.endswith(wanted)
    return line.startswith(wanted) if at_end else line == wanted


def _compare(wanted: str, line: str) -> str:
    wanted, line = wanted[:200], line[:200]
    for kind, a, b, c, d in SequenceMatcher(None, wanted, line, autojunk=False).get_opcodes():
        further_out = kind == "insert" and a in (0, len(wanted))
        if kind != "equal" and not further_out:
            return (
                f"old_text 是 {wanted!r}，文件里是 {line!r}；"
                f"从第 {a + 1} 个字符起，{_spell(wanted[a:b])} 对 {_spell(line[c:d])}。"
            )
    return f"old_text 是 {wanted!r}，文件里是 {line!r}。"


def _spell(text: str) -> str:
    """Return `text` so that look-alikes can be told apart."""
    codes = " ".join(f"U+{ord(char):04X}" for char in text[:8])
    return f"{text[:8]!r}（{codes}）" if text else "（没有字符）"

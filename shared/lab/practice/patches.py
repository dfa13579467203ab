"""Unified diffs, applied to the letter: every line at its own number, or not at all.

Stricter than `patch` and `git apply`: no fuzz, no offset. The line numbers of a
diff that is shown to a reader then stay true. Only files that exist are changed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class MalformedPatch(Exception):
    """Raised when a text is not a unified diff that changes existing files."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line} of the patch: {text}")


class PatchDoesNotFit(Exception):
    """Raised when a file does not hold what a patch wants to change."""

    def __init__(self, file: str, line: int, *, wanted: str, found: str | None) -> None:
        there = "the file ends before it" if found is None else f"found {found!r}"
        super().__init__(f"{file} line {line}: the patch wants {wanted!r}, {there}")


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place of a file that changes."""

    start: int
    """The number of its first line, from 1, before the change."""

    lines: tuple[str, ...]
    """Each with its sign in front: " " stays, "-" goes, "+" comes."""


def apply_patch(patch: str, folder: Path) -> None:
    """Change the files below `folder` as `patch` says; if one does not fit, none is touched.

    Raises:
        MalformedPatch: it is no unified diff.
        PatchDoesNotFit: a file is missing, or a line is not what the patch expects.
    """
    changed = {}
    for name, hunks in read_patch(patch).items():
        path = folder / name
        if not path.is_file():
            raise PatchDoesNotFit(name, 1, wanted="a file", found=None)
        changed[path] = patched(name, path.read_bytes().decode("utf-8"), hunks)
    for path, text in changed.items():
        path.write_bytes(text.encode("utf-8"))


def read_patch(patch: str) -> dict[str, list[Hunk]]:
    """Return the hunks of a diff for each file that it changes.

    Raises:
        MalformedPatch: it is no unified diff, or changes nothing.
    """
    files: dict[str, list[Hunk]] = {}
    hunks: list[Hunk] | None = None
    lines = enumerate(patch.removesuffix("\n").split("\n"), start=1)
    number = 0
    for number, line in lines:
        if line.startswith("+++ b/"):
            hunks = files.setdefault(line.removeprefix("+++ b/"), [])
        elif (header := HEADER.match(line)) and hunks is not None:
            hunks.append(_read_hunk(header, number, lines))
        elif line and not line.startswith("--- a/"):
            raise MalformedPatch(number, f"unexpected {line!r}")
    if not hunks:
        raise MalformedPatch(number, "it ends without a change")
    return files


def _read_hunk(header: re.Match[str], number: int, lines: Iterator[tuple[int, str]]) -> Hunk:
    """Take the lines of one hunk from `lines`, as many as its header says."""
    old, new = int(header[2] or 1), int(header[3] or 1)
    body = []
    while old > 0 or new > 0:
        number, line = next(lines, (number, "\\"))
        line = line or " "  # an editor may have cut the blank in front of an empty line
        old -= line[0] in " -"
        new -= line[0] in " +"
        if line[0] not in " -+" or old < 0 or new < 0:
            raise MalformedPatch(number, f"{header[0]} promises other lines than there are")
        body.append(line)
    if not body or all(line[0] == "+" for line in body):
        raise MalformedPatch(number, "a hunk needs at least one line that is there already")
    return Hunk(start=int(header[1]), lines=tuple(body))


def patched(file: str, text: str, hunks: list[Hunk]) -> str:
    """Return `text` with the hunks applied.

    Raises:
        PatchDoesNotFit: a line is not what its hunk expects; `file` is named in the message.
    """
    before, after = text.split("\n"), []
    place = 0  # how many lines of `before` are done
    for hunk in hunks:
        after += before[place : hunk.start - 1]
        place = hunk.start - 1
        for sign, line in ((line[0], line[1:]) for line in hunk.lines):
            if sign == "+":
                after.append(line)
                continue
            found = before[place] if place < len(before) else None
            if found != line:
                raise PatchDoesNotFit(file, place + 1, wanted=line, found=found)
            if sign == " ":
                after.append(line)
            place += 1
    return "\n".join([*after, *before[place:]])

"""Unified diffs, applied to the letter: every line at its own number, or not at all.

`unidiff` reads them. Stricter than `patch` and `git apply`: no fuzz, no offset. The line
numbers of a diff that is shown to a reader then stay true. Only files that exist are changed.
"""

from pathlib import Path

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet


class MalformedPatch(Exception):
    """Raised when a text is not a unified diff that changes existing files."""


class PatchDoesNotFit(Exception):
    """Raised when a file does not hold what a patch wants to change."""

    def __init__(self, file: str, line: int, *, wanted: str, found: str | None) -> None:
        there = "the file ends before it" if found is None else f"found {found!r}"
        super().__init__(f"{file} line {line}: the patch wants {wanted!r}, {there}")


def apply_patch(patch: str, folder: Path) -> None:
    """Change the files below `folder` as `patch` says; if one does not fit, none is touched.

    Raises:
        MalformedPatch: it is no unified diff.
        PatchDoesNotFit: a file is missing, or a line is not what the patch expects.
    """
    changed = {}
    for file in read_patch(patch):
        path = folder / file.path
        if not path.is_file():
            raise PatchDoesNotFit(file.path, 1, wanted="a file", found=None)
        changed[path] = patched(path.read_bytes().decode("utf-8"), file)
    for path, text in changed.items():
        path.write_bytes(text.encode("utf-8"))


def read_patch(patch: str) -> PatchSet:
    """Return the files that a diff changes, each with its hunks.

    Raises:
        MalformedPatch: it is no unified diff, changes nothing, or holds other lines as well.
    """
    try:
        files = PatchSet.from_string(patch)
    except UnidiffParseError as error:
        raise MalformedPatch(str(error).strip()) from error
    hunks = [hunk for file in files for hunk in file]
    if not hunks:
        raise MalformedPatch("there is no change in it")
    for hunk in hunks:
        if not hunk.source or any(line.line_type == "\\" for line in hunk):
            raise MalformedPatch("a hunk needs at least one whole line that is there already")
    if patch.rstrip("\n").count("\n") + 1 != 2 * len(files) + sum(1 + len(hunk) for hunk in hunks):
        raise MalformedPatch("there are lines outside of the hunks, or a hunk has too many")
    return files


def patched(text: str, file: PatchedFile) -> str:
    """Return `text` with the hunks of `file` applied.

    Raises:
        PatchDoesNotFit: a line is not what its hunk expects.
    """
    lines = text.split("\n")
    for hunk in file:
        for number, line in enumerate(hunk.source_lines(), start=hunk.source_start):
            wanted = line.value.removesuffix("\n")
            found = lines[number - 1] if number <= len(lines) else None
            if found != wanted:
                raise PatchDoesNotFit(file.path, number, wanted=wanted, found=found)
    for hunk in reversed(file):  # from below, so that the numbers above stay true
        start = hunk.source_start - 1
        new = (line.value.removesuffix("\n") for line in hunk.target_lines())
        lines[start : start + hunk.source_length] = new
    return "\n".join(lines)

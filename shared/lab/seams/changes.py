"""What changed between two folders, file by file, from the bytes alone."""

import difflib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab import texts
from lab.contract import files_in
from lab.errors import LabError

Kind = Literal["new", "changed", "gone", "carried"]
"""carried: byte for byte the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file, in the step before and in the step itself. At least one of them has it."""

    file: str
    old: bytes | None
    new: bytes | None

    @property
    def kind(self) -> Kind:
        """What happened to the file."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "gone"
        return "carried" if self.old == self.new else "changed"


def compare_folders(before: Path | None, after: Path) -> dict[str, Change]:
    """Return what happened to every file that either folder has, by name.

    A folder that is None or missing has no files.
    """
    old, new = read_files(before), read_files(after)
    return {
        file: Change(file=file, old=old.get(file), new=new.get(file))
        for file in sorted(old.keys() | new.keys())
    }


def read_files(folder: Path | None) -> dict[str, bytes]:
    """Return the bytes of every file in a step's folder, by name."""
    if folder is None:
        return {}
    return {file: (folder / file).read_bytes() for file in files_in(folder)}


def unified_lines(change: Change, *, context: int = 3) -> list[bytes]:
    """Return the hunks of a unified diff, one line each, line ends included.

    Only LF ends a line. A last line without one is followed by the line that
    `patch` and git expect in this place.
    """
    old, new = split_lines(change.old or b""), split_lines(change.new or b"")
    lines = list(difflib.diff_bytes(difflib.unified_diff, old, new, n=context))[2:]
    return [line if line.endswith(b"\n") else line + NO_NEWLINE for line in lines]


NO_NEWLINE = b"\n\\ No newline at end of file\n"


def split_lines(data: bytes) -> list[bytes]:
    """Split into lines that keep their ends; only LF ends a line."""
    return io.BytesIO(data).readlines()


def count_changed_lines(change: Change) -> tuple[int, int]:
    """Return how many lines came and how many went, as the diff shows them."""
    lines = unified_lines(change)
    return (
        sum(line.startswith(b"+") for line in lines),
        sum(line.startswith(b"-") for line in lines),
    )


def pick_file(wanted: str, files: Iterable[str], *, where: str) -> str:
    """Return the one of `files` that `wanted` names: its whole path, or an unmistakable tail.

    Raises:
        LabError: no file, or more than one; the message lists what there is in `where`.
    """
    known = list(files)
    if wanted in known:
        return wanted
    found = [file for file in known if file.endswith(f"/{wanted}")]
    if len(found) == 1:
        return found[0]
    listed = "\n".join(f"  {file}" for file in found or known)
    problem = texts.AMBIGUOUS_FILE if found else texts.UNKNOWN_FILE
    raise LabError(problem.format(file=wanted, where=where, files=listed))

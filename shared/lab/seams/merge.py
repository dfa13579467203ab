"""Git as carry needs it: the version of a file before a change, and the three-way merge."""

import difflib
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lab import texts
from lab.errors import Exit, LabError
from lab.seams.changes import split_lines

MOST_CONFLICTS = 127
"""The highest exit code of `git merge-file` that counts conflicts; above it is an error."""

MOST_SHOWN = 30
"""Lines of a conflict to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A place where both sides changed the same lines in different ways."""

    line: int
    """Where it begins in the file that should take the change, from 1."""

    shown: str
    """Both sides, between the usual markers."""


def version_at_head(file: Path) -> bytes | None:
    """Return the bytes of `file` in the last commit; None: there is no git, or no such file."""
    try:
        done = subprocess.run(
            ["git", "cat-file", "blob", f"HEAD:./{file.name}"],
            cwd=file.parent,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:  # git is not installed
        return None
    return done.stdout if done.returncode == 0 else None


def merge(ours: bytes, base: bytes, theirs: bytes, *, names: tuple[str, str]) -> bytes | Conflict:
    """Bring the change from `base` to `theirs` into `ours`.

    Args:
        ours: The file that should take the change.
        base: The file that was changed, as it was before.
        theirs: The same file, as it is now.
        names: What a conflict calls `ours` and `theirs`.

    Raises:
        LabError: git is not installed, or cannot merge these files.
    """
    with tempfile.TemporaryDirectory(prefix="lab-merge-") as scratch:
        files = [Path(scratch) / name for name in ("ours", "base", "theirs")]
        for file, data in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(data)
        labels = [part for name in (names[0], "before", names[1]) for part in ("-L", name)]
        command = ["git", "-c", "merge.conflictStyle=merge", "merge-file", "--stdout", *labels]
        try:
            done = subprocess.run([*command, *files], capture_output=True, check=False)
        except FileNotFoundError as error:
            raise LabError(texts.NO_GIT_TO_MERGE, code=Exit.SETUP) from error
    if done.returncode > MOST_CONFLICTS:
        said = done.stderr.decode(errors="replace").strip()
        raise LabError(texts.CANNOT_MERGE.format(error=said), code=Exit.WRONG)
    return _first_conflict(ours, done.stdout, names) if done.returncode else done.stdout


def _first_conflict(ours: bytes, merged: bytes, names: tuple[str, str]) -> Conflict:
    """Find the first conflict in the output of git, and its place in `ours`."""
    lines = split_lines(merged)
    bare = [line.rstrip(b"\r\n") for line in lines]
    start = bare.index(f"<<<<<<< {names[0]}".encode())
    end = bare.index(f">>>>>>> {names[1]}".encode(), start)
    block = lines[start : min(end + 1, start + MOST_SHOWN)]
    return Conflict(
        line=_place_in(split_lines(ours), lines, start) + 1,
        shown=b"".join(block).decode("utf-8", errors="replace").rstrip("\n"),
    )


def _place_in(original: list[bytes], merged: list[bytes], index: int) -> int:
    """Return the index in `original` at which the line `index` of `merged` came in."""
    matcher = difflib.SequenceMatcher(None, original, merged, autojunk=False)
    for _, start, _, merged_start, merged_end in matcher.get_opcodes():
        if merged_start <= index < merged_end:
            return start
    raise ValueError(f"no line {index} in {len(merged)} lines")

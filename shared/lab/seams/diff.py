"""The difference between two steps, in the order in which to teach it."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from lab import texts
from lab.contract import LABS, Step, in_order
from lab.errors import LabError
from lab.seams.changes import Change, Kind, compare_folders, pick_file, split_lines, unified_lines
from lab.seams.diff_page import render_page

COLOURS = ((b"#", "bold cyan"), (b"@@", "magenta"), (b"+", "green"), (b"-", "red"))
"""How a line begins, and how it is shown on a terminal; the first that fits."""

FILE_HEADERS: dict[Kind, bytes] = {
    "new": b"new file mode 100644\n",
    "gone": b"deleted file mode 100644\n",
}
EMPTY_FILE: dict[Kind, bytes] = {
    "new": b"index 0000000..e69de29\n",
    "gone": b"index e69de29..0000000\n",
}
"""What git writes between the header and the hunks; the numbers are its hash of no bytes."""


def steps_between(course: Sequence[Step], start: Step, end: Step) -> list[Step]:
    """Return the steps from `start` to `end`, both included.

    Raises:
        LabError: `end` does not come after `start`.
    """
    if end.number <= start.number:
        raise LabError(texts.DIFF_BACKWARDS.format(start=start.id, end=end.id))
    return list(course[start.number - 1 : end.number])


def find_changes(path: Sequence[Step], file: str | None = None, *, labs: Path) -> list[Change]:
    """Return the files that differ between the ends of `path`, in teaching order.

    Args:
        path: The steps from one to the other, both included.
        file: Only this one; see `pick_file`.
        labs: The folder that holds the steps' folders.

    Raises:
        LabError: neither step has the file.
    """
    start, end = path[0], path[-1]
    changes = compare_folders(labs / start.id, labs / end.id)
    names = in_order(changes, end)
    if file is not None:
        names = [pick_file(file, names, where=f"{start.id} and {end.id}")]
    return [changes[name] for name in names if changes[name].kind != "carried"]


def find_reasons(file: str, path: Sequence[Step]) -> list[str]:
    """Return what the contract says about a file in every step after the first of `path`."""
    found = [
        texts.DIFF_REASON.format(step=step.id, kind=kind, why=files[file])
        for step in path[1:]
        for kind, files in (("new", step.new), ("changed", step.changed), ("gone", step.gone))
        if file in files
    ]
    return found or [texts.DIFF_UNDECLARED]


def patch_lines(change: Change, reasons: Sequence[str]) -> Iterator[bytes]:
    """Yield one file's part of a patch that `git apply` and `patch -p1` take.

    The lines in front, "# ..." with the reasons, are passed over by both.
    """
    name = change.file
    for text in (name, *(f"  {reason}" for reason in reasons)):
        yield f"# {text}\n".encode()
    yield f"diff --git a/{name} b/{name}\n".encode()
    if change.kind in FILE_HEADERS:
        yield FILE_HEADERS[change.kind]
    hunks = unified_lines(change)
    if hunks:
        yield b"--- /dev/null\n" if change.old is None else f"--- a/{name}\n".encode()
        yield b"+++ /dev/null\n" if change.new is None else f"+++ b/{name}\n".encode()
    else:  # an empty file that comes or goes; `patch` wants to see that it is empty
        yield EMPTY_FILE[change.kind]
    yield from hunks


def make_patch(path: Sequence[Step], file: str | None = None, *, labs: Path = LABS) -> bytes:
    """Return what turns the first step of `path` into the last, byte for byte."""
    changes = find_changes(path, file, labs=labs)
    return b"".join(
        line for change in changes for line in patch_lines(change, find_reasons(change.file, path))
    )


def show_diff(path: Sequence[Step], file: str | None = None, *, labs: Path = LABS) -> None:
    """Print the patch: in colour on a terminal, its plain bytes on a pipe."""
    patch = make_patch(path, file, labs=labs)
    if not patch:
        print(_no_difference(path, file), file=sys.stderr)
    elif sys.stdout.isatty():
        console = Console(highlight=False, soft_wrap=True)
        for line in split_lines(patch):
            console.print(colour_line(line.rstrip(b"\r\n")))
    else:
        sys.stdout.buffer.write(patch)


def colour_line(line: bytes) -> Text:
    """Return one line of a patch as it is shown on a terminal."""
    style = next((style for start, style in COLOURS if line.startswith(start)), "")
    return Text(line.decode("utf-8", errors="replace"), style=style)


def write_page(
    page: Path,
    path: Sequence[Step],
    file: str | None = None,
    *,
    labs: Path = LABS,
    force: bool = False,
) -> None:
    """Write the difference as one page for a browser, without a link to anything outside.

    Raises:
        LabError: the file exists and `force` is not set, it cannot be written, or
            there is no difference to show.
    """
    changes = find_changes(path, file, labs=labs)
    if not changes:
        raise LabError(_no_difference(path, file))
    text = render_page(path, [(change, find_reasons(change.file, path)) for change in changes])
    try:
        with page.open("w" if force else "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise LabError(texts.PAGE_EXISTS.format(path=page)) from error
    except OSError as error:
        raise LabError(texts.PAGE_NOT_WRITABLE.format(path=page, error=error.strerror)) from error
    print(texts.PAGE_WRITTEN.format(path=page))


def _no_difference(path: Sequence[Step], file: str | None) -> str:
    what = file or texts.DIFF_EVERYTHING
    return texts.DIFF_SAME.format(file=what, start=path[0].id, end=path[-1].id)

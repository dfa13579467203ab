"""Make a learner's workspace: the step before, and a list of what to build.

Whoever starts a step gets its page, its package file and its recorded output, and
finds the program as the step before left it. Never overwrites anything.
"""

import os
from pathlib import Path

from lab import texts
from lab.contract import ROOT, Step, step_before
from lab.errors import LabError
from lab.practice.build_page import build_page

GIVEN = ("README.md", "pyproject.toml", "expected-output.txt", "mini_agent/__init__.py")
"""What a workspace has from the new step itself: what one is not asked to write."""


def start_workspace(step: Step, folder: Path) -> str:
    """Make a workspace for `step` in `folder`, and return what to say about it.

    Args:
        step: The step that the learner is going to build.
        folder: A folder that does not exist yet, or an empty one, outside the checkout.

    Raises:
        LabError: the folder is refused, or could not be written; it is then as it was.
    """
    try:
        _refuse_unfit(folder)
        contents = {name: path.read_bytes() for name, path in starting_files(step).items()}
        contents["BUILD.md"] = build_page(step, given=GIVEN).encode("utf-8")
        _write_all(folder, contents)
    except OSError as error:
        raise LabError(texts.WORKSPACE_FAILED.format(folder=folder, error=error)) from error
    return texts.WORKSPACE_MADE.format(folder=_short(folder), step=step.id, number=step.number)


def starting_files(step: Step) -> dict[str, Path]:
    """Return the files of a workspace, each with the place where its content comes from."""
    before = step_before(step)
    files = {}
    if before:
        stays = (name for name in before.files if name not in step.gone)
        files = {name: before.folder / name for name in stays}
    return {**files, **{name: step.folder / name for name in GIVEN}}


def _refuse_unfit(folder: Path) -> None:
    real = folder.resolve()
    if any(part.exists() and part.samefile(ROOT) for part in (real, *real.parents)):
        raise LabError(texts.WORKSPACE_INSIDE.format(folder=folder, root=ROOT))
    if folder.is_dir():
        if any(folder.iterdir()):
            raise LabError(texts.WORKSPACE_NOT_EMPTY.format(folder=folder))
    elif folder.exists() or folder.is_symlink():
        raise LabError(texts.WORKSPACE_NOT_A_FOLDER.format(folder=folder))


def _write_all(folder: Path, contents: dict[str, bytes]) -> None:
    """Write every file, or leave everything as it was."""
    made: list[Path] = []  # in the order of making, so that a folder comes before what is in it
    try:
        for name, content in contents.items():
            path = folder / name
            for parent in reversed(path.parents):
                if not parent.exists():
                    parent.mkdir()
                    made.append(parent)
            with path.open("xb") as file:
                made.append(path)
                file.write(content)
    except BaseException:
        for path in reversed(made):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()
        raise


def _short(folder: Path) -> str:
    """Return a folder as one would type it: below the home as "~/...", else in full."""
    path, home = Path(os.path.abspath(folder)), Path(os.path.expanduser("~"))
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)

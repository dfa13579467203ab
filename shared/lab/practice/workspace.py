"""Make a learner's workspace: the step before, and a list of what to build.

Whoever starts a step gets its page, its package file and its recorded output, and
finds the program as the step before left it. Never overwrites anything.
"""

import os
import shutil
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path

from conformance.report import Verdict
from lab import texts
from lab.contract import ROOT, Step, files_in, step_before
from lab.errors import LabError
from lab.practice.build_page import build_page
from lab.practice.place import step_of_workspace
from lab.practice.stubs import stub_of

GIVEN = ("README.md", "pyproject.toml", "expected-output.txt", "mini_agent/__init__.py")
"""What a workspace has from the new step itself: what one is not asked to write."""


def start_workspace(
    step: Step, folder: Path, *, mine: Path | None = None, bare: bool = False
) -> str:
    """Make a workspace for `step` in `folder`, and return what to say about it.

    Args:
        step: The step that the learner is going to build.
        folder: A folder that does not exist yet, or an empty one, outside the checkout.
        mine: The learner's own step before, to go on from. None: that of the course.
        bare: Without given files and stubs: only the page says what to do.

    Raises:
        LabError: a folder is refused, or could not be written; it is then as it was.
    """
    try:
        _refuse_unfit(folder)
        contents = starting_files(step, bare=bare)
        replaced: list[str] = []
        if mine is not None:
            own = _files_of(mine, step, folder)
            replaced = replaced_by_given(own, step) if not bare else []
            contents = own | {
                name: content for name, content in contents.items() if _is_new_here(name, step)
            }
        contents["BUILD.md"] = build_page(step).encode("utf-8")
        _write_all(folder, contents)
    except OSError as error:
        raise LabError(texts.WORKSPACE_FAILED.format(folder=folder, error=error)) from error
    _begin_history(folder)
    told = texts.WORKSPACE_MADE.format(folder=_short(folder), step=step.id)
    return told + (texts.WORKSPACE_REPLACED.format(files=", ".join(replaced)) if replaced else "")


def _files_of(mine: Path, step: Step, folder: Path) -> dict[str, bytes]:
    """Return what the learner's own folder holds of the step before.

    Raises:
        LabError: it is of another step, or does not pass.
    """
    from conformance.suite import check  # noqa: PLC0415  # only who has a folder waits for it

    before = step_before(step)
    if before is None:
        raise LabError(texts.FROM_OTHER.format(mine=mine, made_for="-", step=step.id, before="-"))
    if mine.resolve() == folder.resolve():
        raise LabError(texts.FROM_ITSELF.format(mine=mine, folder=folder))
    made_for = step_of_workspace(mine)
    if made_for is not None and made_for != before:
        raise LabError(
            texts.FROM_OTHER.format(mine=mine, made_for=made_for.id, step=step.id, before=before.id)
        )
    if check(before, mine).verdict is not Verdict.PASSED:
        raise LabError(
            texts.FROM_UNFINISHED.format(
                mine=mine, step=step.id, before=before.id, number=before.number
            )
        )
    return {name: (mine / name).read_bytes() for name in files_in(mine) if name not in step.gone}


def replaced_by_given(own: Mapping[str, bytes], step: Step) -> list[str]:
    """Return which files of the learner give way to those that are given, and are not the same."""
    before = step_before(step)
    assert before is not None  # or there were no files of its own
    known = [name for name in step.given if name in own and name in before.files]
    return [name for name in known if own[name] != (before.folder / name).read_bytes()]


def _is_new_here(name: str, step: Step) -> bool:
    """Tell whether a file comes with the step, and not from the one before it."""
    return name in {*GIVEN, *step.given, *step.new}


def _begin_history(folder: Path) -> None:
    """Make a git repository with all of it, where there is git: what is built shows as a change."""
    git = shutil.which("git")
    if git is None:
        return
    who = ("-c", "user.name=lab", "-c", "user.email=lab@localhost", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "As `lab start` made it")):
        done = subprocess.run([git, *words], cwd=folder, capture_output=True, check=False)
        if done.returncode:  # a workspace is one without a history, too
            return


def starting_files(step: Step, *, bare: bool = False) -> dict[str, bytes]:
    """Return what a workspace begins with, by file: the step before, what is given, and stubs.

    `bare`: without what is given beyond `GIVEN`, and without stubs.
    """
    return files_when_built(step, built=(), bare=bare)


def files_when_built(step: Step, *, built: Collection[str], bare: bool = False) -> dict[str, bytes]:
    """Return the files of a workspace in which the files `built` are as in the reference."""
    before = step_before(step)
    files: dict[str, bytes] = {}
    if before:
        stays = (name for name in before.files if name not in step.gone)
        files = {name: (before.folder / name).read_bytes() for name in stays}
    ready = GIVEN if bare else (*GIVEN, *step.given)
    files |= {name: (step.folder / name).read_bytes() for name in (*ready, *built)}
    if not bare:
        for name in to_build(step):
            if name not in built and name in step.new:
                source = (step.folder / name).read_text(encoding="utf-8")
                files[name] = stub_of(source).encode("utf-8")
    return files


def to_build(step: Step) -> tuple[str, ...]:
    """Return the files that a learner builds, in the order of the sittings."""
    return tuple(file for sitting in step.sittings for file in sitting.build)


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

"""Which folder is meant, and which step it is held to: a workspace knows both by itself."""

import re
from dataclasses import dataclass
from pathlib import Path

from lab import texts
from lab.contract import Step, built_steps, find_step
from lab.errors import LabError

PAGE = "BUILD.md"
TITLE = re.compile(r"^# Build (step\d\d-[a-z-]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder, and the step that it is held to."""

    step: Step
    folder: Path

    is_workspace: bool
    """It was made by `lab start`, and is built sitting by sitting."""


def find_place(step: str | None, folder: Path | None) -> Place:
    """Return what the user means: by name, or because he stands in a workspace.

    Raises:
        LabError: there is no workspace here, or it is one of another step.
    """
    if step is not None and folder is None and ("/" in step or step in (".", "..")):
        folder, step = Path(step), None  # `lab check .`
    here = folder.expanduser() if folder else workspace_around(Path.cwd())
    if here is None:
        if step is None:
            raise LabError(texts.NO_WORKSPACE)
        found = find_step(step)
        return Place(step=found, folder=found.folder, is_workspace=False)
    made_for = step_of_workspace(here)
    if step is None:
        if made_for is None:
            raise LabError(texts.NOT_A_WORKSPACE.format(folder=here))
        return Place(step=made_for, folder=here, is_workspace=True)
    found = find_step(step)
    if made_for is not None and made_for != found:
        raise LabError(
            texts.OTHER_WORKSPACE.format(
                folder=here, step=made_for.id, wanted=found.number, other=made_for.number
            )
        )
    return Place(step=found, folder=here, is_workspace=made_for is not None)


def workspace_around(folder: Path) -> Path | None:
    """Return the workspace in which `folder` lies, or None."""
    return next((one for one in (folder, *folder.parents) if (one / PAGE).is_file()), None)


def step_of_workspace(folder: Path) -> Step | None:
    """Return the step that a workspace was made for; None: it is none.

    Raises:
        LabError: its page names no step of this course.
    """
    page = folder / PAGE
    if not page.is_file():
        return None
    named = TITLE.search(page.read_text(encoding="utf-8", errors="replace"))
    if named is None:
        raise LabError(texts.BAD_PAGE.format(page=page))
    known = {step.id: step for step in built_steps()}
    if named[1] not in known:
        raise LabError(texts.OLD_PAGE.format(page=page, step=named[1]))
    return known[named[1]]

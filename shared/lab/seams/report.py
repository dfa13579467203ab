"""The seams between the steps: recomputed from the bytes, and compared."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from lab import texts
from lab.contract import LABS, Step
from lab.errors import Exit, LabError
from lab.seams.changes import Change, Kind
from lab.seams.drift import built_pairs, changes_of, find_drifts


def check_seams(course: Sequence[Step], labs: Path = LABS) -> None:
    """Print one line per built step, and compare every step with the contract.

    Args:
        course: All steps from the first on, those that are still coming included.
        labs: The folder that holds the steps' folders.

    Raises:
        LabError: contract and bytes do not agree; the message lists every place.
    """
    for before, step in built_pairs(course):
        print(describe(step, changes_of(before, step, labs)))
    drifts = find_drifts(course, labs)
    if drifts:
        listed = "\n".join(f"  {drift}" for drift in drifts)
        raise LabError(
            texts.SEAMS_DRIFTED.format(count=len(drifts), drifts=listed), code=Exit.WRONG
        )


def describe(step: Step, changes: dict[str, Change]) -> str:
    """Return the numbers of a step's files in one line."""
    found = [change.kind for change in changes.values()]
    return texts.SEAM.format(step=step.id, **{kind: found.count(kind) for kind in get_args(Kind)})

"""The seams between the steps: recomputed from the bytes, compared, and in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from lab import texts
from lab.contract import LABS, Step, step_before
from lab.errors import Exit, LabError
from lab.seams.changes import Change, Kind, count_changed_lines
from lab.seams.drift import built_pairs, changes_of, find_drifts, package_of
from lab.seams.outline import body_lengths, public_names


@dataclass(frozen=True, slots=True, kw_only=True)
class SeamFacts:
    """A step in numbers, against the step before it."""

    files: dict[Kind, int]
    new_names: tuple[str, ...]
    """Public names that the step before does not define, as "module.name"."""

    lines_added: int
    lines_removed: int
    """In Python files, as the diff shows them."""

    body_lengths: dict[str, int]
    """Lines in the body of every function, by "module.function"; see `lab.seams.outline`."""

    @property
    def lines_changed(self) -> int:
        """The lines that a reader of the diff has to look at."""
        return self.lines_added + self.lines_removed

    @property
    def body_median(self) -> float:
        """The length of the function in the middle; 0 without functions."""
        return median(self.body_lengths.values()) if self.body_lengths else 0

    @property
    def body_longest(self) -> int:
        """The length of the longest function; 0 without functions."""
        return max(self.body_lengths.values(), default=0)


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
    return texts.SEAM.format(step=step.id, **_count_kinds(changes))


def seam_facts(step: Step, *, labs: Path = LABS) -> SeamFacts:
    """Return the numbers of one step; chapters and READMEs take them from here."""
    before = step_before(step)
    changes = changes_of(before, step, labs)
    counts = [count_changed_lines(c) for file, c in changes.items() if file.endswith(".py")]
    known = public_names(package_of(before, labs)) if before else frozenset()
    return SeamFacts(
        files=_count_kinds(changes),
        new_names=tuple(sorted(public_names(package_of(step, labs)) - known)),
        lines_added=sum(added for added, _ in counts),
        lines_removed=sum(removed for _, removed in counts),
        body_lengths=body_lengths(package_of(step, labs)),
    )


def _count_kinds(changes: dict[str, Change]) -> dict[Kind, int]:
    counts: dict[Kind, int] = {"new": 0, "changed": 0, "gone": 0, "carried": 0}
    for change in changes.values():
        counts[change.kind] += 1
    return counts

"""A workspace, sitting by sitting: which are done, and how the first one that is not stands."""

from dataclasses import dataclass
from pathlib import Path

from conformance.report import Report, Verdict
from conformance.suite import check
from lab.contract import Sitting, Step
from lab.practice.stubs import unbuilt


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a workspace is."""

    step: Step
    folder: Path

    done: tuple[Sitting, ...]
    """Those whose checks all pass."""

    current: Sitting | None
    """The first one that is not done. None: all are."""

    to_build: tuple[str, ...]
    """What of it is not there yet: a file, or "file: function" where the body is still a stub."""

    report: Report
    """Of the current sitting; if there is none, of all of them."""

    @property
    def verdict(self) -> Verdict:
        """As of a report. While something is not there yet, nothing can be wrong about it."""
        if self.to_build and self.report.verdict is Verdict.WRONG:
            return Verdict.NOT_YET
        return self.report.verdict


def look_at(step: Step, folder: Path) -> Progress:
    """Run the checks of the sittings up to the first one in which something is to be built."""
    missing = {sitting.id: to_build(sitting, folder) for sitting in step.sittings}
    first = next((one for one in step.sittings if missing[one.id]), step.sittings[-1])
    reached = step.sittings[: step.sittings.index(first) + 1]
    report = check(step, folder, names=[name for one in reached for name in one.checks])
    done: list[Sitting] = []
    for sitting in reached:
        part = report.of(sitting.checks)
        is_green = not sitting.checks or part.verdict is Verdict.PASSED
        if missing[sitting.id] or not is_green:
            return Progress(
                step=step,
                folder=folder,
                done=tuple(done),
                current=sitting,
                to_build=tuple(missing[sitting.id]),
                report=part,
            )
        done.append(sitting)
    return Progress(
        step=step, folder=folder, done=tuple(done), current=None, to_build=(), report=report
    )


def to_build(sitting: Sitting, folder: Path) -> list[str]:
    """Return what of `sitting` is not there yet, as in `Progress.to_build`."""
    found = []
    for file in sitting.build:
        path = folder / file
        if not path.is_file():
            found.append(file)
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{file}: {name}" for name in unbuilt(text)]
    return found

"""What a run of the suite found, and the one word that sums it up."""

from collections.abc import Collection, Iterable
from enum import Enum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from lab import texts
from lab.errors import Exit

Outcome = Literal["passed", "failed", "late", "missing", "not-owed", "broken", "unfinished"]
"""How a check ended.

failed: wrong. late: not done in time, on a machine that is slow just now. missing: a part is
not there yet. broken: the suite itself could not run it. unfinished: it began, and no more was
heard of it.
"""

RECORDED = "expected-output.txt"
"""The one part that is not code: while it is missing, it excuses nothing."""

MOST_SHOWN = 12
"""Different faults that a report shows in full."""

MOST_NAMED = 8
"""Checks that a report names below a fault that they share."""


class Result(BaseModel):
    """One check, run once."""

    id: str
    """The name to select it by, like "shell::end_of_input[pipe]"."""

    title: str
    """What the check asks for, in one sentence."""

    since: int
    """The step from which on it is owed."""

    program: bool
    """It looks at a program from outside: any missing part may be the reason why it fails."""

    outcome: Outcome
    detail: str = ""

    @property
    def symptom(self) -> str:
        """What went wrong, without what was called: the same fault looks the same in all checks."""
        return self.detail.partition("\n")[2] or self.detail


def names_of(check_id: str) -> set[str]:
    """Return by what one can ask for a check: its id, also without the case, its file, its name."""
    plain = check_id.partition("[")[0]
    file, _, name = plain.partition("::")
    return {check_id, plain, file, name}


def begin_results(path: Path, count: int) -> None:
    """Begin the file of results with the number of checks that are going to run.

    A line per check follows when it begins ("unfinished") and another one when it is done:
    whatever the folder's code does to the process, one can see how far the run came.
    """
    path.write_text(f"{count}\n", encoding="utf-8")


def append_result(path: Path, result: Result) -> None:
    """Add a line to the file of results."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{result.model_dump_json()}\n")


def read_results(path: Path) -> tuple[int, list[Result]]:
    """Return how many checks there were to run, and the last that was heard of each."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if not lines:
        return 0, []
    results = (Result.model_validate_json(line) for line in lines[1:])
    return int(lines[0]), list({result.id: result for result in results}.values())


class Verdict(Enum):
    """The three-way answer, and the good one."""

    PASSED = "passed"
    NOT_YET = "not implemented yet (expected)"
    WRONG = "wrong"
    SETUP = "set-up problem"

    @property
    def exit_code(self) -> Exit:
        """The exit code of `lab check`."""
        return {
            Verdict.PASSED: Exit.OK,
            Verdict.NOT_YET: Exit.NOT_YET,
            Verdict.WRONG: Exit.WRONG,
            Verdict.SETUP: Exit.SETUP,
        }[self]


class Report(BaseModel):
    """All results of one run of the suite on one folder."""

    step: str
    folder: Path
    """The folder, as the caller named it."""

    number: int
    """The step's number."""

    collected: int = 0
    """Checks that were to run. Fewer results mean that the run was cut short."""

    results: list[Result] = []
    trouble: str = ""
    """Why nothing could be run, or not all of it; empty: no trouble."""

    def count(self, outcome: Outcome) -> int:
        """Return how many checks ended that way."""
        return sum(result.outcome == outcome for result in self.results)

    @property
    def failed(self) -> list[Result]:
        """The results that are wrong."""
        return [result for result in self.results if result.outcome == "failed"]

    @property
    def missing_parts(self) -> list[str]:
        """What is not there yet, each once, in the order in which the checks met it."""
        details = (result.detail for result in self.results if result.outcome == "missing")
        return list(dict.fromkeys(line for detail in details for line in detail.splitlines()))

    @property
    def faults(self) -> list[Result]:
        """The failures that no missing part can explain.

        While a part is missing, a program cannot say this step's lines; and what is
        owed since this very step is still being built.
        """
        if not set(self.missing_parts) - {RECORDED}:
            return self.failed
        return [r for r in self.failed if not r.program and r.since < self.number]

    @property
    def complete(self) -> bool:
        """Everything that was to run has run, and something was compared."""
        ended = all(r.outcome not in ("unfinished", "broken", "late") for r in self.results)
        return ended and len(self.results) == self.collected and _any_compared(self.results)

    def of(self, checks: Collection[str]) -> "Report":
        """Return the part of it that is about some checks, or files of checks."""
        results = [one for one in self.results if names_of(one.id) & set(checks)]
        return self.model_copy(update={"results": results, "collected": len(results)})

    @property
    def verdict(self) -> Verdict:
        """Sum up. Nothing compared is never a success, and neither is a run cut short."""
        if self.faults:
            return Verdict.WRONG
        if self.trouble or not self.complete:
            return Verdict.SETUP
        return Verdict.NOT_YET if self.missing_parts else Verdict.PASSED


def _any_compared(results: Iterable[Result]) -> bool:
    return any(result.outcome in ("passed", "failed", "missing") for result in results)


def render(report: Report) -> str:
    """Return the report as text: the verdict, what is missing, each different fault once."""
    parts = [_first_line(report)]
    if report.trouble:
        parts.append(report.trouble)
    if report.missing_parts:
        parts.append("\n".join([texts.MISSING_PARTS, *(f"  {p}" for p in report.missing_parts)]))
    if excused := len(report.failed) - len(report.faults):
        parts.append(texts.EXCUSED.format(count=excused))
    parts += _fault_texts(report.faults)
    parts += [f"{r.id}\n{r.detail}" for r in report.results if r.outcome == "broken"]
    return "\n\n".join(parts)


def _first_line(report: Report) -> str:
    line = texts.CHECKED.format(
        verdict=report.verdict.value, step=report.step, folder=report.folder
    )
    if not report.results:
        return line
    return line + texts.COUNTED.format(
        passed=report.count("passed"),
        failed=report.count("failed"),
        missing=report.count("missing"),
        not_owed=report.count("not-owed"),
    )


def _fault_texts(faults: list[Result]) -> list[str]:
    """Describe each different fault once; checks that fail in the same way are named below it."""
    alike: dict[str, list[Result]] = {}
    for fault in faults:
        alike.setdefault(fault.symptom, []).append(fault)
    shown = [_fault_text(first, others) for first, *others in alike.values()]
    if len(shown) > MOST_SHOWN:
        shown = [*shown[:MOST_SHOWN], texts.MORE_FAULTS.format(count=len(shown) - MOST_SHOWN)]
    return shown


def _fault_text(first: Result, others: list[Result]) -> str:
    lines = [f"{first.id}: {first.title}", *(f"  {line}" for line in first.detail.split("\n"))]
    if others:
        names = list(dict.fromkeys(other.id.partition("[")[0] for other in others))
        named = ", ".join([*names[:MOST_NAMED], *(["..."] if len(names) > MOST_NAMED else [])])
        lines.append(texts.SAME_FAULT.format(count=len(others), names=named))
    return "\n".join(lines)

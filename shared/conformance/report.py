"""What a run of the suite found, and the one word that sums it up."""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Literal

from lab.errors import Exit
from pydantic import BaseModel

Outcome = Literal["passed", "failed", "missing", "not-owed", "broken"]
"""failed: wrong. missing: a part is not there yet. broken: the suite itself could not run it."""


class Result(BaseModel):
    """One check, run once."""

    id: str
    """The name to select it by, like "shell::end_of_input[pipe]"."""

    title: str
    """What the check asks for, in one sentence."""

    since: int
    """The step from which on it is owed."""

    program: bool
    """It looks at a program from outside, so that any missing part may be the cause of a failure."""

    outcome: Outcome
    detail: str = ""


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
    number: int
    """The step's number."""

    results: list[Result] = []
    trouble: str = ""
    """Why nothing could be run, if so."""

    @property
    def failed(self) -> list[Result]:
        """The results that are wrong."""
        return [result for result in self.results if result.outcome in ("failed", "broken")]

    @property
    def missing_parts(self) -> list[str]:
        """What is not there yet, each once, in the order in which the checks met it."""
        found = (result.detail for result in self.results if result.outcome == "missing")
        return list(dict.fromkeys(found))

    @property
    def faults(self) -> list[Result]:
        """The failures that no missing part can explain.

        While a part is missing, a program cannot say this step's lines; and what is
        owed since this very step is still being built.
        """
        if not self.missing_parts:
            return self.failed
        return [r for r in self.failed if not r.program and r.since < self.number]

    @property
    def verdict(self) -> Verdict:
        """Sum up. Nothing compared is never a success."""
        if self.trouble or not _any_compared(self.results):
            return Verdict.SETUP
        if self.faults:
            return Verdict.WRONG
        return Verdict.NOT_YET if self.missing_parts else Verdict.PASSED


def _any_compared(results: Iterable[Result]) -> bool:
    return any(result.outcome in ("passed", "failed", "missing") for result in results)

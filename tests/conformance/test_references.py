from pathlib import Path

import pytest

from conformance.report import Report, Verdict, render
from conformance.suite import check
from lab.contract import Step, built_steps
from tests.conformance.folders import bytes_in, copy_step

EXPECTED = (
    "step01-hello-cli",
    "step02-fake-model",
    "step03-streaming",
    "step04-agent-loop",
    "step05-tools",
    "step06-sessions",
    "step07-extensions",
    "step08-real-provider",
    "step09-interaction",
    "step10-approvals",
    "step11-steering",
)
"""The steps that there are, by name: a list that finds nothing must not pass."""


def test_these_steps_are_built() -> None:
    assert tuple(step.id for step in built_steps()) == EXPECTED


@pytest.mark.parametrize("step", built_steps(), ids=lambda step: step.id)
def test_a_reference_passes_and_nothing_in_it_changes(step: Step, tmp_path: Path) -> None:
    folder = copy_step(step, tmp_path / "my-agent")
    files = bytes_in(folder)

    report = check(step, folder)

    assert report.verdict is Verdict.PASSED, render(report)
    assert bytes_in(folder) == files
    assert report.count("passed") > 100
    assert owed(report) == {result.id for result in report.results if result.outcome == "passed"}


def owed(report: Report) -> set[str]:
    """Return the checks of a report that the step owes."""
    return {result.id for result in report.results if result.outcome != "not-owed"}

"""Run the suite on a folder: the one way in, for `lab check` and for the suite's own tests."""

import subprocess
import sys
import tempfile
from pathlib import Path

from lab import texts
from lab.contract import Step
from lab.programs import clean_environment

from conformance.report import Report, Result

CHECKS = Path(__file__).parent / "checks"
TIME_LIMIT = 300
"""Seconds for a whole run; every single check has a limit of its own in `checks/pytest.ini`."""


def check(step: Step, folder: Path, *, select: str = "") -> Report:
    """Hold `folder` to what `step` owes.

    Args:
        step: Which step the folder claims to be.
        folder: Any folder with a `mini_agent` package in it; nothing in it is changed.
        select: A pytest `-k` expression; empty runs everything.
    """
    folder = folder.resolve()
    report = Report(step=step.id, folder=folder, number=step.number)
    report.trouble = _unfit(folder)
    if report.trouble:
        return report
    with tempfile.TemporaryDirectory(prefix="lab-check-") as scratch:
        results = Path(scratch) / "results.jsonl"
        command = [
            *(sys.executable, "-m", "pytest", "-c", str(CHECKS / "pytest.ini")),
            *("--rootdir", str(CHECKS), "-p", "conformance.plugin", "-p", "no:cacheprovider"),
            *("-p", "no:syrupy", "-q", "--no-header", "--step", step.id, "--folder", str(folder)),
            *("--results", str(results), str(CHECKS)),
            *(("-k", select) if select else ()),
        ]
        try:
            done = subprocess.run(
                command,
                cwd=scratch,
                env=clean_environment(Path(scratch)),
                capture_output=True,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            report.trouble = texts.SUITE_TIMED_OUT.format(seconds=TIME_LIMIT)
            return report
        if results.exists():
            lines = results.read_text(encoding="utf-8").splitlines()
            report.results = [Result.model_validate_json(line) for line in lines]
        if not report.results:
            output = (done.stdout + done.stderr).decode("utf-8", errors="replace")
            report.trouble = texts.SUITE_RAN_NOTHING.format(output=output.strip()[-2000:])
    return report


def _unfit(folder: Path) -> str:
    """Say why `folder` cannot be checked at all, or return an empty text."""
    if not folder.exists():
        return texts.NO_FOLDER.format(folder=folder)
    if not folder.is_dir():
        return texts.NOT_A_FOLDER.format(folder=folder)
    if not (folder / "mini_agent").is_dir():
        return texts.NO_PACKAGE.format(folder=folder)
    return ""

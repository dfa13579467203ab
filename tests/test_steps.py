"""The tests of the steps' own internals, each step in a process of its own.

Eleven packages share one import name: what is tested is whatever the working folder holds.
"""

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from lab.contract import ROOT, find_step

FOLDERS = sorted(path.name for path in (ROOT / "tests" / "steps").glob("step[0-9][0-9]"))


def test_there_are_such_tests() -> None:
    wanted = [f"step{number:02}" for number in range(3, 12)]
    assert wanted == FOLDERS


LATER = {
    "step03": ("step11", ["test_render.py"]),  # it renders one answer; from 04 on it is a run
    "step04": ("step11", ["test_toy_tools.py"]),  # gone in 05
    "step06": ("step11", []),
    "step07": ("step08", []),
    "step10": ("step11", []),
}
"""A later step that carries what these tests are about, and the files that do not hold there."""


@pytest.mark.parametrize("name", FOLDERS)
def test_internals(name: str) -> None:
    run_tests_of(name, on=name)


@pytest.mark.parametrize("name", LATER)
def test_internals_hold_in_a_later_step(name: str) -> None:
    later, gone = LATER[name]
    run_tests_of(name, on=later, without=gone)


def run_tests_of(name: str, *, on: str, without: Sequence[str] = ()) -> None:
    step, tests = find_step(on), ROOT / "tests" / "steps" / name
    assert all((tests / file).is_file() for file in without)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--no-header"),
            *("-c", str(ROOT / "pyproject.toml"), str(tests)),
            *(f"--ignore={tests / file}" for file in without),
        ],
        cwd=step.folder,
        env={
            **os.environ,
            "PYTHONPATH": str(step.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".cache" / "hypothesis"),
        },
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

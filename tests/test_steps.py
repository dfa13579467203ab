"""The tests of the steps' own internals, each step in a process of its own.

Eleven packages share one import name: what is tested is whatever the working folder holds.
"""

import os
import subprocess
import sys

import pytest

from lab.contract import ROOT, find_step

FOLDERS = sorted(path.name for path in (ROOT / "tests" / "steps").glob("step[0-9][0-9]"))


def test_there_are_such_tests() -> None:
    wanted = [f"step{number:02}" for number in range(3, 12)]
    assert wanted == FOLDERS


@pytest.mark.parametrize("name", FOLDERS)
def test_internals(name: str) -> None:
    step = find_step(name)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--no-header"),
            *("-c", str(ROOT / "pyproject.toml"), str(ROOT / "tests" / "steps" / name)),
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

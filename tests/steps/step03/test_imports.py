"""The first steps say all they have to say with the standard library and anyio."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LABS = Path.cwd().parent
"""These tests run in the step's own folder."""


@pytest.mark.parametrize("step", ["step02", "step03", "step04"])
def test_no_pydantic_is_loaded(step: str) -> None:
    (folder,) = LABS.glob(f"{step}-*")
    script = "import sys, mini_agent.demo; print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == "False\n"

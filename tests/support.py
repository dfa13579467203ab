"""Run `lab` as its users do: in a process of its own, on the checkout or on a copy of it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a call of `lab` ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Checkout:
    """A copy of the checkout, free to be spoiled."""

    root: Path

    def lab(self, *arguments: str, **environment: str) -> Ran:
        """Run `lab` on this copy."""
        return run_lab(*arguments, PYTHONPATH=str(self.root / "shared"), **environment)


def run_lab(*arguments: str, **environment: str) -> Ran:
    """Run `lab` in a process of its own, on a pipe, outside of CI."""
    quiet = {name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS")}
    done = subprocess.run(
        [sys.executable, "-m", "lab", *arguments],
        env={**quiet, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Ran(code=done.returncode, out=done.stdout, err=done.stderr)

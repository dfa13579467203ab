"""What all tests share: the `lab` command, and a copy of the checkout to spoil."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.contract import ROOT
from tests.support import Checkout, Ran, run_lab

COPIED = ("labs", "shared", "docs", "pyproject.toml", "constraints.txt", "README.md", "Makefile")


def pytest_configure(config: pytest.Config) -> None:
    """Recorded results are never changed by CI, nor by a run that also compares."""
    if config.getoption("update_snapshots", default=False) and os.environ.get("CI"):
        raise pytest.UsageError("CI compares and never records: no --snapshot-update here")


@pytest.fixture
def lab() -> Callable[..., Ran]:
    """Return a function that runs `lab` on the real checkout."""
    return run_lab


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return a copy of the checkout."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    return Checkout(tmp_path)

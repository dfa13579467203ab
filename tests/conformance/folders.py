"""Folders for the suite to look at."""

import shutil
from pathlib import Path

from lab.contract import Step


def copy_step(step: Step, folder: Path) -> Path:
    """Copy the reference of a step into `folder`, and return it."""
    shutil.copytree(step.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Return all that lies in a folder, caches included, by name."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

"""A learner's folder beside the reference: what is different, file by file."""

import difflib
from pathlib import Path

from lab.contract import Step, files_in


def differences(step: Step, folder: Path) -> str:
    """Return a unified diff from the learner's package to the reference; "" if there is none."""
    theirs = (name for name in files_in(folder) if name.startswith("mini_agent/"))
    names = dict.fromkeys([*step.files, *theirs])
    return "".join(
        line
        for name in names
        if name.endswith(".py")
        for line in difflib.unified_diff(
            _lines(folder / name), _lines(step.folder / name), f"yours/{name}", f"reference/{name}"
        )
    )


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        return []
    return path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)

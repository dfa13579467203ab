"""A made-up course in a temporary folder, with as many steps as a test needs."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.contract import Step

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@dataclass(frozen=True, kw_only=True)
class Course:
    """The folder that holds the steps' folders, and what a contract says of them."""

    labs: Path
    steps: Sequence[Step]

    def file(self, number: int, name: str) -> Path:
        """Return the path of a file in a step."""
        return self.labs / self.steps[number - 1].id / name

    def snapshot(self) -> dict[str, bytes]:
        """Return the bytes of every file in every step."""
        files = (path for path in self.labs.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files if ".git" not in path.parts}


def make_course(labs: Path, *steps: Mapping[str, bytes]) -> Course:
    """Write one folder per step, with these files in it."""
    made = []
    for number, files in enumerate(steps, start=1):
        made.append(Step(id=f"step{number:02}-made-up", en="made up", zh="虚构的一步"))
        for name, data in files.items():
            target = labs / made[-1].id / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return Course(labs=labs, steps=made)


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> None:
    """Run git in a folder, without anybody's settings and without the repository around it."""
    done = subprocess.run(
        ["git", "-c", "user.name=Test", "-c", "user.email=test@localhost", *arguments],
        cwd=folder,
        env=git_environment(),
        input=stdin,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


def git_environment() -> dict[str, str]:
    """Return this process's environment without what steers git."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def commit_all(folder: Path) -> None:
    """Make a repository of a folder, with everything in one commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "as it was")

"""A clean copy of the checkout, with a home and an environment of its own."""

import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from lab import texts
from lab.errors import Exit, LabError
from lab.programs import clean_environment

CHECKOUT = "mini-agent-harness-lab"
"""What the copy is called, in its home."""

INSIDE = "LAB_DOCS_RUNNING"
"""Set while the commands of a chapter run, so that none of them begins all over again."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A home with a checkout in it, as a reader has it after cloning and setting up."""

    scratch: Path
    root: Path
    """The checkout that was copied."""

    @property
    def home(self) -> Path:
        """The home of whoever types the commands."""
        return self.scratch / "home"

    @property
    def checkout(self) -> Path:
        """The copy of the checkout."""
        return self.home / CHECKOUT

    @property
    def environment(self) -> dict[str, str]:
        """Variables without any key, with the `python` and `lab` of the copy."""
        variables = clean_environment(self.home)
        programs = (self.checkout / ".venv" / "bin", Path(sys.executable).parent)
        return {
            **variables,
            "PATH": os.pathsep.join([*map(str, programs), variables["PATH"]]),
            "PYTHONUNBUFFERED": "1",  # output and errors in the order of a terminal
            INSIDE: "1",
        }

    def hide_places(self, text: str) -> str:
        """Take the folders of this machine out of a text: a reader has other ones."""
        shown = f"~/{CHECKOUT}"
        for place, instead in (
            (str(self.home / "tmp"), "/tmp"),
            (str(self.home), "~"),
            (sys.prefix, f"{shown}/.venv"),
            (str(self.root), shown),
            (sys.base_prefix, "/usr"),
        ):
            text = text.replace(place, instead)
        return text


def make_sandbox(root: Path, scratch: Path) -> Sandbox:
    """Copy the checkout at `root` into `scratch`, and make `python` and `lab` for it.

    Raises:
        LabError: `root` is not a git checkout.
    """
    sandbox = Sandbox(scratch.resolve(), root.resolve())
    sandbox.checkout.mkdir(parents=True)
    copy_checkout(root, sandbox.checkout)
    make_environment(sandbox.checkout)
    return sandbox


def copy_checkout(root: Path, target: Path) -> None:
    """Copy all that git tracks, or would track if it were added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        capture_output=True,
        check=False,
    )
    if listed.returncode != 0:
        error = os.fsdecode(listed.stderr).strip()
        raise LabError(texts.DOCS_NO_GIT.format(root=root, error=error), code=Exit.SETUP)
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        source = root / name
        if source.is_file():  # a tracked file may be deleted, a link may lead nowhere
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name, follow_symlinks=False)


def make_environment(checkout: Path) -> None:
    """Make the `.venv` of a copy: its own `lab`, and the packages that are installed here."""
    folder = checkout / ".venv"
    venv.EnvBuilder(symlinks=True).create(folder)
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder)}))
    here = sysconfig.get_path("purelib")
    (packages / "lab.pth").write_text(f"{checkout / 'shared'}\n{here}\n", encoding="utf-8")
    command = folder / "bin" / "lab"
    command.write_text(f'#!/bin/sh\nexec "{folder}/bin/python" -m lab "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    bootstrap = checkout / "shared" / "bootstrap.py"
    if bootstrap.is_file():  # so that `make` finds the set-up done
        names = runpy.run_path(str(bootstrap))
        names["write"](names["STAMP"], names["fingerprint"]())

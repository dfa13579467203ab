"""A clean copy of the checkout, with a home and an environment of its own."""

import os
import shutil
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

import bootstrap
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
    """Copy the checkout at `root` into `scratch`, and make `python` and `lab` for it."""
    sandbox = Sandbox(scratch.resolve(), root.resolve())
    copy_checkout(sandbox.root, sandbox.checkout)
    make_environment(sandbox.checkout)
    return sandbox


def copy_checkout(root: Path, target: Path) -> None:
    """Copy all that `.gitignore` does not name.

    Git is not asked: there may be none, and a checkout that was unpacked inside another
    repository has only that one's rules.
    """
    rules = root / ".gitignore"
    lines = rules.read_text(encoding="utf-8").splitlines() if rules.is_file() else []
    ignored = GitIgnoreSpec.from_lines([*lines, ".git", ".venv/"])

    def leave_out(folder: str, names: list[str]) -> list[str]:
        paths = {name: Path(folder, name) for name in names}
        shown = {name: path.relative_to(root).as_posix() for name, path in paths.items()}
        return [n for n in names if ignored.match_file(shown[n] + "/" * paths[n].is_dir())]

    shutil.copytree(root, target, ignore=leave_out, symlinks=True)


def make_environment(checkout: Path) -> None:
    """Make the `.venv` of a copy: its own `lab`, and the packages that are installed here."""
    folder = checkout / ".venv"
    venv.EnvBuilder(symlinks=True).create(folder)
    (folder / "packages").symlink_to(sysconfig.get_path("purelib"))
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder)}))
    # relative, as in bootstrap.py: the path of the checkout may hold any letters
    (packages / "packages.pth").write_text("../../../packages\n", encoding="utf-8")
    bootstrap.link_lab(str(folder))
    if (checkout / "constraints.txt").is_file():  # so that `make` finds the set-up done
        stamp = folder / os.path.basename(bootstrap.STAMP)
        bootstrap.write(str(stamp), bootstrap.fingerprint(str(checkout)))

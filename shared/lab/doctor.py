"""Look at what the lab stands on, and say how to mend what is not as it should be."""

import locale
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lab import texts
from lab.contract import LABS, ROOT, built_steps


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    found: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return it as one line, and a second one with the remedy where one is needed."""
        line = f"{'ok ' if self.ok else 'BAD'}  {self.name:<12} {self.found}"
        return line if self.ok else f"{line}\n     {'':<12} {texts.REMEDY}: {self.remedy}"


def examine() -> list[Finding]:
    """Look at everything, in the order in which a remedy would have to be applied."""
    looks: tuple[Callable[[], Finding], ...] = (
        python,
        environment,
        encoding,
        terminal,
        write_access,
        line_ends,
        git,
    )
    return [look() for look in looks]


def python() -> Finding:
    """3.11 or later, on a system the course supports."""
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        name="python",
        ok=sys.version_info >= (3, 11) and sys.platform != "win32",
        found=f"{version} on {sys.platform}",
        remedy=texts.REMEDY_PYTHON,
    )


def environment() -> Finding:
    """The interpreter is the one of the lab's own `.venv`."""
    inside = Path(sys.prefix).resolve() == (ROOT / ".venv").resolve()
    return Finding(
        name="environment",
        ok=inside,
        found=".venv" if inside else texts.FOREIGN_ENVIRONMENT,
        remedy=texts.REMEDY_ENVIRONMENT,
    )


def encoding() -> Finding:
    """The locale writes UTF-8. The steps do so anyway; line editing needs it too."""
    name = locale.getencoding().lower().replace("-", "")
    return Finding(
        name="encoding",
        ok=name == "utf8",
        found=f"{locale.getencoding()} (LC_ALL={os.environ.get('LC_ALL', '')!r})",
        remedy=texts.REMEDY_ENCODING,
    )


def terminal() -> Finding:
    """There is a terminal, and line editing in it. Without one the demos still run."""
    if not sys.stdin.isatty():
        return Finding(name="terminal", ok=True, found=texts.NO_TERMINAL)
    try:
        import readline
    except ImportError:
        return Finding(
            name="terminal", ok=False, found=texts.NO_READLINE, remedy=texts.REMEDY_READLINE
        )
    kind = getattr(readline, "backend", "readline")
    return Finding(name="terminal", ok=True, found=f"{os.environ.get('TERM', '?')}, {kind}")


def write_access() -> Finding:
    """The temporary folder and the checkout can be written to."""
    for folder in (Path(tempfile.gettempdir()), ROOT):
        if not os.access(folder, os.W_OK):
            found = texts.NOT_WRITABLE.format(folder=folder)
            return Finding(name="write access", ok=False, found=found, remedy=texts.REMEDY_WRITE)
    return Finding(name="write access", ok=True, found=texts.WRITABLE)


def line_ends() -> Finding:
    """The recorded outputs hold no CR: git did not convert them on checkout."""
    bad = [step.id for step in built_steps() if b"\r" in step.expected.read_bytes()]
    return Finding(
        name="line ends",
        ok=not bad,
        found=texts.CRLF_FOUND.format(names=", ".join(bad)) if bad else f"LF in {LABS.name}/",
        remedy=texts.REMEDY_LINE_ENDS,
    )


def git() -> Finding:
    """Git is there: `lab diff` does without it, `lab carry` and the tasks do not."""
    path = shutil.which("git")
    if path is None:
        return Finding(name="git", ok=False, found=texts.NO_GIT, remedy=texts.REMEDY_GIT)
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return Finding(name="git", ok=True, found=version.stdout.strip())

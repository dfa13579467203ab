"""Look at what the lab stands on, and say how to mend what is not as it should be."""

import locale
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
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
        variables,
        encoding,
        terminal,
        write_access,
        home,
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


def variables() -> Finding:
    """No variable for everyday work gets in the way of Python or pip."""
    found = dict(_led_away())
    return Finding(
        name="variables",
        ok=not found,
        found="; ".join(found.values()) or texts.NO_VARIABLES,
        remedy=texts.REMEDY_VARIABLES.format(names=" ".join(found)),
    )


def _led_away() -> Iterator[tuple[str, str]]:
    """Yield each variable that is in the way, and what it does."""
    for name, value in os.environ.items():
        if name.lower().endswith("_proxy") and value.lower().startswith("socks"):
            yield name, texts.SOCKS.format(name=name)
    if os.environ.get("PYTHONSAFEPATH"):
        yield "PYTHONSAFEPATH", texts.UNSAFE_PATH.format(name="PYTHONSAFEPATH")
    ours = {"mini_agent", *sys.stdlib_module_names, *_modules_in(sysconfig.get_path("purelib"))}
    named = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    theirs = {name for folder in named for name in _modules_in(folder)}
    if hidden := ", ".join(sorted(ours & theirs)):
        yield "PYTHONPATH", texts.HIDES.format(name="PYTHONPATH", hidden=hidden)


def _modules_in(folder: str) -> set[str]:
    """Return the names of what can be imported from a folder; it may not be there."""
    paths = [*Path(folder).glob("*/__init__.py"), *Path(folder).glob("*.py")]
    return {path.parent.name if path.stem == "__init__" else path.stem for path in paths}


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
        import readline  # noqa: PLC0415  # whether it is there is the question
    except ImportError:
        return Finding(
            name="terminal", ok=False, found=texts.NO_READLINE, remedy=texts.REMEDY_READLINE
        )
    kind = getattr(readline, "backend", "readline")
    return Finding(name="terminal", ok=True, found=f"{os.environ.get('TERM', '?')}, {kind}")


def write_access() -> Finding:
    """The temporary folder can be written to. The checkout need not be, once it is set up."""
    name = "write access"
    try:
        tempfile.gettempdir()
    except FileNotFoundError as error:
        return Finding(name=name, ok=False, found=str(error), remedy=texts.REMEDY_WRITE)
    found = texts.WRITABLE if os.access(ROOT, os.W_OK) else texts.READ_ONLY
    return Finding(name=name, ok=True, found=found)


def home() -> Finding:
    """Sessions can be kept, from step 06 on: the folder for them can be written to, or made."""
    folder = Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"))
    if not folder.is_absolute():
        return Finding(name="home", ok=False, found=texts.NO_HOME, remedy=texts.REMEDY_HOME)
    there = next(path for path in (folder, *folder.parents) if path.exists())
    writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    found = str(folder) if writable else texts.NOT_WRITABLE.format(folder=there)
    return Finding(name="home", ok=writable, found=found, remedy=texts.REMEDY_HOME)


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
    """Git may be there: a learner's commands do without it."""
    path = shutil.which("git")
    if path is None:
        return Finding(name="git", ok=True, found=texts.NO_GIT)
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return Finding(name="git", ok=True, found=version.stdout.strip())

"""Make the environment `.venv`, once: `python3 shared/bootstrap.py`.

Standard library only, and in the words of an old Python 3, since it runs before
anything is installed, and must be able to say that a Python is too old. Whatever it has
to say goes to standard error. Exit 0: the environment is ready. Exit 1: it is
not, and the last line says what to do.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from typing import IO, NoReturn

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "lab-setup")  # it also says that this .venv is ours to replace
LOG = os.path.join(ROOT, ".cache", "setup.log")
OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")
NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeout|Temporary failure in name|dns error|error sending request"
    r"|Failed to fetch|No address associated|Network is unreachable|Connection refused|tunnel"
    r"|from versions: none"
)


def main() -> None:
    use_a_new_enough_python()
    wanted = fingerprint()
    if read(STAMP) == wanted and os.path.exists(VENV_PYTHON):
        return
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    with open(LOG, "a", encoding="utf-8") as log:
        hold_lock(log)
        log.truncate(0)
        if read(STAMP) == wanted and os.path.exists(VENV_PYTHON):
            return  # another set-up finished while this one waited
        build(wanted, log)


def use_a_new_enough_python() -> None:
    """Go on in a newer interpreter if this one is too old and a newer one is on PATH."""
    if sys.version_info >= OLDEST:
        return
    for name in NEWER:
        found = shutil.which(name)
        if found and runs(found):
            os.execv(found, [found, os.path.abspath(__file__)])
    stop(
        "Python %d.%d is too old: 3.11 or later is needed. Install one, or name it: "
        "make PYTHON=/path/to/python3.12 ..." % sys.version_info[:2]
    )


def runs(python: str) -> bool:
    """Tell whether `python` works: a version manager's stand-in may only print an error."""
    nowhere = subprocess.DEVNULL
    return subprocess.call([python, "-c", ""], stdout=nowhere, stderr=nowhere) == 0


def fingerprint() -> str:
    """Name what the environment depends on: the pins, and the place where it stands."""
    with open(os.path.join(ROOT, "constraints.txt"), "rb") as file:
        return hashlib.sha256(ROOT.encode() + file.read()).hexdigest() + "\n"


def build(wanted: str, log: "IO[str]") -> None:
    uv = shutil.which("uv")
    python = getattr(sys, "_base_executable", sys.executable)  # never the .venv's own
    if os.path.exists(VENV):
        if read(STAMP) is None:
            stop(
                "there is a .venv here that this set-up did not make: move it away, then try again"
            )
        shutil.rmtree(VENV)
    elif uv is None and not module_found("ensurepip"):
        stop(
            "this Python has no `venv` module: install it (Debian, Ubuntu: "
            "apt install python3-venv), or put uv on PATH, then try again"
        )
    say("setting up .venv with %s, once; this takes a minute ..." % ("uv" if uv else "pip"))
    os.mkdir(VENV)
    write(STAMP, "unfinished\n")
    if uv:
        run([uv, "venv", "--quiet", "--allow-existing", "--python", python, VENV], log)
        install = [uv, "pip", "install", "--compile-bytecode", "--python", VENV_PYTHON]
    else:
        run([python, "-m", "venv", VENV], log)
        install = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    pins = os.path.join(ROOT, "constraints.txt")
    run([*install, "--constraint", pins, "--editable", ROOT + "[dev]"], log)
    write(STAMP, wanted)
    say("ready.")


def run(command: "list[str]", log: "IO[str]") -> None:
    """Run one command of the set-up; its output goes to the log."""
    if subprocess.call(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT) == 0:
        return
    log.flush()
    output = read(LOG) or ""
    if NO_NETWORK.search(output):
        stop(
            "no connection to the package index: go online (or point PIP_INDEX_URL or "
            "UV_DEFAULT_INDEX to a mirror you can reach), then try again"
        )
    lines = [line for line in output.splitlines() if line.strip()]
    last = lines[-1] if lines else "it said nothing"
    stop("%s failed: %s (all of it: .cache/setup.log)" % (os.path.basename(command[0]), last))


def hold_lock(file: "IO[str]") -> None:
    """Let one set-up at a time work here; the lock goes when the file is closed."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system: nothing to hold
        return
    fcntl.flock(file, fcntl.LOCK_EX)


def module_found(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None


def read(path: str) -> "str | None":
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def say(text: str) -> None:
    sys.stderr.write("lab: " + text + "\n")
    sys.stderr.flush()


def stop(text: str) -> "NoReturn":
    sys.stderr.write("lab: " + text + "\n")
    sys.exit(1)


if __name__ == "__main__":
    main()

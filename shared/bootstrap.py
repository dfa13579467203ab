"""Make the environment `.venv`, once: `python3 shared/bootstrap.py`.

Standard library only, and in the words of an old Python 3, since it runs before
anything is installed, and must be able to say that a Python is too old. Whatever it has
to say goes to standard error. Exit 0: the environment is ready. Exit 1: it is
not, and the last line says what to do.
"""

import glob
import hashlib
import os
import re
import shlex
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
LEADING_AWAY = re.compile(
    r"PYTHON(PATH|HOME|SAFEPATH)|PIP_(TARGET|PREFIX|ROOT|PYTHON|DRY_RUN|NO_DEPS|REQUIREMENT"
    r"|CONSTRAINT|EDITABLE)|VIRTUAL_ENV"
)
"""A user's variables for everyday work, under which a tool would read or write elsewhere."""


def main() -> None:
    use_a_new_enough_python()
    refuse_a_path_without_letters()
    try:
        set_up(fingerprint(ROOT))
    except OSError as error:
        stop(
            "cannot set up (%s): only a folder that you may write to can be, on a disk with "
            "room; clone the lab into a folder of your own" % error
        )


def set_up(wanted: str) -> None:
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


def refuse_a_path_without_letters() -> None:
    """Stop if the path of the checkout is not UTF-8: pip and Python itself fail over it."""
    try:
        os.fsencode(ROOT).decode("utf-8")
    except UnicodeDecodeError:
        stop("the path of this folder is not UTF-8 (%r): rename it, or move the lab" % ROOT)


def fingerprint(root: str) -> str:
    """Name what an environment depends on: the pins, and the place where it stands."""
    with open(os.path.join(root, "constraints.txt"), "rb") as file:
        return hashlib.sha256(os.fsencode(root) + file.read()).hexdigest() + "\n"


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
        # in words, for a pip.conf may name another place
        here = ["--target=", "--prefix=" + VENV, "--root=/"]
        install = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "install", *here]
    run([*install, "--requirement", os.path.join(ROOT, "constraints.txt")], log)
    link_lab(VENV)
    write(STAMP, wanted)
    say("ready.")


def link_lab(venv: str) -> None:
    """Make `lab` a command and a package of an environment that stands in a checkout.

    The line of the `.pth` is relative: up to Python 3.12 it is read in the locale's encoding,
    and a checkout in a folder with a Chinese name would end every start under `LC_ALL=C`.
    """
    for packages in glob.glob(os.path.join(glob.escape(venv), "lib", "python*", "site-packages")):
        write(os.path.join(packages, "lab.pth"), "../../../../shared\n")
    python = shlex.quote(os.path.join(venv, "bin", "python"))
    command = os.path.join(venv, "bin", "lab")
    # -P: a file of the folder where one stands must not hide a module of the same name;
    # -X utf8: compiled modules are not found in a folder whose name the locale has no letters for
    write(command, '#!/bin/sh\nunset PYTHONHOME\nexec %s -P -X utf8 -m lab "$@"\n' % python)
    os.chmod(command, 0o755)


def own_environment() -> "dict[str, str]":
    """Return the variables for pip and uv: what they install belongs into `.venv` only."""
    kept = [name for name in os.environ if not LEADING_AWAY.fullmatch(name)]
    variables = {name: os.environ[name] for name in kept}
    if not os.path.isabs(os.path.expanduser("~")):  # neither HOME nor an entry for the user
        variables["HOME"] = os.path.dirname(LOG)
    return dict(variables, PIP_USER="0", PYTHONUTF8="1")


def run(command: "list[str]", log: "IO[str]") -> None:
    """Run one command of the set-up; its output goes to the log."""
    code = subprocess.call(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        cwd=ROOT,
        env=own_environment(),
    )
    if code != 0:
        log.flush()
        stop(remedy_for(read(LOG) or "", os.path.basename(command[0])))


def remedy_for(output: str, tool: str) -> str:
    """Return what to say about a tool that failed: the cause, which is seldom its last line."""
    if "dependencies for SOCKS" in output:
        set_here = (name for name in os.environ if os.environ[name].startswith("socks"))
        return "SOCKS proxy in %s: pip cannot use it; unset it, or install uv" % (
            ", ".join(sorted(set_here)) or "the settings of pip"
        )
    if NO_NETWORK.search(output):
        return (
            "no connection to the package index: go online (or point PIP_INDEX_URL or "
            "UV_DEFAULT_INDEX to a mirror you can reach), then try again"
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(?i)error: (?!subprocess)", line)]
    cause = (errors or lines or ["it said nothing"])[-1]
    return "%s failed: %s (all of it: .cache/setup.log)" % (tool, cause)


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
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def say(text: str) -> None:
    sys.stderr.write("lab: " + text + "\n")
    sys.stderr.flush()


def stop(text: str) -> "NoReturn":
    say(text)
    sys.exit(1)


if __name__ == "__main__":
    main()

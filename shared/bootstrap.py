"""Make the environment `.venv`, once: `python3 shared/bootstrap.py`.

Standard library only, since it runs before anything is installed. Whatever it has
to say goes to standard error. Exit 0: the environment is ready. Exit 1: it is
not, and the last line says what to do.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys

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
)


def main():
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


def use_a_new_enough_python():
    """Go on in a newer interpreter if this one is too old and a newer one is on PATH."""
    if sys.version_info >= OLDEST:
        return
    for name in NEWER:
        found = shutil.which(name)
        if found:
            os.execv(found, [found, os.path.abspath(__file__)])
    stop(
        "Python %d.%d is too old: 3.11 or later is needed. Install one, or name it: "
        "make PYTHON=/path/to/python3.12 ..." % sys.version_info[:2]
    )


def fingerprint():
    """Name everything the environment depends on: the pins, the packages asked for, the place."""
    digest = hashlib.sha256(ROOT.encode())
    for name in ("constraints.txt", "pyproject.toml"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest() + "\n"


def build(wanted, log):
    uv = shutil.which("uv")
    python = getattr(sys, "_base_executable", sys.executable)  # never the .venv's own
    if os.path.exists(VENV):
        if read(STAMP) is None:
            stop("there is a .venv here that this set-up did not make: move it away, then try again")
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
        install = [uv, "pip", "install", "--python", VENV_PYTHON]
    else:
        run([python, "-m", "venv", VENV], log)
        install = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    pins = os.path.join(ROOT, "constraints.txt")
    run(install + ["--constraint", pins, "--editable", ROOT + "[dev]"], log)
    write(STAMP, wanted)
    say("ready.")


def run(command, log):
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
    stop("%s failed: %s (all of it: .cache/setup.log)" % (command[0], lines[-1] if lines else "?"))


def hold_lock(file):
    """Let one set-up at a time work here; the lock goes when the file is closed."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system: nothing to hold
        return
    fcntl.flock(file, fcntl.LOCK_EX)


def module_found(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def say(text):
    sys.stderr.write("lab: " + text + "\n")
    sys.stderr.flush()


def stop(text):
    sys.stderr.write("lab: " + text + "\n")
    sys.exit(1)


if __name__ == "__main__":
    main()

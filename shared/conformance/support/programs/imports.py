"""Import every module of the package under test, each on its own: `... imports MODULE ...`.

One JSON line per module goes to standard output as soon as the import begins, and one
when it is done. If the last one is missing, the process ended, or hung, in between.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TextIO

from conformance.support.tracebacks import where_it_broke

FOLDER = Path.cwd()
CODE = (".py", ".pyc", ".so")
LIBRARY = os.path.realpath(os.path.dirname(os.__file__)) + os.sep
TOUCHING = ("open", "subprocess.Popen", "os.system", "os.mkdir", "os.remove", "os.rename")
"""Audit events that tell of I/O; those of sockets come on top."""


def main() -> None:
    """Import the modules that the arguments name, and report on each."""
    sys.path.insert(0, str(FOLDER))  # here, and not before the imports above
    report = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    touched: list[str] = []
    sys.addaudithook(_make_hook(touched))
    for name in sys.argv[1:]:
        touched.clear()
        _say(report, module=name)
        _say(report, module=name, **_import_alone(name), touched=sorted(set(touched)))


def _import_alone(name: str) -> dict[str, str]:
    """Import one module while none of the package is loaded; return what came of it."""
    for loaded in [m for m in sys.modules if m.partition(".")[0] == "mini_agent"]:
        del sys.modules[loaded]
    error = file = package = ""
    with _captured() as noise:
        try:
            file = str(import_module(f"mini_agent.{name}").__file__)
            package = str(sys.modules["mini_agent"].__file__)
        except (Exception, SystemExit) as raised:  # whatever a module may do on loading
            error = where_it_broke(raised, FOLDER)
    return {"error": error, "file": file, "package": package, "printed": "".join(noise)}


@contextmanager
def _captured() -> Iterator[list[str]]:
    """Catch what is written to both outputs, by whatever means; the list holds it afterwards."""
    noise: list[str] = []
    with tempfile.TemporaryFile() as file:
        kept = [os.dup(1), os.dup(2)]
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield noise
        finally:
            sys.stdout.flush()
            for descriptor, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, descriptor)
                os.close(copy)
            file.seek(0)
            noise.append(file.read().decode("utf-8", errors="replace"))


def _make_hook(touched: list[str]) -> Callable[[str, tuple[object, ...]], None]:
    """Return an audit hook that notes what the package itself does beyond loading code."""

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event not in TOUCHING and not event.startswith("socket."):
            return
        target = os.fsdecode(args[0]) if args and isinstance(args[0], str | bytes) else ""
        loads_code = event == "open" and (not target or target.endswith(CODE))
        if not loads_code and _asked_by_the_package(sys._getframe(1)):
            touched.append(f"{event} {target}".strip())

    return hook


def _asked_by_the_package(frame: FrameType | None) -> bool:
    """Tell whether the innermost frame that is not the standard library's is in the folder."""
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<frozen") and (
            "site-packages" in file or not os.path.realpath(file).startswith(LIBRARY)
        ):
            return os.path.realpath(file).startswith(str(FOLDER.resolve()) + os.sep)
        frame = frame.f_back
    return False


def _say(report: TextIO, **facts: object) -> None:
    report.write(json.dumps(facts) + "\n")


if __name__ == "__main__":
    main()

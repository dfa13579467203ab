"""Run a module and refuse what a demo must not do: `python -P guard.py MODULE [ARG ...]`.

Refused are writes outside the temporary folder, and connections beyond loopback.
An audit hook sees what Python itself opens; a child process is out of its sight.
Standard library only, and it must not import anything of ours: it runs in front of
a learner's package, in that package's folder.
"""

import os
import runpy
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import Any, NoReturn

REFUSED = "lab guard: refused "
"""What stands before the reason, in the error that the program gets."""

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGING = {
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.utime": ((0, 3),),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "shutil.rmtree": ((0, None),),
    "shutil.move": ((0, None), (1, None)),
}
"""Audit events that change the file system: which of their arguments are paths, and for each
the argument with the folder that it is relative to, as an open descriptor (-1: none)."""

F_GETPATH = 50
"""macOS: ask for the path behind a descriptor."""


def main() -> None:
    """Install the hook, then run the module as `python -m` would."""
    module = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path.insert(0, os.getcwd())  # as with `python -m`; the folder of this file is not on it
    opening = _note_folders()
    sys.addaudithook(_make_hook(os.path.realpath(tempfile.gettempdir()), opening))
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _note_folders() -> threading.local:
    """Keep what `os.open` is relative to, as `.folder`: its audit event leaves that out."""
    opening, real_open = threading.local(), os.open

    def open_noted(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        opening.folder = -1 if dir_fd is None else dir_fd
        try:
            return real_open(path, flags, mode, dir_fd=dir_fd)
        finally:
            opening.folder = -1

    os.open = open_noted
    os.supports_dir_fd.add(open_noted)
    return opening


def _make_hook(  # noqa: C901  # three short functions over one folder
    allowed: str, opening: threading.local
) -> Callable[[str, tuple[Any, ...]], None]:
    def inside(path: Any, folder: str = "") -> bool:
        if isinstance(path, int):
            return True  # an open descriptor: it was judged when it was opened
        real = os.path.realpath(os.path.join(folder, os.fsdecode(path)))
        return real == os.devnull or real == allowed or real.startswith(allowed + os.sep)

    def refuse(what: str) -> NoReturn:
        os.write(2, f"{REFUSED}{what}\n".encode())  # told even if the program hides the error
        raise PermissionError(REFUSED + what)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = args
            writes = any(c in "wax+" for c in mode) if isinstance(mode, str) else flags & WRITING
            folder = getattr(opening, "folder", -1) if mode is None else -1
            if writes and not inside(path, _path_behind(folder)):
                refuse(f"writing {os.fsdecode(path)}")
        elif event in CHANGING:
            for place, relative_to in CHANGING[event]:
                descriptor = -1 if relative_to is None else args[relative_to]
                if not inside(args[place], _path_behind(descriptor)):
                    refuse(f"{event} of {os.fsdecode(args[place])}")
        elif event == "socket.connect":
            host = args[1][0] if isinstance(args[1], tuple) else "a local socket"
            if not (host == "::1" or host.startswith("127.")):
                refuse(f"connecting to {host}")

    return hook


def _path_behind(descriptor: int) -> str:
    """Return the folder that is open as `descriptor`; empty, the working folder, for -1."""
    if descriptor == -1:
        return ""
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415  # not on every system

        return os.fsdecode(fcntl.fcntl(descriptor, F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.readlink(f"/proc/self/fd/{descriptor}")


if __name__ == "__main__":
    main()

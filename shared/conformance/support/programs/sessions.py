"""A program around the session store of the package under test: `... sessions MODE FILE`."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the mode that the first argument names."""
    sys.path.insert(0, os.getcwd())  # here, and not before the imports above
    MODES[sys.argv[1]](Path(sys.argv[2]))


def write_for_ever(path: Path) -> None:
    """Store one line after the other, and say so when it is stored."""
    store = _store(path)
    for number in count():
        store.append(f"{number}\n".encode())
        print(number, flush=True)


def try_to_open(path: Path) -> None:
    """Say which error comes when the file is opened for writing."""
    try:
        _store(path)
    except Exception as error:
        print(type(error).__name__)
    else:
        print("no error")


def _store(path: Path) -> Any:
    return import_module("mini_agent.sessions.file").FileStore(path)


MODES: dict[str, Callable[[Path], None]] = {"write": write_for_ever, "open": try_to_open}

if __name__ == "__main__":
    main()

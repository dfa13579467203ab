"""From a traceback to the lines of the folder under test: nobody else's frames are shown.

Standard library only: the suite runs it inside of a learner's process, too.
"""

import re
import traceback
from pathlib import Path

FRAME = re.compile(r'^[ |]*File "([^"]+)", line \d+')
INDENTED = re.compile(r"^(  )?[ |] {3}")


def where_it_broke(error: BaseException, folder: Path) -> str:
    """Return the error and the folder's own lines that led to it, the last four at most."""
    frames = [
        f"{_name(frame.filename, folder)}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if _lies_in(frame.filename, folder)
    ]
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{_name(error.filename, folder)}:{error.lineno}"
        frames.append(f"{place}: {(error.text or '').strip()}")
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    text = f"{type(error).__name__}: {message}".rstrip(": ")
    return "\n".join([text, *(f"  at {frame}" for frame in frames[-4:])])


def in_short(broken: str) -> str:
    """Return what `where_it_broke` said without the way that led there: the same for all ways."""
    first, *frames = broken.split("\n")
    return "\n".join([first, *frames[-1:]])


def own_lines(text: str, folder: Path) -> str:
    """Return what a program said, its tracebacks cut down to the frames that lie in `folder`."""
    kept, mine = [], True
    for line in text.splitlines():
        if frame := FRAME.match(line):
            mine = _lies_in(frame[1], folder)
            line = line.replace(frame[1], _name(frame[1], folder))
        elif not INDENTED.match(line):
            mine = True
        if mine:
            kept.append(line)
    return "\n".join(kept)


def _lies_in(file: str, folder: Path) -> bool:
    path = Path(file)  # "<frozen runpy>" and its like are no files
    return path.is_absolute() and path.resolve().is_relative_to(folder.resolve())


def _name(file: str, folder: Path) -> str:
    path = Path(file).resolve()
    return str(path.relative_to(folder.resolve())) if _lies_in(file, folder) else path.name

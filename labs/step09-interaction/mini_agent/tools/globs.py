"""Globs over relative paths: `*.py`, `src/**/*.py`."""

import os
from fnmatch import fnmatchcase


def matches(path: str, glob: str) -> bool:
    """Tell whether a relative path matches a glob; one without a slash is about the name only."""
    names = path.split(os.sep)
    return _match_names(names if "/" in glob else names[-1:], glob.strip("/").split("/"))


def _match_names(names: list[str], globs: list[str]) -> bool:
    match globs:
        case []:
            return not names
        case ["**", *rest]:  # any number of folders, none included
            return any(_match_names(names[n:], rest) for n in range(len(names) + 1))
        case [first, *rest]:
            return bool(names) and fnmatchcase(names[0], first) and _match_names(names[1:], rest)
    return False

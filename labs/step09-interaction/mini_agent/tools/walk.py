"""Everything below a folder, except `.git` and what `.gitignore` files say."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from ..abort import AbortSignal
from ..results import ToolError
from .workspace import open_file

MOST_RULES = 1024 * 1024
"""How many bytes of a `.gitignore` count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoreRules:
    """The `.gitignore` of one folder."""

    folder: str
    spec: GitIgnoreSpec

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Tell whether `path`, somewhere below, is ignored; None: these rules do not say."""
        inside = path[len(self.folder) + 1 :]
        return self.spec.check_file(f"{inside}/" if is_folder else inside).include


def walk(folder: Path, *, root: Path, signal: AbortSignal) -> Iterator[os.DirEntry[str]]:
    """Yield what is below `folder`, in the order of the names, a folder before its content.

    The rules of all folders from `root` down count, unless they ignore `folder` itself:
    whoever asks for it means it. Links are not followed, and a folder that cannot be
    read is passed over. An abort ends the walk.
    """
    above = [place for place in reversed(folder.parents) if place.is_relative_to(root)]
    rules = [rule for place in reversed(above) for rule in _rules_of(place)]
    asked_for = _ignored(str(folder), rules, is_folder=True)
    yield from _below(folder, [] if asked_for else rules, signal)


def _below(
    folder: Path, above: Sequence[IgnoreRules], signal: AbortSignal
) -> Iterator[os.DirEntry[str]]:
    rules = [*_rules_of(folder), *above]  # the nearest first: it has the last word
    for entry in entries(folder):
        if signal.aborted:
            return
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or _ignored(entry.path, rules, is_folder=is_folder):
            continue
        yield entry
        if is_folder:
            yield from _below(Path(entry.path), rules, signal)


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what is in `folder`, by name; nothing if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: (entry.name.casefold(), entry.name))
    except OSError:
        return []


def _ignored(path: str, rules: Sequence[IgnoreRules], *, is_folder: bool) -> bool:
    verdicts = (rule.verdict(path, is_folder=is_folder) for rule in rules)
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _rules_of(folder: Path) -> list[IgnoreRules]:
    """Return the rules of one folder, in a list; an empty list if it has none."""
    try:
        with open_file(folder / ".gitignore", ".gitignore") as file:
            text = file.read(MOST_RULES).decode("utf-8-sig", errors="replace")
    except (ToolError, OSError):
        return []
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if _understood(line)]
    return [IgnoreRules(folder=str(folder), spec=GitIgnoreSpec.from_lines(lines))]


def _understood(line: str) -> bool:
    """Tell whether a line is a rule. What git would pass over, we do, too."""
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True

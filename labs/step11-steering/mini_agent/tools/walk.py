"""Everything below a folder, except `.git` and what git ignores.

That is what `.gitignore` files say, from the top of the repository down, and
`.git/info/exclude`. Not here: `core.excludesFile`, which is about the user and not the folder.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..abort import AbortSignal
from ..results import ToolError
from .patterns import IgnoreRules
from .replace_file import DRAFT
from .workspace import FOLDER, Workspace, open_listed_file

MAX_RULES = 64 * 1024
"""Bytes of an ignore file that count."""

MAX_DEPTH = 100
"""Folders in one another. Each one holds a descriptor, and macOS gives a process 256."""


@dataclass(slots=True, kw_only=True)
class Found:
    """One thing below a folder."""

    path: str
    """The whole of it, from the root of the file system."""

    entry: os.DirEntry[str]

    folder: int
    """The descriptor of the folder that it is in, open until the next thing is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRules:
    """The rules of one ignore file, and the folder that they are about."""

    folder: str
    """With a slash at the end."""

    rules: IgnoreRules

    def verdict(self, path: str) -> bool | None:
        """Tell whether `path` is ignored; None: these rules do not say, or are not about it."""
        inside = path.removeprefix(self.folder)
        return self.rules.verdict(inside) if inside and inside != path else None


def walk(workspace: Workspace, folder: Path, signal: AbortSignal) -> Iterator[Found]:
    """Yield what is below `folder`, in the order of the names, a folder before its content.

    If git ignores `folder` itself, the rules that say so do not count: whoever asks for
    it means it. Links are not followed, and a folder that cannot be read is passed over.
    An abort ends the walk.
    """
    rules = _rules_above(folder, workspace.root)
    parts = [f"{part}/" for part in (folder, *folder.parents)]
    if any(_ignored(part, rules) for part in parts):
        rules = [rule for rule in rules if not any(rule.verdict(part) for part in parts)]
    with workspace.enter(folder) as descriptor:
        yield from _below(descriptor, str(folder), rules, signal)


def _below(
    folder: int, path: str, above: Sequence[FolderRules], signal: AbortSignal, depth: int = 1
) -> Iterator[Found]:
    rules = [*_rules(".gitignore", about=path, folder=folder), *above]  # the nearest decides
    for entry in entries(folder):
        if signal.aborted:
            return
        is_folder = entry.is_dir(follow_symlinks=False)
        inside = os.path.join(path, entry.name)
        if entry.name == ".git" or (rules and _ignored(inside + "/" * is_folder, rules)):
            continue
        yield Found(path=inside, entry=entry, folder=folder)
        if is_folder and depth < MAX_DEPTH:
            with _entered(folder, entry.name) as child:
                if child is not None:
                    yield from _below(child, inside, rules, signal, depth + 1)


@contextmanager
def _entered(folder: int, name: str) -> Iterator[int | None]:
    """Hold a folder in a folder open; None if it cannot be, or has just become a link."""
    try:
        child = os.open(name, FOLDER, dir_fd=folder)
    except OSError:
        yield None
        return
    try:
        yield child
    finally:
        os.close(child)


def entries(folder: int) -> list[os.DirEntry[str]]:
    """Return what is in an open folder, by name, without the drafts of files being written."""
    with os.scandir(folder) as found:
        kept = [entry for entry in found if not DRAFT.fullmatch(entry.name)]
    return sorted(kept, key=lambda entry: (entry.name.casefold(), entry.name))


def _ignored(path: str, rules: Sequence[FolderRules]) -> bool:
    verdicts = (rule.verdict(path) for rule in rules)
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _rules_above(folder: Path, root: Path) -> list[FolderRules]:
    """Return the rules of the folders above, those that decide first (gitignore(5))."""
    top = next((place for place in (root, *root.parents) if os.path.lexists(place / ".git")), root)
    above = [place for place in folder.parents if place.is_relative_to(top)]
    rules = [rule for place in above for rule in _rules(place / ".gitignore", about=place)]
    return [*rules, *_rules(_git_folder(top) / "info" / "exclude", about=top)]


def _git_folder(top: Path) -> Path:
    """Return where git keeps its files. In a linked work tree, `.git` is a file that names it.

    See gitrepository-layout(5).
    """
    named = _read(top / ".git").removeprefix("gitdir:").strip()
    if not named:
        return top / ".git"
    return top / named / _read(top / named / "commondir").strip()


def _rules(file: Path | str, *, about: Path | str, folder: int | None = None) -> list[FolderRules]:
    """Return the rules of a file in a list; an empty list if there are none."""
    text = _read(file, folder=folder)
    return [FolderRules(folder=os.path.join(about, ""), rules=IgnoreRules(text))] if text else []


def _read(file: Path | str, *, folder: int | None = None) -> str:
    """Return the text of a file, which is in `folder` if that is given; nothing if it is none."""
    try:
        with open_listed_file(folder, str(file)) as opened:
            return opened.read(MAX_RULES).decode("utf-8-sig", errors="replace")
    except (ToolError, OSError, ValueError):  # ValueError: a NUL in a name that a file has given
        return ""

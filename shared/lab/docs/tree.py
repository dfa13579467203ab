"""The checkout that the documents speak about: its steps, its files, its documents."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab import texts
from lab.contract import Step, read_contract

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


class BadMarker(Exception):
    """Raised when what a marker asks for cannot be given. Says why; the caller knows where."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something that is wrong in a document, and the place."""

    file: str
    line: int
    """From 1; 0 means the file as a whole."""

    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.line else f"{self.file}: {self.text}"


@dataclass(frozen=True)
class Tree:
    """A checkout, under whatever root it stands."""

    root: Path
    steps: tuple[Step, ...]
    """All steps of the course, those that are still coming included."""

    @property
    def built(self) -> tuple[Step, ...]:
        """The steps that exist."""
        return tuple(step for step in self.steps if not step.coming)

    def step(self, name: str) -> Step:
        """Return the built step that is called `name`, like "step02" or "step02-fake-model".

        Raises:
            BadMarker: there is no such step, or it is still coming.
        """
        for step in self.built:
            if name in (step.id, step.id[:6]):
                return step
        known = ", ".join(step.id for step in self.built)
        raise BadMarker(texts.UNKNOWN_STEP.format(step=name, known=known))

    def folder(self, step: Step) -> Path:
        """Return the folder of `step` in this checkout."""
        return self.root / "labs" / step.id

    def source(self, name: str) -> Path:
        """Return the file that is called `name` below `labs/`.

        Raises:
            BadMarker: there is no such file.
        """
        labs = (self.root / "labs").resolve()
        path = (labs / name).resolve()
        if not (path.is_file() and path.is_relative_to(labs)):
            raise BadMarker(texts.DOCS_NO_FILE.format(file=f"labs/{name}"))
        return path

    def documents(self) -> list[str]:
        """Return the Markdown files that `lab docs` looks after, relative to the root, sorted."""
        patterns = ("*.md", "labs/*/README.md", "docs/**/*.md")
        found = (path for pattern in patterns for path in self.root.glob(pattern))
        return sorted(path.relative_to(self.root).as_posix() for path in found if path.is_file())

    def read(self, document: str) -> str:
        """Return the text of a document."""
        return (self.root / document).read_text(encoding="utf-8")


def read_tree(root: Path) -> Tree:
    """Return the checkout at `root`.

    Raises:
        LabError: its contract is missing or not valid.
    """
    return Tree(root, read_contract(root / "labs" / "contract.toml"))


def language_of(document: str) -> Language:
    """Return the language in which a document begins."""
    return "zh" if document.startswith("docs/zh/") or document.endswith(".zh-CN.md") else "en"


def counterpart(document: str) -> str | None:
    """Return the same document in the other language, or None if it needs none."""
    pairs = (("docs/en/", "docs/zh/"), ("README.md", "README.zh-CN.md"))
    for ours, theirs in (*pairs, *(pair[::-1] for pair in pairs)):
        if document == ours or (ours.endswith("/") and document.startswith(ours)):
            return theirs + document.removeprefix(ours)
    return None


def count_lines(text: str) -> int:
    """Count lines; a last one without its line end counts too."""
    return text.count("\n") + (not text.endswith("\n") and text != "")

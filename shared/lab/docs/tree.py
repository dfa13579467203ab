"""The checkout that the documents speak about: its steps, its files, its documents."""

from dataclasses import dataclass
from pathlib import Path

from lab import texts
from lab.bilingual import Language
from lab.contract import Step, read_contract
from lab.errors import Exit, LabError

LANGUAGES: tuple[Language, ...] = ("en", "zh")

PAIRS = (
    ("docs/en", "docs/zh"),
    ("README.md", "README.zh-CN.md"),
    ("docs/SECURITY.md", "docs/SECURITY.zh-CN.md"),
)
"""Folders and files that stand in English and in Chinese."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something that is wrong in a document, and the place."""

    file: str
    line: int
    """From 1; 0 means the file as a whole."""

    text: str

    def __str__(self) -> str:
        """Return it as editors understand it: file, line, text."""
        return f"{self.file}:{self.line}: {self.text}" if self.line else f"{self.file}: {self.text}"


@dataclass(frozen=True)
class Tree:
    """A checkout, under whatever root it stands."""

    root: Path
    steps: tuple[Step, ...]
    """All steps of the course, those that are still coming included."""

    @property
    def labs(self) -> Path:
        """The folder of the steps' folders."""
        return self.root / "labs"

    @property
    def built(self) -> tuple[Step, ...]:
        """The steps that exist."""
        return tuple(step for step in self.steps if not step.coming)

    def step(self, name: str) -> Step:
        """Return the built step that is called `name`, like "step02" or "step02-fake-model".

        Raises:
            LabError: there is no such step, or it is still coming.
        """
        for step in self.built:
            if name in (step.id, step.id[:6]):
                return step
        known = ", ".join(step.id for step in self.built)
        raise LabError(texts.UNKNOWN_STEP.format(step=name, known=known))

    def source(self, name: str) -> str:
        """Return the text of the file that is called `name` below `labs/`.

        Raises:
            LabError: there is no such file, or it is not text.
        """
        path = (self.labs / name).resolve()
        if not (path.is_file() and path.is_relative_to(self.labs.resolve())):
            raise LabError(texts.DOCS_NO_FILE.format(file=f"labs/{name}"))
        return read_text(path)

    def chapters(self) -> list[str]:
        """Return the English chapters that the built steps need."""
        return [f"docs/en/{step.number:02}-{step.slug}.md" for step in self.built]

    def teaching_pages(self) -> list[str]:
        """Return the English pages for instructors that the built steps need."""
        return [f"docs/en/instructor/{step.number:02}-{step.slug}.md" for step in self.built]

    def documents(self) -> list[str]:
        """Return the Markdown files that `lab docs` looks after, relative to the root, sorted."""
        patterns = ("*.md", "labs/*/README.md", "docs/**/*.md")
        found = (path for pattern in patterns for path in self.root.glob(pattern))
        return sorted(path.relative_to(self.root).as_posix() for path in found if path.is_file())

    def read(self, document: str) -> str:
        """Return the text of a document."""
        return read_text(self.root / document)


def read_tree(root: Path) -> Tree:
    """Return the checkout at `root`.

    Raises:
        LabError: its contract is missing or not valid.
    """
    return Tree(root, read_contract(root / "labs" / "contract.toml"))


def read_text(path: Path) -> str:
    """Return what is in a file, line ends included.

    Raises:
        LabError: it is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise LabError(texts.DOCS_NOT_UTF8.format(file=path), code=Exit.WRONG) from error


def count_lines(text: str) -> int:
    """Count lines; a last one without its line end counts too."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def language_of(document: str) -> Language:
    """Return the language in which a document begins."""
    return "zh" if any(_stands_at(document, chinese) for _, chinese in PAIRS) else "en"


def counterpart(document: str) -> str | None:
    """Return the same document in the other language, or None if it needs none."""
    for english, chinese in PAIRS:
        for ours, theirs in ((english, chinese), (chinese, english)):
            if _stands_at(document, ours):
                return theirs + document.removeprefix(ours)
    return None


def in_english(path: str) -> str:
    """Return the English name of what may be a Chinese document, or their folder."""
    other = counterpart(path)
    return other if other and language_of(path) == "zh" else path


def _stands_at(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")

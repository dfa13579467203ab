"""What a Markdown file of the course consists of, as far as `lab docs` is concerned."""

from dataclasses import dataclass, field

from lab.bilingual import Language
from lab.docs.tree import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """A fence whose lines are run by bash."""

    number: int
    """How many others stand before it in the file."""

    line: int
    last_line: int
    """The line that closes the fence."""

    language: Language
    arguments: str
    script: str
    expect: int = 0
    """The exit code that it must end with."""

    skip: str = ""
    """Why it is not run; empty: it is run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A generated block: everything between its two markers."""

    line: int
    last_line: int
    language: Language
    kind: str
    arguments: tuple[str, ...]
    commands: Commands | None = None
    """Whose output it shows, for the kind "output"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A generated figure within a line."""

    line: int
    language: Language
    arguments: tuple[str, ...]
    start: int
    """Where its value begins in the line."""

    end: int


@dataclass(slots=True, kw_only=True)
class Document:
    """A Markdown file, taken apart."""

    name: str
    """Relative to the root of the checkout."""

    lines: list[str]
    blocks: list[Block] = field(default_factory=list)
    commands: list[Commands] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    minutes: list[tuple[int, int]] = field(default_factory=list)
    """Line, and number of minutes."""

    unmarked: list[int] = field(default_factory=list)
    """Lines on which a bash fence without a marker begins."""

    problems: list[Problem] = field(default_factory=list)

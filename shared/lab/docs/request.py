"""What a generated part is asked for, and how one is looked up by its name."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Generic, TypeVar

from lab import texts
from lab.bilingual import Language
from lab.docs.tree import Tree
from lab.docs.words import WORDS, Words
from lab.errors import LabError

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Where a generated part stands, and what it may look at."""

    tree: Tree
    document: str
    language: Language

    @property
    def words(self) -> Words:
        """The words in the language of the place."""
        return WORDS[self.language]

    def link(self, target: str) -> str:
        """Return the way from this document to a file of the checkout."""
        return PurePosixPath(os.path.relpath(target, os.path.dirname(self.document))).as_posix()


@dataclass(frozen=True, slots=True)
class Maker(Generic[Part]):
    """One kind of generated part."""

    usage: str
    """Its arguments, the optional ones in brackets."""

    make: Callable[..., Part]
    """Takes a `Request`, then the arguments."""

    def takes(self, count: int) -> bool:
        """Tell whether it can be called with that many arguments."""
        words = self.usage.split()
        return sum(not word.startswith("[") for word in words) <= count <= len(words)


def make_part(
    makers: Mapping[str, Maker[Part]], name: str, arguments: tuple[str, ...], request: Request
) -> Part:
    """Make what the marker with this name and these arguments asks for.

    Raises:
        LabError: the name is unknown, the arguments are too few or too many, or
            what they name is not there.
    """
    maker = makers.get(name)
    if maker is None:
        known = ", ".join(sorted(makers))
        raise LabError(texts.DOCS_UNKNOWN_NAME.format(name=name, known=known))
    if not maker.takes(len(arguments)):
        raise LabError(texts.DOCS_USAGE.format(usage=f"{name} {maker.usage}".strip()))
    return maker.make(request, *arguments)

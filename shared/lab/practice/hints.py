"""Hints for a sitting: three rungs, from where to look to how exactly."""

import os
import tomllib
from functools import cache

from pydantic import TypeAdapter

from lab import texts
from lab.bilingual import Language, preferred_language
from lab.contract import ROOT, find_step
from lab.errors import LabError

FILE = ROOT / "docs" / "hints.toml"

Rungs = tuple[str, str, str]
HINTS: TypeAdapter[dict[str, dict[Language, Rungs]]] = TypeAdapter(dict[str, dict[Language, Rungs]])
"""By sitting, like "05.1", and by language."""


@cache
def hints() -> dict[str, dict[Language, Rungs]]:
    """Return the hints for all sittings."""
    return HINTS.validate_python(tomllib.loads(FILE.read_text(encoding="utf-8")))


def show_hint_of_sitting(sitting: str, rung: int, language: Language | None) -> None:
    """Print one hint for the sitting; `rung` is 1, 2 or 3.

    Raises:
        LabError: there is no such sitting.
    """
    known = [one.id for one in find_step(sitting.partition(".")[0]).sittings]
    found = next((one for one in known if one.lstrip("0") == sitting.lstrip("0")), None)
    if found is None:
        raise LabError(texts.NO_SITTING.format(name=sitting, sittings=", ".join(known)))
    language = language or preferred_language(os.environ)
    print(hints()[found][language][rung - 1])
    if rung < len(hints()[found][language]):
        print(texts.NEXT_RUNG[language].format(id=found, rung=rung + 1))

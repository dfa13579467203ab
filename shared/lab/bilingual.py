"""Texts that exist in English and in Chinese, and which of the two a user wants."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

Language = Literal["en", "zh"]

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Bilingual(BaseModel):
    """One text in both languages; neither may be empty."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: Words
    zh: Words

    def text(self, language: Language) -> str:
        """Return it in `language`."""
        return self.zh if language == "zh" else self.en


def preferred_language(environment: Mapping[str, str]) -> Language:
    """Return "zh" if the locale of `environment` is a Chinese one, else "en".

    As in POSIX, the first of LC_ALL, LC_MESSAGES and LANG that is not empty decides.
    """
    settings = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, settings), "").startswith("zh") else "en"

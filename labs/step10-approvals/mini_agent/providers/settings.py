"""The variables that choose a model: from the environment, or else from a file `.env`.

Not here: what they mean. `choice.py` decides that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path


class BadSetting(Exception):
    """Raised when a variable is set to what cannot be used; the user has to change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The variables of both sources. The environment wins, also with an empty value."""

    environment: Mapping[str, str] = field(repr=False)  # keys are among them
    file: Mapping[str, str] = field(repr=False)

    def get(self, name: str) -> str:
        """Return the value without the white space around it. "" means: not set."""
        return self.environment.get(name, self.file.get(name, "")).strip()

    def in_file(self, name: str) -> bool:
        """Tell whether the value comes from the file."""
        return name in self.file and name not in self.environment


def read_settings(environment: Mapping[str, str], dotenv: Path | None) -> Settings:
    """Return the variables of `environment` and of the file `dotenv`, if there is one.

    The file is read, and nothing more: what it says never enters the environment,
    where every child process would find it.

    Raises:
        BadSetting: the file cannot be read.
    """
    return Settings(environment=environment, file=_read_file(dotenv) if dotenv else {})


def _read_file(dotenv: Path) -> dict[str, str]:
    if not dotenv.is_file():
        return {}
    from dotenv import dotenv_values  # noqa: PLC0415  # only who has such a file waits

    try:
        text = dotenv.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"读不了 {dotenv.name}：{type(error).__name__}") from None
    values = dotenv_values(stream=StringIO(text), interpolate=False)
    return {name: value for name, value in values.items() if value is not None}

"""Which model answers, and why: the variables that choose it, and what they mean.

They stand in the environment, or else in a file `.env`. Nothing is built here, and nothing
read but variables. Not here: what becomes of a choice (`create.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Literal

NOTHING_SET = "没有设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 OPENAI_BASE_URL"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider, and the variables that belong to it."""

    name: Literal["anthropic", "openai"]

    api_key: str
    """The variable of the key."""

    base_url: str
    """The variable of the address."""

    default_base_url: str
    default_model: str

    needs_key: bool
    """False: with an address of one's own it works without."""


PROVIDERS = (
    Provider(
        name="anthropic",
        api_key="ANTHROPIC_API_KEY",
        base_url="ANTHROPIC_BASE_URL",
        default_base_url="https://api.anthropic.com",
        default_model="claude-sonnet-5-5",
        needs_key=True,
    ),
    Provider(
        name="openai",
        api_key="OPENAI_API_KEY",
        base_url="OPENAI_BASE_URL",
        default_base_url="https://api.openai.com/v1",
        default_model="gpt-5-mini",
        needs_key=False,
    ),
)
"""The first one that can be used is taken, unless `MINI_AGENT_MODEL` names another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model, and why it is this one."""

    provider: Provider | None = None
    """None: no real one can be used. Then it is the fake one."""

    model: str = ""
    why: str


def read_settings(environment: Mapping[str, str], dotenv: Path | None) -> Settings:
    """Return the variables of `environment` and of the file `dotenv`, if there is one.

    The file is read, and nothing more: what it says never enters the environment,
    where every child process would find it.

    Raises:
        BadSetting: the file cannot be read.
    """
    return Settings(environment=environment, file=_read_file(dotenv) if dotenv else {})


def choose(settings: Settings) -> Choice:
    """Return what `MINI_AGENT_MODEL` names, or else the first provider that can be used.

    Raises:
        BadSetting: `MINI_AGENT_MODEL` names no model.
    """
    if wanted := settings.get("MINI_AGENT_MODEL"):
        return _named(wanted, settings)
    for provider in PROVIDERS:
        if variable := _what_opens(provider, settings):
            why = f"设置了 {variable}" + ("，在 .env 里" if settings.in_file(variable) else "")
            return Choice(provider=provider, model=provider.default_model, why=why)
    return Choice(why=NOTHING_SET)


def _named(wanted: str, settings: Settings) -> Choice:
    name, _, model = wanted.partition("/")
    provider = next((provider for provider in PROVIDERS if provider.name == name), None)
    if provider is None or not model or not model.isprintable():
        raise BadSetting("MINI_AGENT_MODEL 要写成 anthropic/模型名 或者 openai/模型名。")
    if _what_opens(provider, settings) is None:
        return Choice(why=f"MINI_AGENT_MODEL 选了 {name}，却没有设置 {provider.api_key}")
    return Choice(provider=provider, model=model, why="由 MINI_AGENT_MODEL 选定")


def _what_opens(provider: Provider, settings: Settings) -> str | None:
    """Return the variable that makes a provider usable, or None if it is not."""
    if settings.get(provider.api_key):
        return provider.api_key
    if settings.get(provider.base_url) and not provider.needs_key:
        return provider.base_url
    return None


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

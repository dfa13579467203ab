"""Which model answers, and why: the variables that choose it, and what they mean.

They stand in the environment, or else in a file. Nothing is built here, and nothing read but
variables. Not here: which files may say it (`cli/model_options.py`), and what becomes of a
choice (`create.py`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Literal

from ..text import one_line

NOTHING_SET = "没有设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 OPENAI_BASE_URL"


class BadSetting(Exception):
    """Raised when a variable is set to what cannot be used; the user has to change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The variables of one place."""

    name: str
    """What the user knows it by. "": the environment."""

    values: Mapping[str, str] = field(repr=False)  # keys are among them

    own: bool = True
    """The user has written it. False: it may have come from anybody, like a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The variables of all places, the strongest first. It wins, also with an empty value."""

    layers: tuple[Layer, ...]

    def layer_of(self, name: str) -> Layer | None:
        """Return where the value comes from. None: it is nowhere set."""
        return next((layer for layer in self.layers if name in layer.values), None)

    def get(self, name: str) -> str:
        """Return the value without the white space around it. "" means: not set."""
        layer = self.layer_of(name)
        return "" if layer is None else layer.values[name].strip()


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

    no_ending: tuple[str, ...]
    """What its address must not end in, since every request adds it."""


PROVIDERS = (
    Provider(
        name="anthropic",
        api_key="ANTHROPIC_API_KEY",
        base_url="ANTHROPIC_BASE_URL",
        default_base_url="https://api.anthropic.com",
        default_model="claude-sonnet-5-5",
        needs_key=True,
        no_ending=("/v1", "/messages"),
    ),
    Provider(
        name="openai",
        api_key="OPENAI_API_KEY",
        base_url="OPENAI_BASE_URL",
        default_base_url="https://api.openai.com/v1",
        default_model="gpt-5-mini",
        needs_key=False,
        no_ending=("/chat/completions", "/completions"),
    ),
)
"""The first one that can be used is taken, unless `MINI_AGENT_MODEL` names another."""

HOW_TO_ANSWER = (
    "MINI_AGENT_EFFORT",
    "MINI_AGENT_MAX_TOKENS",
    "MINI_AGENT_TEMPERATURE",
    "MINI_AGENT_TIMEOUT",
)
VARIABLES = (
    "MINI_AGENT_MODEL",
    *HOW_TO_ANSWER,
    *(name for provider in PROVIDERS for name in (provider.api_key, provider.base_url)),
)
SETS_ONE = re.compile(
    rf"^[ \t]*(?:export[ \t]+)?(?:{'|'.join(VARIABLES)})[ \t]*=".encode(), re.MULTILINE
)
MAX_GLANCE = 64 * 1024
"""Bytes of a file that nobody has said to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model, and why it is this one."""

    provider: Provider | None = None
    """None: no real one can be used. Then it is the fake one."""

    model: str = ""
    why: str


def settings_of(environment: Mapping[str, str], files: Sequence[Layer] = ()) -> Settings:
    """Return what `environment` says, and what it does not say and `files` do."""
    return Settings(layers=(Layer(name="", values=environment), *files))


def read_layer(file: Path, *, name: str, own: bool, required: bool = False) -> Layer:
    """Return the variables in `file`, which need not exist unless it is `required`.

    The file is read, and nothing more: what it says never enters the environment,
    where every child process would find it.

    Args:
        file: Lines `NAME=value`.
        name: What the user knows it by.
        own: See `Layer`.
        required: The user has named it, so it has to be there.

    Raises:
        BadSetting: the file cannot be read.
    """
    name = one_line(name)
    try:
        if not required and not file.is_file():
            return Layer(name=name, values={}, own=own)
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"读不了 {name}：{type(error).__name__}") from None
    from dotenv import dotenv_values  # noqa: PLC0415  # only who has such a file waits

    values = dotenv_values(stream=StringIO(text), interpolate=False)
    given = {variable: value for variable, value in values.items() if value is not None}
    return Layer(name=name, values=given, own=own)


def sets_one(file: Path) -> bool:
    """Tell whether `file` is one that sets a variable of ours. Nothing else of it is looked at."""
    try:
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return SETS_ONE.search(opened.read(MAX_GLANCE)) is not None
    except OSError:
        return False


def choose(settings: Settings) -> Choice:
    """Return what `MINI_AGENT_MODEL` names, or else the first provider that can be used.

    Raises:
        BadSetting: `MINI_AGENT_MODEL` names no model.
    """
    if wanted := settings.get("MINI_AGENT_MODEL"):
        return _named(wanted, settings)
    for provider in PROVIDERS:
        if variable := _what_opens(provider, settings):
            why = f"设置了 {variable}{_where(settings, provider.api_key, provider.base_url)}"
            return Choice(provider=provider, model=provider.default_model, why=why)
    return Choice(why=NOTHING_SET)


def known_keys(settings: Settings) -> set[str]:
    """Return all keys that stand in the settings, whether or not they are used."""
    names = [provider.api_key for provider in PROVIDERS]
    return {layer.values.get(name, "").strip() for layer in settings.layers for name in names}


def _named(wanted: str, settings: Settings) -> Choice:
    name, _, model = wanted.partition("/")
    provider = next((provider for provider in PROVIDERS if provider.name == name), None)
    if provider is None or not model or not model.isprintable():
        raise BadSetting("MINI_AGENT_MODEL 要写成 anthropic/模型名 或者 openai/模型名。")
    if _what_opens(provider, settings) is None:
        where = _where(settings, "MINI_AGENT_MODEL")
        return Choice(why=f"MINI_AGENT_MODEL 选了 {name}，却没有设置 {provider.api_key}{where}")
    where = _where(settings, "MINI_AGENT_MODEL", provider.api_key, provider.base_url)
    return Choice(provider=provider, model=model, why=f"由 MINI_AGENT_MODEL 选定{where}")


def _what_opens(provider: Provider, settings: Settings) -> str | None:
    """Return the variable that makes a provider usable, or None if it is not."""
    if settings.get(provider.api_key):
        return provider.api_key
    if settings.get(provider.base_url) and not provider.needs_key:
        return provider.base_url
    return None


def _where(settings: Settings, *names: str) -> str:
    """Return which of the variables `names` which file has set, or "" if none has."""
    found: dict[str, list[str]] = {}
    for name in names:
        layer = settings.layer_of(name)
        if layer is not None and layer.name and settings.get(name):
            found.setdefault(layer.name, []).append(name)
    return "".join(f"；{file} 里有 {'、'.join(set_there)}" for file, set_there in found.items())

"""Which model answers, and why. Nothing is built here, and nothing read but variables."""

from dataclasses import dataclass

from .catalog import PROVIDERS, Provider
from .settings import BadSetting, Settings

NOTHING_SET = "没有设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 OPENAI_BASE_URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model, and why it is this one."""

    provider: Provider | None = None
    """None: no real one can be used. Then it is the fake one."""

    model: str = ""
    why: str


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

"""The providers there are: their variables, and what holds if these are not set."""

from dataclasses import dataclass
from typing import Literal


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

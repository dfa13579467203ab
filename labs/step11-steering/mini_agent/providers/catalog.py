"""The providers there are: their variables, and what holds if these are not set."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider, and the variables that belong to it."""

    name: Literal["anthropic", "openai"]

    key: str
    """The variable of the key."""

    address: str
    """The variable of the address."""

    default_address: str
    default_model: str

    needs_key: bool
    """False: with an address of one's own it works without."""


PROVIDERS = (
    Provider(
        name="anthropic",
        key="ANTHROPIC_API_KEY",
        address="ANTHROPIC_BASE_URL",
        default_address="https://api.anthropic.com",
        default_model="claude-sonnet-5-5",
        needs_key=True,
    ),
    Provider(
        name="openai",
        key="OPENAI_API_KEY",
        address="OPENAI_BASE_URL",
        default_address="https://api.openai.com/v1",
        default_model="gpt-5-mini",
        needs_key=False,
    ),
)
"""The first one that can be used is taken, unless `MINI_AGENT_MODEL` names another."""

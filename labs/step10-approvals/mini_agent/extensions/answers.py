"""What an extension can answer to an event. Which answer is possible, the event says.

They are made by strangers, so they are checked when they are made: a wrong type is an
error there, inside the extension.
"""

from pydantic import JsonValue
from pydantic.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """No. It holds: no other extension can turn it into a yes."""

    reason: str = ""
    """For the model to read."""


@dataclass(frozen=True, slots=True)
class ChangeArguments:
    """Run the call, with these arguments. They are checked, and all gates asked about them."""

    arguments: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """Tell the model this instead; what was to be shown to the user goes, too."""

    text: str

    is_error: bool | None = None
    """None: as it was."""


@dataclass(frozen=True, slots=True)
class ChangeInput:
    """Take the line of the user for this one."""

    text: str


@dataclass(frozen=True, slots=True)
class Handled:
    """The line of the user is dealt with: no model gets to see it."""

    text: str = ""
    """What to show to the user."""

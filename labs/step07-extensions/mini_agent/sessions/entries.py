"""The vocabulary of a session: its header, its entries, and the line that each of them becomes.

Not here: how entries hang together (`session.py`), where lines are kept (`file.py`).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, JsonValue, TypeAdapter, ValidationError
from pydantic_core import from_json

from ..messages import Message

VERSION = 1
"""The version of the format. It grows when an older program could misread a newer file."""


class SessionError(Exception):
    """Raised when a session cannot be opened, read or stored. The message is for the user."""


class Unstorable(SessionError):
    """Raised when something holds what no line of a session can carry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHeader:
    """The first line: what this is. It is no part of the tree."""

    type: Literal["session"] = "session"
    version: int = VERSION
    id: str
    created_at: AwareDatetime

    working_folder: str | None = None
    """Where the tools worked. None: not recorded."""

    forked_from: str | None = None
    """The id of the session that this one began as a copy of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEntry:
    """A message of the conversation."""

    type: Literal["message"] = "message"
    id: str

    parent_id: str | None
    """The entry before this one, on the same branch. None: a branch begins here."""

    message: Annotated[Message, Field(discriminator="role")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEntry:
    """Something that the harness or an extension wants to remember. No model ever sees it."""

    type: Literal["custom"] = "custom"
    id: str
    parent_id: str | None

    kind: str
    """What its owner finds it by, like "todo"."""

    data: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafEntry:
    """A move: the conversation goes on behind `parent_id`, whatever was said since."""

    type: Literal["leaf"] = "leaf"
    id: str
    parent_id: str | None


@dataclass(frozen=True, slots=True)
class UnknownEntry:
    """An entry of a kind that only a later version knows. Its line stays as it is."""

    id: str | None
    parent_id: str | None


KnownEntry = MessageEntry | CustomEntry | LeafEntry
Entry = KnownEntry | UnknownEntry

ALIASES = {
    "created_at": "createdAt",
    "working_folder": "workingFolder",
    "forked_from": "forkedFrom",
    "parent_id": "parentId",
}
"""What these fields are called on a line. All others have one name."""

LINE: TypeAdapter[SessionHeader | KnownEntry] = TypeAdapter(
    Annotated[SessionHeader | KnownEntry, Field(discriminator="type")],
    config={
        "extra": "forbid",
        "strict": True,
        "alias_generator": lambda name: ALIASES.get(name, name),
        "ser_json_inf_nan": "constants",  # not a silent null: `encode` must see it, and refuse
        "defer_build": True,  # until the first line: that takes a few milliseconds
    },
)
"""The border between our values and the lines of a session: what passes it has been checked.

A block without a `type` is taken for a text, the only one that fits it.
"""

CUSTOM: TypeAdapter[JsonValue] = TypeAdapter(
    JsonValue, config={"allow_inf_nan": False, "defer_build": True}
)
"""The same for what a `CustomEntry` holds, before it is stored: it may come from anybody."""

KNOWN_TYPES = ("session", "message", "custom", "leaf")


def encode(record: SessionHeader | KnownEntry) -> bytes:
    r"""Return the line of `record`, its "\n" included.

    Raises:
        ValueError: it holds what strict JSON cannot carry: half a surrogate pair,
            NaN, or more levels than a reader would follow.
    """
    line = LINE.dump_json(record, by_alias=True)
    from_json(line, allow_inf_nan=False)  # what cannot be read back must not be written
    if b"\xef\xbf\xbd" in line and LINE.validate_json(line) != record:
        raise ValueError("half a character in a key")  # pydantic writes U+FFFD for it, in silence
    return line + b"\n"


def decode(line: bytes) -> SessionHeader | Entry:
    """Return the header or the entry that stands on `line`.

    Raises:
        ValueError: the line is damaged: no JSON, no entry, or an entry that is not valid.
    """
    if b"NaN" in line or b"Infinity" in line:
        from_json(line, allow_inf_nan=False)  # refuses the numbers, not the words
    try:
        return LINE.validate_json(line)
    except ValidationError:
        value = from_json(line)
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind in KNOWN_TYPES:
            raise
        return UnknownEntry(_text(value.get("id")), _text(value.get("parentId")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None

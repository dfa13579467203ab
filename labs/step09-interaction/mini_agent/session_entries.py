"""The vocabulary of a session: its header, its entries, and the line that each of them becomes.

Not here: how entries hang together (`session.py`), where lines are kept (`session_file.py`).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import from_json

from .messages import Frozen, Message

VERSION = 1
"""The version of the format. It grows when an older program could misread a newer file."""


class SessionError(Exception):
    """Raised when a session cannot be opened, read or stored. The message is for the user."""


class Record(Frozen):
    """What becomes a line of its own. Names are camelCase in the line; numbers are finite."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        serialize_by_alias=True,
        validate_by_name=True,
        allow_inf_nan=False,
        ser_json_inf_nan="constants",  # not a silent null: `encode` must see it, and refuse
    )


class SessionHeader(Record):
    """The first line: what this is. It is no part of the tree."""

    type: Literal["session"] = "session"
    version: int = VERSION
    id: str
    created_at: AwareDatetime

    working_folder: str | None = None
    """Where the tools worked. None: not recorded."""

    forked_from: str | None = None
    """The id of the session that this one began as a copy of."""


class MessageEntry(Record):
    """A message of the conversation."""

    type: Literal["message"] = "message"
    id: str

    parent_id: str | None
    """The entry before this one, on the same branch. None: a branch begins here."""

    message: Message


class CustomEntry(Record):
    """Something that the harness or an extension wants to remember. No model ever sees it."""

    type: Literal["custom"] = "custom"
    id: str
    parent_id: str | None

    kind: str
    """What its owner finds it by, like "todo"."""

    data: JsonValue


class LeafEntry(Record):
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

KNOWN_ENTRY: TypeAdapter[KnownEntry] = TypeAdapter(
    Annotated[KnownEntry, Field(discriminator="type")]
)
KNOWN_TYPES = ("session", "message", "custom", "leaf")


def encode(record: SessionHeader | KnownEntry) -> bytes:
    r"""Return the line of `record`, its "\n" included.

    Raises:
        ValueError: it holds what strict JSON cannot carry: half a surrogate pair,
            NaN, or more levels than a reader would follow.
    """
    line = record.model_dump_json().encode()
    from_json(line, allow_inf_nan=False)  # what cannot be read back must not be written
    return line + b"\n"


def decode(line: bytes) -> Entry:
    """Return the entry that stands on `line`.

    Raises:
        ValueError: the line is damaged: no JSON, no entry, or an entry that is not valid.
    """
    try:
        return KNOWN_ENTRY.validate_json(line)
    except ValidationError:
        value = from_json(line)
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind in KNOWN_TYPES:
            raise
        return UnknownEntry(_text(value.get("id")), _text(value.get("parentId")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None

"""Text at the border to a provider: what comes in, and what goes out.

In comes what can be kept: what no file and no wire could take stays out. Out goes what a
provider accepts, whoever made it up: a history may come from another model, which had other
habits. One name that a provider refuses, and it would refuse every request of that
conversation from then on.
"""

import json
import re
from hashlib import sha256

from pydantic_core import from_json

from ..messages import JsonObject, ToolResultMessage, message_text
from ..text import replace_surrogates

MAX_LEVELS = 100
"""Of lists and objects in the arguments of a call. A parser of JSON follows some 200 of them,
and whatever is stored or sent stands in a few more."""

NOT_ALLOWED = re.compile(r"[^a-zA-Z0-9_-]")
MAX_ID = 40
MAX_NAME = 64

EMPTY = "（空）"


def parse_arguments(text: str) -> JsonObject | None:
    """Return the JSON object that `text` is, or None if it is anything else.

    NaN, 1e999 and too many levels are something else: they could never be written again.
    """
    try:
        value = from_json(text)
        json.dumps(value, allow_nan=False)
    except ValueError:
        return None
    return value if isinstance(value, dict) and not _is_deep(value) else None


def whole_characters(text: str) -> tuple[str, str]:
    r"""Return `text` with every character whole, and the half of one at its very end, or "".

    JSON may cut an emoji in two (`\ud83c` at the end of one piece, `\udf89` at the start of
    the next). A half that stands alone becomes U+FFFD.
    """
    half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
    return replace_surrogates(text.removesuffix(half)), half


def accepted_id(call_id: str) -> str:
    """Return the id of a call, or in its place another: always the same, and used by no other."""
    if call_id and len(call_id) <= MAX_ID and not NOT_ALLOWED.search(call_id):
        return call_id
    return "call_" + sha256(call_id.encode("utf-8", "replace")).hexdigest()[:32]


def accepted_name(name: str) -> str:
    """Return the name of a tool that was called, with "_" for what is not allowed in it."""
    return NOT_ALLOWED.sub("_", name)[:MAX_NAME] or "_"


def accepted_result(message: ToolResultMessage) -> str:
    """Return the text of a tool result, which must not be blank."""
    text = message_text(message)
    return text if text.strip() else EMPTY


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_LEVELS):
        level = [inner for outer in level for inner in _inside(outer)]
    return any(isinstance(inner, dict | list) for inner in level)


def _inside(value: object) -> list[object]:
    match value:
        case dict():
            return list(value.values())
        case list():
            return value
    return []

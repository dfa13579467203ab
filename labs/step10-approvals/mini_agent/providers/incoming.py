"""What comes in, in a form that can be kept: what no file and no wire could take stays out."""

import json

from pydantic_core import from_json

from ..messages import JsonObject
from ..text import replace_surrogates

MAX_LEVELS = 100
"""Of lists and objects in the arguments of a call. A parser of JSON follows some 200 of them,
and whatever is stored or sent stands in a few more."""


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


def whole_characters(text: str) -> tuple[str, str]:
    r"""Return `text` with every character whole, and the half of one at its very end, or "".

    JSON may cut an emoji in two (`\ud83c` at the end of one piece, `\udf89` at the start of
    the next). A half that stands alone becomes U+FFFD.
    """
    half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
    return replace_surrogates(text.removesuffix(half)), half

"""What comes in, in a form that can be kept: what no file and no wire could take stays out."""

import json

from pydantic import JsonValue
from pydantic_core import from_json


def parse_arguments(text: str) -> dict[str, JsonValue] | None:
    """Return the JSON object that `text` is, or None if it is anything else."""
    try:
        value = from_json(text)
        json.dumps(value, allow_nan=False)  # NaN, or 1e999: it could never be written again
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def whole_characters(text: str) -> tuple[str, str]:
    r"""Return `text` with every character whole, and the half of one at its very end, or "".

    JSON may cut an emoji in two (`\ud83c` at the end of one piece, `\udf89` at the start of
    the next). A half that stands alone becomes U+FFFD.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        half = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        whole = text.removesuffix(half).encode("utf-16", "surrogatepass")
        return whole.decode("utf-16", "replace"), half
    return text, ""

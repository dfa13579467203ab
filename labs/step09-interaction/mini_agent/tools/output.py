"""Whatever a tool returned, as something that a session file and a request can carry.

This is the border. Behind it there is no NaN, no half emoji and no object, and the
same value gives the same text in every run.
"""

import json
import math
from collections.abc import Mapping, Set
from datetime import date, time
from pathlib import PurePath

from pydantic import JsonValue

from ..results import ToolOutput
from .limits import LIMIT, Limit, keep_head

MOST = Limit(lines=2 * LIMIT.lines, bytes=2 * LIMIT.bytes)
"""For tools that set themselves no limit. Those that do know better what to leave out."""


def clean_output(value: object) -> ToolOutput:
    """Return what a tool returned, made fit to be kept and sent. `value` may be anything."""
    if not isinstance(value, ToolOutput):
        return ToolOutput(text=_text(value))
    details = None if value.details is None else _text(value.details)
    return ToolOutput(text=_text(value.text), details=details)


def plain_json(value: object, *, around: tuple[int, ...] = ()) -> JsonValue:
    """Return `value` rebuilt from what strict JSON knows.

    `around` holds the ids of the containers that it stands in.
    """
    if id(value) in around:
        return "[又指回自身]"
    around = (*around, id(value))
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            return _whole_characters(value)
        case bytes():
            return value.decode("utf-8", errors="backslashreplace")
        case date() | time() | PurePath():
            return _whole_characters(str(value))
        case Mapping():
            items = ((str(plain_json(key)), item) for key, item in value.items())
            return {key: plain_json(item, around=around) for key, item in items}
        case list() | tuple():
            return [plain_json(item, around=around) for item in value]
        case Set():  # it has no order, so it gets one
            return sorted((plain_json(item, around=around) for item in value), key=json.dumps)
        case _:  # not its repr: that may hold an address, another one in every run
            return f"<{type(value).__qualname__}>"


def _text(value: object) -> str:
    plain = "" if value is None else plain_json(value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    data = text.encode()
    kept = keep_head(data, MOST)
    if len(kept) < len(data):
        return f"{kept.decode()}\n[结果太长：共 {len(data)} 字节，只保留了前 {len(kept)} 字节]"
    return text


def _whole_characters(text: str) -> str:
    """Return `text` with U+FFFD for each half of a UTF-16 pair that has lost its other half."""
    return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")

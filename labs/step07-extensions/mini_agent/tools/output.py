"""What a tool brings back, kept to a length that a session and a request can carry.

For tools that set themselves no limit. Those that do know better what to leave out.
"""

from dataclasses import replace

from ..results import ToolOutput
from ..text import replace_surrogates
from .limits import LIMIT, Limit, keep_head

MAX_OUTPUT = Limit(lines=2 * LIMIT.lines, bytes=2 * LIMIT.bytes)


def limited(output: ToolOutput | str | None) -> ToolOutput | str | None:
    """Return `output`, shortened if it is too long. Its type is judged in `results.py` alone."""
    match output:
        case str():
            return _shortened(output)
        case ToolOutput(text=str(text), details=str() | None as details):
            shown = None if details is None else _shortened(details)
            return replace(output, text=_shortened(text), details=shown)
        case _:
            return output


def _shortened(text: str) -> str:
    data = replace_surrogates(text).encode()
    kept = keep_head(data, MAX_OUTPUT)
    if len(kept) == len(data):
        return text
    return f"{kept.decode()}\n[结果太长：共 {len(data)} 字节，只保留了前 {len(kept)} 字节]"

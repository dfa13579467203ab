"""Calls, progress and results as lines on the screen: enough for the user, not all of it."""

import json

from .messages import ToolCall, ToolResultMessage, message_text
from .text import escape_controls, one_line

MAX_LINES, MAX_LINE_LENGTH = 8, 200
"""What the user sees of a result. The model gets the whole of it."""

LAST_LINES = 6
"""So many of these are the last ones, where something went wrong: there it says what."""

INDENT = "\n      "
"""A line break, and as much as it takes to stand under the text behind `结果> `."""


def show_call(call: ToolCall) -> None:
    """Print which tool is called, and with what."""
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    text = arguments if call.malformed is None else call.malformed
    print("工具>", one_line(call.name), shortened(text, lines=1), flush=True)


def show_progress(call: ToolCall, text: str) -> None:
    """Print how far a running tool has come."""
    print("进度>", one_line(call.name), shortened(text, lines=1), flush=True)


def show_result(result: ToolResultMessage) -> None:
    """Print what a tool has brought back, or what went wrong."""
    print("出错>" if result.is_error else "结果>", shown_of(result), flush=True)


def shown_of(result: ToolResultMessage) -> str:
    """Return as much of a result as the user sees."""
    text = message_text(result) if result.details is None else result.details
    return shortened(text, lines=MAX_LINES, last=LAST_LINES if result.is_error else 0)


def shortened(text: str, *, lines: int, last: int = 0) -> str:
    """Return some lines of `text`, each cut to a length that fits, and how many are left out.

    They are the first ones, and the `last` ones of them are the last of the text.
    """
    every = escape_controls(text.replace("\r\n", "\n")).removesuffix("\n").split("\n")
    kept = [f"{line[:MAX_LINE_LENGTH]}…" if len(line) > MAX_LINE_LENGTH else line for line in every]
    left = len(every) - lines
    if left <= 0:
        return INDENT.join(kept)
    note = f"…（中间略去 {left} 行）" if last else f"…（还有 {left} 行）"
    return INDENT.join([*kept[: lines - last], note, *kept[len(kept) - last :]])

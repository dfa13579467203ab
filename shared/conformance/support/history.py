"""A history of messages: in words, and whether a model would accept it."""

from collections.abc import Iterable, Sequence
from typing import Any


def in_words(messages: Iterable[Any]) -> list[str]:
    """Return what was said, one message a line."""
    return [_in_words(message) for message in messages]


def _in_words(message: Any) -> str:
    if message.role == "tool_result":
        kind = "error" if message.is_error else "result"
        return f"{kind} {message.tool_call_id}: {text_of(message)}"
    if message.role == "user":
        return f"user: {text_of(message)}"
    calls = "".join(f"[{call.id}]" for call in calls_of(message))
    end = "" if message.stop_reason in ("stop", "tool_use") else f" ({message.stop_reason})"
    return f"assistant: {text_of(message)}{calls}{end}"


def text_of(message: Any) -> str:
    """Return the text of a message, without looking at the package's own `message_text`."""
    return "".join(block.text for block in message.content if block.type == "text")


def calls_of(message: Any) -> list[Any]:
    """Return the tool calls of a message."""
    return [block for block in message.content if block.type == "tool_call"]


def fault_in(messages: Sequence[Any]) -> str:
    """Say what a model would not accept in a history, or return an empty text.

    Each call has exactly one result, of its own name, in the order of the calls and
    right behind their message; ids are neither empty nor used twice; no message of
    the model is empty.
    """
    waiting: list[Any] = []
    ids: list[str] = []
    for message in messages:
        if message.role == "tool_result":
            if not waiting or waiting[0].id != message.tool_call_id:
                return f"the result of {message.tool_call_id!r} does not follow its call in turn"
            if waiting.pop(0).name != message.tool_name:
                return f"the result of {message.tool_call_id!r} names another tool"
        elif waiting:
            break
        elif message.role == "assistant":
            waiting = calls_of(message)
            ids += [call.id for call in waiting]
            if not waiting and not text_of(message):
                return "a message of the model that says nothing"
    if waiting:
        return f"the call {waiting[0].id!r} has no result"
    if "" in ids or len(set(ids)) < len(ids):
        return f"ids that are empty or used twice: {ids}"
    return ""

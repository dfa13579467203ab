"""What comes back on the Chat Completions API, in the words of OpenAI and of all who speak it.

An answer is a sequence of chunks, each with a little more of the text or of some tool
calls. At the end stand the finish reason, the usage, and `[DONE]`.
"""

import json
from dataclasses import dataclass
from typing import Any

from ..messages import StopReason, Usage
from .answer import CallBuilder, Events, MessageBuilder
from .failures import ErrorBody, error_body_in, failure_of_event
from .sse import is_whole
from .text import whole_characters

STOP_REASONS: dict[str, StopReason] = {
    "stop": "stop",
    "tool_calls": "tool_use",
    "length": "length",
    "content_filter": "refusal",
}
"""From OpenAI's reference of Chat Completions, `finish_reason`. Any other is an error."""

THINKING = ("reasoning_content", "reasoning")
"""Names under which servers send what a model thinks: DeepSeek and llama.cpp the first one, vLLM
and OpenRouter the second. OpenAI itself keeps it."""

BESIDE_CALL = ("extra_content",)
"""What stands beside a call and has to come back with it."""

Wire = dict[str, Any]
"""JSON as it stands on the wire."""


def read_event(answer: MessageBuilder, name: str, data: str) -> Events:
    """Read one event of the wire. A chunk has no name; what has another is not even parsed."""
    if name not in ("message", "error"):
        return ()
    if data.strip() == "[DONE]":
        answer.complete = True
        return ()
    chunk = json.loads(data)
    if name == "error" or chunk.get("error") or chunk.get("object") == "error":
        error_body = error_body_in(chunk) or ErrorBody(message=data)
        raise failure_of_event(error_body, key_name="OPENAI_API_KEY")
    if usage := chunk.get("usage"):
        answer.usage = usage_of(usage)
    return read_choice(answer, chunk["choices"][0]) if chunk.get("choices") else ()


def read_choice(answer: MessageBuilder, choice: Wire) -> Events:
    """Read what a chunk brings: text, pieces of tool calls, the end, or several of these.

    All of it is read before any of it is kept: a chunk that we do not understand leaves nothing.
    """
    delta = choice.get("delta") or {}
    thoughts = [(name, text) for name in THINKING if (text := text_in(delta.get(name)))]
    texts = [(kind, text) for kind in ("content", "refusal") if (text := text_in(delta.get(kind)))]
    pieces = [read_piece(piece) for piece in delta.get("tool_calls") or ()]

    events: Events = ()
    for name, text in thoughts[:1]:  # some servers send it under both names
        events += answer.add_thinking("thinking", text)
        builder = answer.growing["thinking"]
        builder.payload["field"] = name  # type: ignore[union-attr]  # just made
    for kind, text in texts:
        events += answer.add_text(kind, text)
    for piece in pieces:
        events += add_piece(answer, piece)
    if reason := choice.get("finish_reason"):
        events += answer.end_calls()
        answer.raw_stop_reason, answer.stop_reason = reason, STOP_REASONS.get(reason)
        answer.may_end = True
        if "refusal" in answer.growing and answer.stop_reason == "stop":
            answer.stop_reason = "refusal"
    return events


def text_in(content: object) -> str:
    """Return a text, be it given as such or as a list of parts.

    Raises:
        TypeError: it is something else.
    """
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "".join(part["text"] for part in content if part.get("type") == "text")
    raise TypeError(f"text expected, not {type(content).__name__}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a tool call."""

    key: object
    """Its number says of which call. Some servers give all the same, or none."""

    id: str
    name: str
    arguments: str
    beside: Wire


def read_piece(piece: Wire) -> Piece:
    """Read a piece. Arguments may come as the object itself, and what is missing as null."""
    function = piece.get("function") or {}
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        arguments = "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
    beside = {name: piece[name] for name in BESIDE_CALL if piece.get(name)}
    return Piece(
        key=piece.get("index"),
        id=text_in(piece.get("id")),
        name=whole_characters(text_in(function.get("name")))[0],
        arguments=arguments,
        beside=beside,
    )


def add_piece(answer: MessageBuilder, piece: Piece) -> Events:
    """Add a piece to its call: that of its number, unless it clearly begins another one."""
    call = answer.growing.get(piece.key)
    if not isinstance(call, CallBuilder) or is_another(call, piece):
        call = answer.start_call(piece.key, CallBuilder(id=piece.id))
    call.name = call.name or piece.name
    call.pieces.append(piece.arguments)
    if piece.beside:
        call.payload["beside_call"] = piece.beside
    return call.start() if call.name else ()


def is_another(call: CallBuilder, piece: Piece) -> bool:
    """Tell whether `piece` begins a call of its own: another id, or a name where all is said."""
    if piece.id and call.id:
        return piece.id != call.id
    return bool(piece.name and call.name) and is_whole("".join(call.pieces))


def usage_of(usage: Wire) -> Usage:
    """Return the counts in our words."""
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        input_tokens=usage.get("prompt_tokens") or 0,
        output_tokens=usage.get("completion_tokens") or 0,
        cached_tokens=details.get("cached_tokens") or 0,
    )

"""The Chat Completions API of OpenAI, which Ollama, vLLM, llama.cpp and many others speak too.

An answer is a sequence of chunks, each with a little more of the text or of some tool
calls. At the end stand the finish reason, the usage, and `[DONE]`.
"""

import json
from functools import partial
from typing import Any, assert_never

from pydantic import SecretStr

from ..messages import (
    AssistantMessage,
    Context,
    Message,
    StopReason,
    ToolResultMessage,
    Usage,
    UserMessage,
    message_text,
    tool_calls,
)
from ..stream import StreamFn
from .answer import CallBuilder, Events, MessageBuilder, TextBuilder
from .call import create_stream_fn
from .endpoint import Endpoint
from .failures import ErrorBody, error_body_in, failure_of_event
from .text import accepted_id, accepted_name, accepted_result
from .wire import Request

STOP_REASONS: dict[str, StopReason] = {
    "stop": "stop",
    "tool_calls": "tool_use",
    "length": "length",
    "content_filter": "refusal",
}
"""From OpenAI's reference of Chat Completions, `finish_reason`. Any other is an error."""

Wire = dict[str, Any]
"""JSON as it stands on the wire."""


def create_openai_model(model: str, endpoint: Endpoint) -> StreamFn:
    """Return the model of that name."""
    return create_stream_fn(
        endpoint,
        create_request=partial(create_request, model, endpoint.api_key),
        read_event=read_event,
    )


def create_request(model: str, key: SecretStr | None, context: Context) -> Request:
    """Return the request for an answer to `context`."""
    body: Wire = {
        "model": model,
        "messages": wire_messages(context),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if context.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                },
            }
            for tool in context.tools
        ]
    headers = {}
    if key is not None:  # a server of one's own needs none
        headers["authorization"] = f"Bearer {key.get_secret_value()}"
    return Request(path="/chat/completions", headers=headers, body=body)


def wire_messages(context: Context) -> list[Wire]:
    """Return the system prompt and the messages, without those that say nothing."""
    said = [wired for message in context.messages for wired in wire_message(message)]
    if context.system_prompt:
        return [{"role": "system", "content": context.system_prompt}, *said]
    return said


def wire_message(message: Message) -> list[Wire]:
    """Return one message, or none: a blank one is left out."""
    text = message_text(message)
    match message:
        case UserMessage():
            return [{"role": "user", "content": text}] if text.strip() else []
        case AssistantMessage():
            said = {"content": text} if text.strip() else {}
            asked = {"tool_calls": calls} if (calls := wire_calls(message)) else {}
            return [{"role": "assistant", **said, **asked}] if said or asked else []
        case ToolResultMessage(tool_call_id=id, is_error=is_error):
            result = accepted_result(message)  # this wire has no other place for `is_error`
            content = f"Error: {result}" if is_error else result
            return [{"role": "tool", "tool_call_id": accepted_id(id), "content": content}]
        case _:
            assert_never(message)


def wire_calls(message: AssistantMessage) -> list[Wire]:
    """Return the tool calls of a message. Their arguments are a text here."""
    return [
        {
            "id": accepted_id(call.id),
            "type": "function",
            "function": {
                "name": accepted_name(call.name),
                "arguments": json.dumps(call.arguments, ensure_ascii=False, allow_nan=False),
            },
        }
        for call in tool_calls(message)
    ]


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
    """Read what a chunk brings: text, pieces of tool calls, the end, or several of these."""
    delta = choice.get("delta") or {}
    events: Events = ()
    for kind in ("content", "refusal"):
        if text := delta.get(kind):
            events += read_text(answer, kind, text)
    for piece in delta.get("tool_calls") or ():
        events += read_call(answer, piece)
    if reason := choice.get("finish_reason"):
        events += answer.end_calls()
        answer.raw_stop_reason, answer.stop_reason = reason, STOP_REASONS.get(reason)
        if "refusal" in answer.growing and answer.stop_reason == "stop":
            answer.stop_reason = "refusal"
    return events


def read_text(answer: MessageBuilder, kind: str, text: str) -> Events:
    """Add a piece of text. A refusal is shown like any other."""
    block = answer.growing.get(kind)
    return (block if isinstance(block, TextBuilder) else answer.start_text(kind)).add(text)


def read_call(answer: MessageBuilder, piece: Wire) -> Events:
    """Add a piece of a tool call. Its number says of which one; some servers give all the same."""
    index, call_id = piece.get("index"), piece.get("id") or ""
    function = piece.get("function") or {}
    events: Events = ()
    call = answer.growing.get(index)
    if not isinstance(call, CallBuilder) or (call_id and call_id != call.id):
        call = CallBuilder(id=call_id, name=function["name"])
        events = answer.start_call(index, call)
    call.pieces.append(function.get("arguments") or "")
    return events


def usage_of(usage: Wire) -> Usage:
    """Return the counts in our words."""
    return Usage(
        input_tokens=usage.get("prompt_tokens") or 0,
        output_tokens=usage.get("completion_tokens") or 0,
    )

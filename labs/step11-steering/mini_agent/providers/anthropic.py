"""Anthropic's Messages API: what is sent, and what comes back.

An answer is a sequence of numbered blocks. Each one starts, grows and stops; several may
grow by turns. At the end stand the stop reason (`message_delta`) and `message_stop`.
"""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any, assert_never

from pydantic import SecretStr

from ..messages import (
    AssistantMessage,
    ContentBlock,
    Context,
    Message,
    StopReason,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    Usage,
    UserMessage,
)
from ..stream import StreamFn
from .answer import (
    Builder,
    CallBuilder,
    Events,
    MessageBuilder,
    TextBuilder,
    ThinkingBuilder,
)
from .call import create_stream_fn
from .endpoint import Endpoint
from .failures import CONTEXT_FULL, ErrorBody, Failure, error_body_in, failure_of_event
from .model import Effort, Model
from .text import accepted_id, accepted_name, accepted_result
from .wire import Request

MAX_TOKENS = 16_384
"""Tokens of an answer at most: this provider wants to be told."""

STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_use",
    "max_tokens": "length",
    "refusal": "refusal",
}
"""From Anthropic's documentation, "Handling stop reasons". Any other (as `pause_turn`, which
belongs to tools that run at the provider) is an error."""

API_VERSION = "2026-10-21"
"""The newest one, as the official SDK sends it ("Versions" in Anthropic's API docs)."""

CACHED = {"cache_control": {"type": "ephemeral"}}
"""What stands up to here is the same next time, and costs a tenth then ("Prompt caching" in
Anthropic's docs). Tools come before the system prompt, so its mark holds for them too."""

INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""Tokens of the request: this provider counts those of the cache apart."""

Wire = dict[str, Any]
"""JSON as it stands on the wire."""


def create_anthropic_model(model: Model, endpoint: Endpoint) -> StreamFn:
    """Return the model at `endpoint`."""
    return create_stream_fn(
        endpoint,
        model,
        create_request=partial(create_request, model, endpoint.api_key),
        read_event=read_event,
    )


def create_request(model: Model, key: SecretStr | None, context: Context) -> Request:
    """Return the request for an answer to `context`."""
    turns = wire_messages(context.messages, model)
    body: Wire = {
        "model": model.name,
        "max_tokens": model.max_tokens or MAX_TOKENS,
        "messages": turns,
        "stream": True,
        **wire_effort(model.effort),
    }
    if model.temperature is not None:
        body["temperature"] = model.temperature
    if context.system_prompt:
        body["system"] = [{"type": "text", "text": context.system_prompt, **CACHED}]
    if context.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in context.tools
        ]
    if turns:
        turns[-1]["content"][-1] |= CACHED  # the next request begins with the same messages
    headers = {"anthropic-version": API_VERSION}
    if key is not None:
        headers["x-api-key"] = key.get_secret_value()
    return Request(path="/v1/messages", headers=headers, body=body)


def wire_effort(effort: Effort | None) -> Wire:
    """Return how much the model shall think. None: what it does by itself."""
    if effort is None:
        return {}
    if effort == "none":
        return {"thinking": {"type": "disabled"}}
    shown = {"type": "adaptive", "display": "summarized"}
    known = "low" if effort == "minimal" else effort  # this provider begins at "low"
    return {"thinking": shown, "output_config": {"effort": known}}


def wire_messages(messages: Iterable[Message], model: Model) -> list[Wire]:
    """Return `messages` as turns of user and assistant.

    Tool results are said by the user here: all results of one answer stand in a single
    turn, and what the user says next stands behind them.
    """
    turns: list[Wire] = []
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        blocks = wire_blocks(message, model)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return turns


def wire_blocks(message: Message, model: Model) -> list[Wire]:
    """Return the blocks of a message."""
    match message:
        case ToolResultMessage(tool_call_id=id, is_error=is_error):
            result = {
                "type": "tool_result",
                "tool_use_id": accepted_id(id),
                "content": accepted_result(message),
            }
            return [result | {"is_error": True} if is_error else result]
        case UserMessage() | AssistantMessage():
            return [wired for block in message.content for wired in wire_block(block, model)]
        case _:
            assert_never(message)


def wire_block(block: ContentBlock, model: Model) -> list[Wire]:
    """Return one block, or none: a blank text would be refused, and so would others' thoughts."""
    match block:
        case TextContent(text=text):
            return [{"type": "text", "text": text}] if text.strip() else []
        case ThinkingContent(payload=payload):
            return [dict(payload)] if payload and model.has_thought(block) else []
        case ToolCall(id=id, name=name, arguments=arguments):
            call = {"id": accepted_id(id), "name": accepted_name(name), "input": arguments}
            return [{"type": "tool_use", **call}]
        case _:
            assert_never(block)


def read_event(answer: MessageBuilder, name: str, data: str) -> Events:
    """Read one event of the wire. What we do not know is not even parsed."""
    match name:
        case "content_block_delta":
            return read_delta(answer, json.loads(data))
        case "content_block_start":
            return read_start(answer, json.loads(data))
        case "content_block_stop":
            return end_block(answer.growing.get(json.loads(data)["index"]))
        case "message_start":
            read_usage(answer, json.loads(data)["message"].get("usage") or {})
        case "message_delta":
            event = json.loads(data)
            read_usage(answer, event.get("usage") or {})
            if reason := event["delta"].get("stop_reason"):
                if reason == "model_context_window_exceeded":  # to go on would not help
                    raise Failure(CONTEXT_FULL)
                answer.raw_stop_reason, answer.stop_reason = reason, STOP_REASONS.get(reason)
        case "message_stop":
            answer.complete = True
            return answer.end_calls()
        case "error":
            error_body = error_body_in(json.loads(data)) or ErrorBody(message=data)
            raise failure_of_event(error_body, key_name="ANTHROPIC_API_KEY")
    return ()


def read_start(answer: MessageBuilder, event: Wire) -> Events:
    """Start a block. A kind that we do not know gets no block, and its pieces go nowhere."""
    index, block = event["index"], event["content_block"]
    match block["type"]:
        case "text":
            return answer.start_text(index).add(block["text"])
        case "thinking":
            thinking = answer.start_thinking(index)
            thinking.signature = block.get("signature") or ""
            return thinking.add(block["thinking"])
        case "redacted_thinking":
            answer.start_thinking(index).payload = block
        case "tool_use":
            if_empty = json.dumps(block.get("input") or {})
            call = CallBuilder(id=block["id"], name=block["name"], if_empty=if_empty)
            return answer.start_call(index, call).start()
    return ()


def read_delta(answer: MessageBuilder, event: Wire) -> Events:
    """Add a piece to a block."""
    block, delta = answer.growing.get(event["index"]), event["delta"]
    match delta["type"], block:
        case "text_delta", TextBuilder():
            return answer.add_text(event["index"], delta["text"])
        case "thinking_delta", ThinkingBuilder():
            return block.add(delta["thinking"])
        case "signature_delta", ThinkingBuilder():
            block.signature += delta["signature"]
        case "input_json_delta", CallBuilder():
            block.pieces.append(delta["partial_json"])
    return ()


def end_block(block: Builder | None) -> Events:
    """End a block: now a call has its arguments, and a thought what goes back."""
    match block:
        case CallBuilder():
            return block.end()
        case ThinkingBuilder(signature=signature) if signature:
            block.payload = {"type": "thinking", "thinking": block.text, "signature": signature}
    return ()


def read_usage(answer: MessageBuilder, usage: Wire) -> None:
    """Take over the counts that are there. They are totals, so the last ones are right."""
    if not usage:
        return
    before = answer.usage or Usage(input_tokens=0, output_tokens=0)
    answer.usage = Usage(
        input_tokens=sum(usage.get(name) or 0 for name in INPUT) or before.input_tokens,
        output_tokens=usage.get("output_tokens", before.output_tokens),
        cached_tokens=usage.get("cache_read_input_tokens") or before.cached_tokens,
    )

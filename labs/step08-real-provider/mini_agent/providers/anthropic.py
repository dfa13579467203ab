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
from .answer import CallBuilder, Events, MessageBuilder, TextBuilder
from .call import create_stream_fn
from .endpoint import Endpoint
from .failures import CONTEXT_FULL, ErrorBody, Failure, error_body_in, failure_of_event
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

Wire = dict[str, Any]
"""JSON as it stands on the wire."""


def create_anthropic_model(model: str, endpoint: Endpoint) -> StreamFn:
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
        "max_tokens": MAX_TOKENS,
        "messages": wire_messages(context.messages),
        "stream": True,
    }
    if context.system_prompt:
        body["system"] = context.system_prompt
    if context.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in context.tools
        ]
    headers = {"anthropic-version": "2023-06-01"}
    if key is not None:
        headers["x-api-key"] = key.get_secret_value()
    return Request(path="/v1/messages", headers=headers, body=body)


def wire_messages(messages: Iterable[Message]) -> list[Wire]:
    """Return `messages` as turns of user and assistant.

    Tool results are said by the user here: all results of one answer stand in a single
    turn, and what the user says next stands behind them.
    """
    turns: list[Wire] = []
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        blocks = wire_blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return turns


def wire_blocks(message: Message) -> list[Wire]:
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
            return [wired for block in message.content for wired in wire_block(block)]
        case _:
            assert_never(message)


def wire_block(block: ContentBlock) -> list[Wire]:
    """Return one block, or none: a blank text would be refused."""
    match block:
        case TextContent(text=text):
            return [{"type": "text", "text": text}] if text.strip() else []
        case ThinkingContent():
            return []
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
            block = answer.growing.get(json.loads(data)["index"])
            return block.end() if isinstance(block, CallBuilder) else ()
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
        case "tool_use":
            if_empty = json.dumps(block.get("input") or {})
            call = CallBuilder(id=block["id"], name=block["name"], if_empty=if_empty)
            return answer.start_call(index, call)
    return ()


def read_delta(answer: MessageBuilder, event: Wire) -> Events:
    """Add a piece to a block."""
    block, delta = answer.growing.get(event["index"]), event["delta"]
    if delta["type"] == "text_delta" and isinstance(block, TextBuilder):
        return block.add(delta["text"])
    if delta["type"] == "input_json_delta" and isinstance(block, CallBuilder):
        block.pieces.append(delta["partial_json"])
    return ()


def read_usage(answer: MessageBuilder, usage: Wire) -> None:
    """Take over the counts that are there. They are totals, so the last ones are right."""
    if not usage:
        return
    before = answer.usage or Usage(input_tokens=0, output_tokens=0)
    answer.usage = Usage(
        input_tokens=usage.get("input_tokens", before.input_tokens),
        output_tokens=usage.get("output_tokens", before.output_tokens),
    )

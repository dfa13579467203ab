"""The Chat Completions API of OpenAI, which Ollama, vLLM, llama.cpp and many others speak too.

What is sent. Not here: what comes back (`openai_answer.py`).
"""

import json
from functools import partial
from typing import Any, assert_never

from pydantic import SecretStr

from ..messages import (
    AssistantMessage,
    Context,
    Message,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    message_text,
)
from ..stream import StreamFn
from .call import create_stream_fn
from .endpoint import Endpoint, host_of
from .model import Model
from .openai_answer import read_event
from .text import accepted_id, accepted_name, accepted_result
from .wire import Request

Wire = dict[str, Any]
"""JSON as it stands on the wire."""


def create_openai_model(model: Model, endpoint: Endpoint) -> StreamFn:
    """Return the model at `endpoint`."""
    is_openai = host_of(endpoint.base_url).endswith("openai.com")
    return create_stream_fn(
        endpoint,
        model,
        create_request=partial(create_request, model, endpoint.api_key, is_openai=is_openai),
        read_event=read_event,
    )


def create_request(
    model: Model, key: SecretStr | None, context: Context, *, is_openai: bool = False
) -> Request:
    """Return the request for an answer to `context`."""
    body: Wire = {
        "model": model.name,
        "messages": wire_messages(context, model),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if model.effort is not None:
        body["reasoning_effort"] = model.effort
    if model.temperature is not None:
        body["temperature"] = model.temperature
    if model.max_tokens is not None:  # the old name is what all others understand
        body["max_completion_tokens" if is_openai else "max_tokens"] = model.max_tokens
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


def wire_messages(context: Context, model: Model) -> list[Wire]:
    """Return the system prompt and the messages, without those that say nothing.

    Two of the same role in a row become one: templates of local models want them to alternate.
    """
    turns: list[Wire] = []
    for message in context.messages:
        for wired in wire_message(message, model):
            before: Wire = turns[-1] if turns else {"role": None}
            if wired["role"] == before["role"] != "tool" and not (
                "tool_calls" in before or "tool_calls" in wired
            ):
                before["content"] += f"\n\n{wired['content']}"
            else:
                turns.append(wired)
    if context.system_prompt:
        return [{"role": "system", "content": context.system_prompt}, *turns]
    return turns


def wire_message(message: Message, model: Model) -> list[Wire]:
    """Return one message, or none: a blank one is left out."""
    text = message_text(message)
    match message:
        case UserMessage():
            return [{"role": "user", "content": text}] if text.strip() else []
        case AssistantMessage():
            calls = wire_calls(message, model)
            if not calls:
                return [{"role": "assistant", "content": text}] if text.strip() else []
            # The key is always there: some servers refuse a message without it.
            said = text if text.strip() else None
            thought = wire_thinking(message, model)
            return [{"role": "assistant", "content": said, **thought, "tool_calls": calls}]
        case ToolResultMessage(tool_call_id=id, is_error=is_error):
            result = accepted_result(message)  # this wire has no other place for `is_error`
            content = f"Error: {result}" if is_error else result
            return [{"role": "tool", "tool_call_id": accepted_id(id), "content": content}]
        case _:
            assert_never(message)


def wire_thinking(message: AssistantMessage, model: Model) -> Wire:
    """Return what the model thought before its calls, under the name by which it was sent.

    DeepSeek refuses calls that come back without it ("Thinking Mode" in its API docs).
    """
    thoughts: Wire = {}
    for block in message.content:
        if isinstance(block, ThinkingContent) and model.has_thought(block):
            name = block.payload.get("field", "")
            thoughts[name] = thoughts.get(name, "") + block.text
    thoughts.pop("", None)
    return thoughts


def wire_calls(message: AssistantMessage, model: Model) -> list[Wire]:
    """Return the tool calls of a message. Their arguments are a text here.

    What stands beside a call goes back with it: Gemini's compatible endpoint refuses its own
    calls without `thought_signature` ("Thought signatures" in its docs).
    """
    wired, beside = [], {}
    for block in message.content:
        if isinstance(block, ThinkingContent) and model.has_thought(block):
            beside = block.payload.get("beside_call", {})
        if isinstance(block, ToolCall):
            function = {
                "name": accepted_name(block.name),
                "arguments": json.dumps(block.arguments, ensure_ascii=False, allow_nan=False),
            }
            call = {"id": accepted_id(block.id), "type": "function", "function": function}
            wired.append(call | beside)
            beside = {}
    return wired

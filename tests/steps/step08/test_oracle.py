"""The official clients as judges: the same bytes mean the same to them, and our requests fit."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import anthropic
import anyio
import openai
import pytest
from anthropic.resources.messages import DEPRECATED_MODELS
from anthropic.types import Message, Model
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from mini_agent.messages import AssistantMessage, TextContent, tool_calls
from mini_agent.providers.settings import PROVIDERS
from openai.types import ChatModel
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter
from syrupy.assertion import SnapshotAssertion

from .calls import KEY, collect, last, model_at
from .conftest import Play
from .contexts import CONTEXTS
from .stub import Reply
from .wires import WIRES, ProviderName, Wire, answer_wire

NEVER_READ = {
    "B3-noise.sse": json.JSONDecodeError,  # it parses events before it knows them
    "openai-noise": json.JSONDecodeError,
    "openai-too-long": openai.LengthFinishReasonError,
    "openai-filtered": openai.ContentFilterFinishReasonError,
}
"""What the official clients do not read to the end."""

REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_use",
    "max_tokens": "length",
    "refusal": "refusal",
    "stop": "stop",
    "tool_calls": "tool_use",
}

Summary = dict[str, Any]
"""What a message says, in words that both sides have."""


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.id)
def test_the_same_bytes_give_the_same_message(play: Play, wire: Wire) -> None:
    stub = play(Reply(body=wire.body))
    read = read_anthropic if wire.provider == "anthropic" else read_openai
    if wire.id in NEVER_READ:
        with pytest.raises(NEVER_READ[wire.id]):
            read(stub.address)
        return
    message = last(anyio.run(collect, model_at(wire.provider, stub.address)))
    assert summary_of(message) == read(stub.address)


def summary_of(message: AssistantMessage) -> Summary:
    return {
        "texts": [block.text for block in message.content if isinstance(block, TextContent)],
        "calls": [(call.id, call.name, call.arguments) for call in tool_calls(message)],
        "reason": message.stop_reason,
        "usage": message.usage and (message.usage.input_tokens, message.usage.output_tokens),
    }


def read_anthropic(address: str) -> Summary:
    """Return what Anthropic's client reads."""
    with (
        anthropic.Anthropic(api_key="k", base_url=address, max_retries=0) as client,
        client.messages.stream(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "你好"}]
        ) as stream,
    ):
        message: Message = stream.get_final_message()
    calls = [block for block in message.content if block.type == "tool_use"]
    return {
        "texts": [block.text for block in message.content if block.type == "text" and block.text],
        "calls": [(call.id, call.name, call.input) for call in calls],
        "reason": REASONS[message.stop_reason or ""],
        "usage": (message.usage.input_tokens, message.usage.output_tokens),
    }


def read_openai(address: str) -> Summary:
    """Return what OpenAI's client reads."""
    with (
        openai.OpenAI(api_key="k", base_url=address, max_retries=0) as client,
        client.chat.completions.stream(
            model="m", messages=[{"role": "user", "content": "你好"}]
        ) as stream,
    ):
        completion: ChatCompletion = stream.get_final_completion()
    choice, usage = completion.choices[0], completion.usage
    functions = [call for call in choice.message.tool_calls or () if call.type == "function"]
    return {
        "texts": [text for text in (choice.message.content, choice.message.refusal) if text],
        "calls": [
            (call.id, call.function.name, json.loads(call.function.arguments)) for call in functions
        ],
        "reason": "refusal" if choice.message.refusal else REASONS[choice.finish_reason],
        "usage": usage and (usage.prompt_tokens, usage.completion_tokens),
    }


TYPES: dict[ProviderName, Any] = {
    "anthropic": MessageCreateParamsStreaming,
    "openai": CompletionCreateParamsStreaming,
}


@pytest.mark.parametrize("name", CONTEXTS)
@pytest.mark.parametrize("provider", TYPES)
def test_a_request(
    play: Play, snapshot: SnapshotAssertion, provider: ProviderName, name: str
) -> None:
    stub = play(Reply(body=answer_wire(provider, "好")))
    anyio.run(collect, model_at(provider, stub.address), CONTEXTS[name])
    (request,) = stub.requests
    assert fits(request.body, TYPES[provider])
    assert KEY not in f"{request.path} {request.body}"
    assert (request.path, request.body) == snapshot


def fits(body: Any, params: Any) -> bool:
    """Tell whether the official client's own types know all there is in `body`."""
    adapter: TypeAdapter[Any] = TypeAdapter(params)
    return bool(checked(adapter.validate_python(body)) == body)


def checked(value: Any) -> Any:
    """Return a validated value in lists and dicts. An iterable is only checked as it is read."""
    if isinstance(value, Mapping):
        return {key: checked(part) for key, part in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [checked(part) for part in value]
    return value


@pytest.mark.parametrize("provider", TYPES)
def test_the_types_tell_a_request_that_does_not_fit(provider: ProviderName) -> None:
    said = {"role": "user", "content": [{"type": "text", "text": "好", "bogus": 1}]}
    assert not fits(
        {"model": "m", "max_tokens": 9, "messages": [said], "stream": True}, TYPES[provider]
    )


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_the_headers_of_a_request(play: Play, provider: ProviderName) -> None:
    stub = play(Reply(body=answer_wire(provider, "好")))
    anyio.run(collect, model_at(provider, stub.address))
    headers = stub.requests[0].headers
    where, value = (
        ("x-api-key", KEY) if provider == "anthropic" else ("authorization", f"Bearer {KEY}")
    )
    assert [name for name, text in headers.items() if KEY in text] == [where]
    assert headers[where] == value
    assert headers["content-type"] == "application/json"
    assert headers["accept-encoding"] == "identity"


def test_the_default_models_are_known_and_not_about_to_go() -> None:
    known = {"anthropic": literals(Model), "openai": literals(ChatModel)}
    for provider in PROVIDERS:
        assert provider.default_model in known[provider.name]
        assert provider.default_model not in DEPRECATED_MODELS


def literals(alias: Any) -> set[str]:
    """Return the strings of a `Literal`, also in a union with `str`."""
    return {text for part in get_args(alias) for text in (get_args(part) or (part,))} - {str}

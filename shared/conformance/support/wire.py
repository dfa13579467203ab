"""What providers say on the wire, as bytes: the same answers in the words of both."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

EVENT_STREAM = {"content-type": "text/event-stream"}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One response of a server."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: EVENT_STREAM)

    hold: bool = False
    """Say no more after the body, and keep the connection open."""

    silent: bool = False
    """Say nothing at all, and keep the connection open."""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """A provider, as far as the suite knows it."""

    name: str
    """As `MINI_AGENT_MODEL` has it."""

    key: str
    address: str
    """The variables of the environment."""

    path: str
    """What stands in the address behind the server."""

    text: bytes
    """An answer begins: 我先看看待办。 in two pieces."""

    call: bytes
    """It goes on: the tool `read` is called with todo.txt, the arguments in pieces."""

    end: bytes
    """It has come to its end, because of the call."""

    stop: bytes
    """It has come to its end, because all is said."""

    call_with: Callable[..., bytes]
    """The call again, with these pieces of text as its arguments."""

    failure: bytes
    """It breaks off: the server is at odds with the request (a status of 400)."""

    @property
    def whole(self) -> bytes:
        """A whole answer."""
        return self.text + self.call + self.end

    def key_in(self, headers: Mapping[str, str]) -> str | None:
        """Return the key that a request has brought along, or None."""
        if self.name == "anthropic":
            return headers.get("x-api-key")
        value = headers.get("authorization")
        return None if value is None else value.removeprefix("Bearer ")


def as_events(*events: Mapping[str, Any]) -> bytes:
    """Return events of Anthropic's wire: each has a name, which stands in its data, too."""
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )


def _delta(index: int, **delta: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def _start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def _stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def _anthropic_call(*pieces: str) -> bytes:
    return as_events(
        _start(1, type="tool_use", id="t1", name="read", input={}),
        *(_delta(1, type="input_json_delta", partial_json=piece) for piece in pieces),
        _stop(1),
    )


def _anthropic_end(reason: str) -> bytes:
    return as_events(
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    )


def as_chunks(*deltas: Mapping[str, Any], finish: str | None = None) -> bytes:
    """Return chunks of the wire of OpenAI; the last one says why the answer ends."""
    reasons: Sequence[str | None] = [*[None] * (len(deltas) - 1), finish]
    choices = (
        {"index": 0, "delta": delta, "finish_reason": reason}
        for delta, reason in zip(deltas, reasons, strict=True)
    )
    return b"".join(_data(json.dumps({"id": "c1", "choices": [choice]})) for choice in choices)


def _data(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def _call(arguments: str, **first: Any) -> dict[str, Any]:
    function = {"arguments": arguments, **({"name": "read"} if first else {})}
    return {"tool_calls": [{"index": 0, **first, "function": function}]}


def _openai_call(*pieces: str) -> bytes:
    return as_chunks(_call("", id="t1", type="function"), *map(_call, pieces))


def _openai_end(reason: str) -> bytes:
    usage = {"prompt_tokens": 9, "completion_tokens": 7}
    counted = _data(json.dumps({"choices": [], "usage": usage}))
    return as_chunks({}, finish=reason) + counted + _data("[DONE]")


ANTHROPIC = Wire(
    name="anthropic",
    key="ANTHROPIC_API_KEY",
    address="ANTHROPIC_BASE_URL",
    path="",
    text=as_events(
        {
            "type": "message_start",
            "message": {"role": "assistant", "usage": {"input_tokens": 9, "output_tokens": 1}},
        },
        _start(0, type="text", text=""),
        {"type": "ping"},
        _delta(0, type="text_delta", text="我先看看"),
        _delta(0, type="text_delta", text="待办。"),
        _stop(0),
    ),
    call=_anthropic_call('{"path": "to', 'do.txt"}'),
    call_with=_anthropic_call,
    end=_anthropic_end("tool_use"),
    stop=_anthropic_end("end_turn"),
    failure=as_events(
        {"type": "error", "error": {"type": "invalid_request_error", "message": "no, thanks"}}
    ),
)

OPENAI = Wire(
    name="openai",
    key="OPENAI_API_KEY",
    address="OPENAI_BASE_URL",
    path="/v1",
    text=b": a comment\n\n"
    + as_chunks(
        {"role": "assistant", "content": ""}, {"content": "我先看看"}, {"content": "待办。"}
    ),
    call=_openai_call('{"path": "to', 'do.txt"}'),
    call_with=_openai_call,
    end=_openai_end("tool_calls"),
    stop=_openai_end("stop"),
    failure=_data(
        json.dumps({"error": {"type": "invalid_request_error", "message": "no, thanks"}})
    ),
)

WIRES = {wire.name: wire for wire in (ANTHROPIC, OPENAI)}

"""Recorded answers, on both wires: the bytes that a server sends, written as data."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

CASES = next(folder / "cases" for folder in Path(__file__).parents if (folder / "cases").is_dir())

ProviderName = Literal["anthropic", "openai"]


def anthropic_wire(*events: dict[str, Any]) -> bytes:
    """Return `events` as Anthropic sends them."""
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
        for event in events
    )


def openai_wire(*chunks: dict[str, Any]) -> bytes:
    """Return `chunks` as OpenAI sends them, and the end marker."""
    lines = [json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]")).encode()


def message_start() -> dict[str, Any]:
    return {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    }


def text_start(index: int, text: str = "") -> dict[str, Any]:
    block = {"type": "text", "text": text}
    return {"type": "content_block_start", "index": index, "content_block": block}


def text_delta(index: int, text: str) -> dict[str, Any]:
    delta = {"type": "text_delta", "text": text}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def tool_start(index: int, call_id: str, name: str) -> dict[str, Any]:
    block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
    return {"type": "content_block_start", "index": index, "content_block": block}


def input_delta(index: int, text: str) -> dict[str, Any]:
    delta = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def block_stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def message_end(reason: str | None, output_tokens: int = 7) -> tuple[dict[str, Any], ...]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    usage = {"output_tokens": output_tokens}
    return (
        {"type": "message_delta", "delta": delta, "usage": usage},
        {"type": "message_stop"},
    )


def chunk(
    delta: dict[str, Any] | None = None,
    *,
    finish: str | None = None,
    usage: dict[str, int] | None = None,
) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish, "logprobs": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "gpt-test",
        "choices": [] if usage else [choice],
        "usage": usage,
    }


def text_chunk(text: str) -> dict[str, Any]:
    return chunk({"content": text})


def call_chunk(index: int, arguments: str, call_id: str = "", name: str = "") -> dict[str, Any]:
    start = {"id": call_id, "type": "function"} if call_id else {}
    function = {"name": name, "arguments": arguments} if name else {"arguments": arguments}
    return chunk({"tool_calls": [{"index": index, **start, "function": function}]})


ROLE = chunk({"role": "assistant", "content": ""})
USAGE = chunk(usage={"prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16})


def answer_wire(provider: ProviderName, *pieces: str) -> bytes:
    """Return a plain answer on either wire, one delta per piece."""
    if provider == "anthropic":
        deltas = [text_delta(0, piece) for piece in pieces]
        return anthropic_wire(
            message_start(), text_start(0), *deltas, block_stop(0), *message_end("end_turn")
        )
    chunks = [text_chunk(piece) for piece in pieces]
    return openai_wire(ROLE, *chunks, chunk(finish="stop"), USAGE)


@dataclass(frozen=True, kw_only=True)
class Wire:
    """A recorded answer that has come to its end."""

    id: str
    provider: ProviderName
    body: bytes


def _anthropic(name: str, *events: dict[str, Any]) -> Wire:
    return Wire(id=f"anthropic-{name}", provider="anthropic", body=anthropic_wire(*events))


def _openai(name: str, *chunks: dict[str, Any]) -> Wire:
    return Wire(id=f"openai-{name}", provider="openai", body=openai_wire(*chunks))


def _case(name: str) -> Wire:
    return Wire(id=name, provider="anthropic", body=(CASES / name).read_bytes())


WIRES = (
    _anthropic(
        "text",
        message_start(),
        text_start(0),
        {"type": "ping"},
        text_delta(0, "你好，"),
        text_delta(0, "世界🎉\u2028é"),
        block_stop(0),
        *message_end("end_turn"),
    ),
    _anthropic("nothing", message_start(), *message_end("end_turn", 0)),
    _anthropic(
        "text-in-start",
        message_start(),
        text_start(0, "先有一段"),
        text_delta(0, "，再来一段"),
        block_stop(0),
        text_start(1),
        text_delta(1, "第二块"),
        block_stop(1),
        *message_end("stop_sequence"),
    ),
    _anthropic(
        "tool",
        message_start(),
        tool_start(0, "toolu_1", "read"),
        input_delta(0, ""),
        input_delta(0, '{"path": "甲'),
        input_delta(0, '.txt", "lines": [1, 2.5, null, true]}'),
        block_stop(0),
        *message_end("tool_use"),
    ),
    _anthropic(
        "text-and-tools",
        message_start(),
        text_start(0),
        text_delta(0, "两样都查"),
        block_stop(0),
        tool_start(1, "toolu_1", "read"),
        input_delta(1, '{"path":"a"}'),
        block_stop(1),
        tool_start(2, "toolu_2", "now"),
        block_stop(2),
        *message_end("tool_use"),
    ),
    _anthropic(
        "blocks-without-end",
        message_start(),
        text_start(0),
        text_delta(0, "两样都查"),
        tool_start(1, "toolu_1", "read"),
        input_delta(1, '{"path":"a"}'),
        tool_start(2, "toolu_2", "now"),
        *message_end("tool_use"),
    ),
    _anthropic(
        "too-long",
        message_start(),
        text_start(0),
        text_delta(0, "从前有座"),
        block_stop(0),
        *message_end("max_tokens"),
    ),
    _anthropic("refusal", message_start(), *message_end("refusal")),
    _case("B1-multibyte.sse"),
    _case("B3-noise.sse"),
    _case("B8-interleaved-empty.sse"),
    _openai(
        "text",
        ROLE,
        text_chunk("你好，"),
        text_chunk("世界🎉\u2028é"),
        chunk(finish="stop"),
        USAGE,
    ),
    _openai("no-usage", ROLE, text_chunk("好"), chunk(finish="stop")),
    Wire(
        id="openai-noise",
        provider="openai",
        body=b"\xef\xbb\xbf: PROCESSING\n\nretry: 5\n\nevent: vendor.progress\ndata: 50%\n\n"
        + openai_wire(ROLE, text_chunk("好"), chunk(finish="stop")),
    ),
    _openai("nothing", ROLE, chunk(finish="stop"), USAGE),
    _openai("end-with-text", ROLE, chunk({"content": "一次说完"}, finish="stop"), USAGE),
    _openai(
        "tool",
        chunk({"role": "assistant", "content": None}),
        call_chunk(0, "", "call_1", "read"),
        call_chunk(0, '{"path": "甲'),
        call_chunk(0, '.txt", "lines": [1, 2.5, null, true]}'),
        chunk(finish="tool_calls"),
        USAGE,
    ),
    _openai(
        "text-and-tools",
        ROLE,
        text_chunk("两样都查"),
        call_chunk(0, '{"path":"a"}', "call_1", "read"),
        call_chunk(1, "{}", "call_2", "now"),
        chunk(finish="tool_calls"),
        USAGE,
    ),
    _openai(
        "interleaved",
        ROLE,
        call_chunk(0, "", "call_1", "read"),
        call_chunk(1, "", "call_2", "now"),
        call_chunk(0, '{"pa'),
        call_chunk(1, "{"),
        call_chunk(0, 'th":"甲'),
        call_chunk(1, "}"),
        call_chunk(0, '.txt"}'),
        chunk(finish="tool_calls"),
        USAGE,
    ),
    _openai("too-long", ROLE, text_chunk("从前有座"), chunk(finish="length"), USAGE),
    _openai("filtered", ROLE, text_chunk("这个"), chunk(finish="content_filter"), USAGE),
    _openai(
        "refusal",
        ROLE,
        chunk({"refusal": "我不能"}),
        chunk({"refusal": "帮忙"}),
        chunk(finish="stop"),
        USAGE,
    ),
)

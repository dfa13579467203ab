"""Whatever a server sends, what comes out is a stream as `StreamFn` promises it."""

import json

import pytest
from mini_agent.messages import TextContent, ToolCall, message_text, tool_calls
from mini_agent.providers.failures import CONTEXT_FULL
from mini_agent.providers.text import parse_arguments
from mini_agent.stream import ToolCallEnd

from .calls import collect, last, model_at, notices
from .conftest import Play
from .stub import Framing, Reply
from .wires import (
    CASES,
    WIRES,
    ProviderName,
    Wire,
    answer_wire,
    anthropic_wire,
    block_stop,
    call_chunk,
    chunk,
    input_delta,
    message_end,
    message_start,
    openai_wire,
    text_chunk,
    text_delta,
    text_start,
    tool_start,
)

PROVIDERS: tuple[ProviderName, ...] = ("anthropic", "openai")
both = pytest.mark.parametrize("provider", PROVIDERS)
CHUNKS = (1, 2, 3, 5, 7, 0)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.id)
async def test_chunks_make_no_difference(play: Play, wire: Wire) -> None:
    stub = play(*(Reply(body=wire.body, chunk=size) for size in CHUNKS))
    model = model_at(wire.provider, stub.address)
    first, *others = [await collect(model) for _ in CHUNKS]
    assert last(first).stop_reason != "error"
    assert others == [first] * len(others)


async def test_characters_survive_the_chunks(play: Play) -> None:
    stub = play(Reply(body=(CASES / "B1-multibyte.sse").read_bytes(), chunk=1))
    message = last(await collect(model_at("anthropic", stub.address)))
    assert message_text(message) == "你好，🎉e\u0301世界"


async def test_invalid_bytes_are_replaced_alike(play: Play) -> None:
    body = (CASES / "B1b-invalid-byte.sse").read_bytes()
    stub = play(*(Reply(body=body, chunk=size) for size in CHUNKS))
    model = model_at("anthropic", stub.address)
    texts = {message_text(last(await collect(model))) for _ in CHUNKS}
    assert texts == {"\ufffd\ufffd字"}


async def test_noise_is_passed_over(play: Play) -> None:
    stub = play(Reply(body=(CASES / "B3-noise.sse").read_bytes()))
    message = last(await collect(model_at("anthropic", stub.address)))
    assert (message_text(message), message.stop_reason) == ("好的", "stop")


async def test_interleaved_arguments_find_their_calls(play: Play) -> None:
    stub = play(Reply(body=(CASES / "B8-interleaved-empty.sse").read_bytes()))
    events = await collect(model_at("anthropic", stub.address))
    assert last(events).content == (
        TextContent(text="查两样"),
        ToolCall(id="t1", name="read", arguments={"path": "甲.txt"}),
        ToolCall(id="t2", name="now"),
        ToolCall(id="t3", name="now"),
    )
    ends = [event.call.id for event in events if isinstance(event, ToolCallEnd)]
    assert ends == ["t2", "t1", "t3"]


SHORT: dict[ProviderName, bytes] = {
    "anthropic": b"""\
event: content_block_start
data: {"index":0,"content_block":{"type":"text","text":"\xe4\xbd\xa0"}}

event: content_block_delta
data: {"index":0,"delta":{"type":"text_delta","text":"\xe5\xa5\xbd"}}

event: message_delta
data: {"delta":{"stop_reason":"end_turn"}}

event: message_stop
data: {}

""",
    "openai": b"""\
data: {"choices":[{"delta":{"content":"\xe4\xbd\xa0"}}]}

data: {"choices":[{"delta":{"content":"\xe5\xa5\xbd"}}]}

data: {"choices":[{"finish_reason":"stop"}]}

data: [DONE]

""",
}
"""As short as they can be: every byte of them costs a request or two."""


@both
async def test_an_early_end_at_every_byte_is_an_error(play: Play, provider: ProviderName) -> None:
    """Unless all has been said by then, and only empty lines or the last formality are missing."""
    whole = SHORT[provider]
    last_word = {"anthropic": b"message_stop\ndata: {}", "openai": b'{"finish_reason":"stop"}]}'}
    said = whole.index(last_word[provider]) + len(last_word[provider])
    stub = play(Reply(body=whole))
    model = model_at(provider, stub.address)
    assert last(await collect(model)).stop_reason == "stop"
    seen = set()
    for end in range(len(whole)):
        stub.play(Reply(body=whole[:end], framing="close"), Reply(body=whole))
        events = await collect(model)
        message = last(events)
        if notices(events):  # nothing could be seen of it, so there was another try
            assert message.stop_reason == "stop"
        else:
            assert message.stop_reason == ("error" if end < said else "stop"), whole[:end]
            seen.add(message_text(message))
    assert seen == {"你", "你好"}


@pytest.mark.parametrize("framing", ["chunked", "length"])
@both
async def test_a_dropped_connection_is_an_error(
    play: Play, provider: ProviderName, framing: Framing
) -> None:
    body = SHORT[provider][:-20]
    stub = play(Reply(body=body, framing=framing, drops=True))
    events = await collect(model_at(provider, stub.address))
    message = last(events)
    assert (message_text(message), message.stop_reason) == ("你好", "error")
    assert "断了" in (message.error_message or "")
    assert len(stub.requests) == 1  # something could be seen of it


@both
async def test_after_the_start_of_a_call_there_is_no_other_try(
    play: Play, provider: ProviderName
) -> None:
    if provider == "anthropic":
        body = anthropic_wire(message_start(), tool_start(0, "t1", "read"))
    else:
        body = openai_wire(call_chunk(0, '{"path"', "t1", "read"))
    stub = play(Reply(body=body, drops=True))
    message = last(await collect(model_at(provider, stub.address)))
    assert (message.content, message.stop_reason) == ((), "error")
    assert len(stub.requests) == 1


@both
async def test_nothing_after_the_end_counts(play: Play, provider: ProviderName) -> None:
    body = SHORT[provider]
    stub = play(Reply(body=body + body, hangs_at="end"))
    message = last(await collect(model_at(provider, stub.address)))
    assert (message_text(message), message.stop_reason) == ("你好", "stop")
    assert stub.left.wait(5)


@pytest.mark.parametrize("more", [b"5\r\ndata:\r\n", b"no chunk\r\n", b"5\r\nda"])
@both
async def test_nothing_that_goes_wrong_after_the_end_counts(
    play: Play, provider: ProviderName, more: bytes
) -> None:
    head = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    body = b"%x\r\n%s\r\n" % (len(SHORT[provider]), SHORT[provider])
    stub = play(Reply(raw=head + body + more))
    message = last(await collect(model_at(provider, stub.address)))
    assert (message_text(message), message.stop_reason) == ("你好", "stop")


NO_OBJECTS = (
    *("null", "[]", "7", '"{}"', '{"a":', '{"a":1}x'),
    *('{"a":NaN}', '{"a":[-Infinity]}', '{"a":1e999}', '{"\\ude00":1}'),
)
ENDLESS = "[" * 9000
DEEP = '{"a":' + "[" * 299 + "]" * 299 + "}"
HALF_AN_EMOJI = '{"a":"\\ud83c"}'


@pytest.mark.parametrize(
    "arguments",
    [*NO_OBJECTS, ENDLESS, DEEP, HALF_AN_EMOJI],
    ids=[*NO_OBJECTS, "endless", "300-levels", "half-an-emoji"],
)
@both
async def test_arguments_that_are_no_object_or_could_not_be_kept_run_nothing(
    play: Play, provider: ProviderName, arguments: str
) -> None:
    if provider == "anthropic":
        events = [tool_start(0, "t1", "read"), input_delta(0, arguments), block_stop(0)]
        body = anthropic_wire(message_start(), *events, *message_end("tool_use"))
    else:
        body = openai_wire(call_chunk(0, arguments, "t1", "read"), chunk(finish="tool_calls"))
    stub = play(Reply(body=body))
    message = last(await collect(model_at(provider, stub.address)))
    assert tool_calls(message) == (ToolCall(id="t1", name="read", malformed=arguments),)
    assert message.stop_reason == "tool_use"


@pytest.mark.parametrize("text", ["满了", ""])
async def test_a_full_window_is_an_error_that_keeps_what_came(play: Play, text: str) -> None:
    """To go on would not help, so it is no cut answer, and to try again neither."""
    blocks = [text_start(0), text_delta(0, text), block_stop(0)] if text else []
    end = message_end("model_context_window_exceeded")
    stub = play(Reply(body=anthropic_wire(message_start(), *blocks, *end)))
    message = last(await collect(model_at("anthropic", stub.address)))
    assert (message_text(message), message.stop_reason) == (text, "error")
    assert message.error_message == CONTEXT_FULL
    assert len(stub.requests) == 1


@pytest.mark.parametrize(("levels", "fits"), [(100, True), (101, False)])
def test_how_many_levels_arguments_may_have(levels: int, fits: bool) -> None:
    text = '{"a":' * levels + "1" + "}" * levels
    assert (parse_arguments(text) is not None) == fits


@both
async def test_half_an_emoji_waits_for_the_other_half(play: Play, provider: ProviderName) -> None:
    pieces = ("完成\ud83c", "\udf89！", "\ud83c", "x", "\udf89", "\ud83c")
    if provider == "anthropic":
        deltas = [text_delta(0, piece) for piece in pieces]
        wire = [message_start(), text_start(0), *deltas, block_stop(0), *message_end("end_turn")]
    else:
        wire = [*(text_chunk(piece) for piece in pieces), chunk(finish="stop")]
    stub = play(Reply(body=escaped(provider, wire)))
    events = await collect(model_at(provider, stub.address))
    assert message_text(last(events)) == "完成🎉！\ufffdx\ufffd"


@both
async def test_half_a_character_in_a_name_can_be_stored(play: Play, provider: ProviderName) -> None:
    if provider == "anthropic":
        call = [tool_start(0, "t\ud83c", "re\ud83cad"), block_stop(0)]
        wire = [message_start(), *call, *message_end("tool_use")]
    else:
        wire = [call_chunk(0, "", "t\ud83c", "re\ud83cad"), chunk(finish="tool_calls")]
    stub = play(Reply(body=escaped(provider, wire)))
    message = last(await collect(model_at(provider, stub.address)))  # and that is checked here
    assert tool_calls(message) == (ToolCall(id="t", name="re\ufffdad"),)


def escaped(provider: ProviderName, events: list[dict[str, object]]) -> bytes:
    """Return a wire on which every character beyond ASCII is an escape."""
    names = [f"event: {event['type']}\n" if provider == "anthropic" else "" for event in events]
    lines = [
        f"{name}data: {json.dumps(event)}\n\n" for name, event in zip(names, events, strict=True)
    ]
    return ("".join(lines) + ("" if provider == "anthropic" else "data: [DONE]\n\n")).encode()


@both
async def test_a_known_event_that_is_no_json_is_an_error(
    play: Play, provider: ProviderName
) -> None:
    if provider == "anthropic":
        body = anthropic_wire(text_start(0), text_delta(0, "你"))
        body += b'event: content_block_delta\ndata: {"ty\n\n'
    else:
        body = f'data: {json.dumps(text_chunk("你"))}\n\ndata: {{"ch\n\n'.encode()
    stub = play(Reply(body=body + SHORT[provider]))
    message = last(await collect(model_at(provider, stub.address)))
    assert (message_text(message), message.stop_reason) == ("你", "error")
    assert "看不懂" in (message.error_message or "")


NAMES: dict[ProviderName, tuple[str, ...]] = {
    "anthropic": ("content_block_start", "content_block_delta", "message_start", "message_delta"),
    "openai": ("message",),
}


@both
@pytest.mark.parametrize("data", ["7", "[]", "null", '"x"', "{}", '{"choices":[{"delta":7}]}'])
async def test_an_event_of_the_wrong_shape_ends_in_an_event(
    play: Play, provider: ProviderName, data: str
) -> None:
    for name in NAMES[provider]:
        body = f"event: {name}\ndata: {data}\n\n".encode()
        stub = play(Reply(body=body))
        assert last(await collect(model_at(provider, stub.address))).stop_reason == "error"


@both
async def test_an_unknown_stop_reason_is_an_error(play: Play, provider: ProviderName) -> None:
    wire = answer_wire(provider, "我先")
    wire = wire.replace(b'"end_turn"', b'"pause_turn"').replace(b'"stop"', b'"function_call"')
    stub = play(Reply(body=wire))
    message = last(await collect(model_at(provider, stub.address)))
    assert (message_text(message), message.stop_reason) == ("我先", "error")
    assert ("pause_turn" if provider == "anthropic" else "function_call") in (
        message.error_message or ""
    )


async def test_a_stream_without_a_finish_reason_is_an_error(play: Play) -> None:
    stub = play(Reply(body=openai_wire(text_chunk("我先"))))
    assert last(await collect(model_at("openai", stub.address))).stop_reason == "error"


async def test_calls_that_share_a_number_are_told_apart_by_their_ids(play: Play) -> None:
    chunks = (
        call_chunk(0, '{"path":', "call_1", "read"),
        call_chunk(0, '"a"}'),
        call_chunk(0, "{}", "call_2", "now"),
        chunk(finish="tool_calls"),
    )
    stub = play(Reply(body=openai_wire(*chunks)))
    message = last(await collect(model_at("openai", stub.address)))
    assert tool_calls(message) == (
        ToolCall(id="call_1", name="read", arguments={"path": "a"}),
        ToolCall(id="call_2", name="now"),
    )


async def test_a_call_that_broke_off_is_left_out(play: Play) -> None:
    events = (
        message_start(),
        text_start(0),
        text_delta(0, "我来读"),
        block_stop(0),
        tool_start(1, "t1", "now"),
        block_stop(1),
        tool_start(2, "t2", "read"),
        input_delta(2, '{"path":'),
    )
    stub = play(Reply(body=anthropic_wire(*events)))
    message = last(await collect(model_at("anthropic", stub.address)))
    assert message.content == (TextContent(text="我来读"), ToolCall(id="t1", name="now"))
    assert message.stop_reason == "error"

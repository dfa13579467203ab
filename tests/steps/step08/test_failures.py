"""What a server or a network can do instead of answering."""

from dataclasses import dataclass

import anyio
import pytest
from mini_agent.messages import Context, message_text, user_text
from mini_agent.stream import StreamError

from .calls import KEY, Clock, collect, last, model_at, notices
from .conftest import Play
from .stub import Point, Reply, unused_port
from .wires import CASES, ProviderName, answer_wire

PROVIDERS: tuple[ProviderName, ...] = ("anthropic", "openai")
both = pytest.mark.parametrize("provider", PROVIDERS)

TRIES = 4
JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html"}
GATEWAY = b"<!doctype html><title>502</title><p>gateway</p>\n"


@dataclass(frozen=True, kw_only=True)
class Case:
    """A response that is no answer, and what the user gets to read."""

    id: str
    reply: Reply
    says: str
    requests: int = 1


def refused(status: int, body: str, says: str, *, tries: int = 1, **headers: str) -> Case:
    reply = Reply(status=status, headers={**JSON, **headers}, body=body.encode())
    return Case(id=f"{status}-{says[:12]}", reply=reply, says=says, requests=tries)


ANTHROPIC_ERROR = '{"type":"error","error":{"type":"%s","message":"%s"}}'
OPENAI_ERROR = '{"error":{"message":"%s","type":"%s","param":null,"code":%s}}'

CASES_HTTP = (
    refused(
        400,
        ANTHROPIC_ERROR % ("invalid_request_error", "bad field"),
        "invalid_request_error: bad field",
    ),
    refused(
        400, ANTHROPIC_ERROR % ("invalid_request_error", "prompt is too long: 9 > 8"), "对话太长"
    ),
    refused(
        400,
        OPENAI_ERROR
        % (
            "This model's maximum context length is 8",
            "invalid_request_error",
            '"context_length_exceeded"',
        ),
        "对话太长",
    ),
    refused(
        400,
        '{"error":{"code":400,"message":"request exceeds the available context size",'
        '"type":"exceed_context_size_error"}}',
        "对话太长",
    ),
    refused(
        400,
        '{"object":"error","message":"no such field","type":"BadRequestError","code":400}',
        "no such field",
    ),
    refused(401, ANTHROPIC_ERROR % ("authentication_error", "invalid x-api-key"), "_API_KEY"),
    refused(401, "", "_API_KEY"),
    refused(402, OPENAI_ERROR % ("Insufficient Balance", "unknown_error", "null"), "额度"),
    refused(403, '{"detail":"Forbidden"}', "_API_KEY"),
    refused(
        404, '{"error":"model \\"llama\\" not found, try pulling it first"}', "MINI_AGENT_MODEL"
    ),
    refused(413, "", "对话太长"),
    refused(422, '{"detail":[{"loc":["body"]}]}', "拒绝"),
    refused(
        429,
        OPENAI_ERROR
        % ("You exceeded your current quota", "insufficient_quota", '"insufficient_quota"'),
        "额度",
    ),
    refused(429, ANTHROPIC_ERROR % ("rate_limit_error", "slow down"), "太频繁", tries=TRIES),
    refused(
        429,
        ANTHROPIC_ERROR % ("rate_limit_error", "the prompt is too long for your rate limit"),
        "太频繁",
        tries=TRIES,
    ),
    refused(
        500, ANTHROPIC_ERROR % ("api_error", "Internal server error"), "服务器出错", tries=TRIES
    ),
    refused(503, "", "过载", tries=TRIES),
    refused(529, ANTHROPIC_ERROR % ("overloaded_error", "Overloaded"), "过载", tries=TRIES),
    Case(
        id="502-html",
        reply=Reply(status=502, headers=HTML, body=GATEWAY),
        says="服务器出错（502）",
        requests=TRIES,
    ),
    Case(id="204", reply=Reply(status=204, headers={}, framing="close"), says="（204）"),
    Case(
        id="json",
        reply=Reply(headers=JSON, body=(CASES / "B5c-json200.body").read_bytes()),
        says="invalid_request_error: bad field",
    ),
    Case(
        id="json-no-error",
        reply=Reply(headers=JSON, body=b'{"choices": []}'),
        says="not an event stream",
    ),
    Case(
        id="html",
        reply=Reply(headers=HTML, body=(CASES / "B5d-html200.body").read_bytes()),
        says="not an event stream",
    ),
    Case(id="no-type", reply=Reply(headers={}, body=b""), says="not an event stream"),
    Case(id="empty", reply=Reply(body=b""), says="没有说完", requests=TRIES),
    Case(
        id="error-half-sent",
        reply=Reply(status=401, headers=JSON, body=b'{"err', framing="length", drops=True),
        says="_API_KEY",
    ),
    Case(id="huge", reply=Reply(status=400, headers=JSON, body=b"[" * 200_000), says="（400）"),
)


@pytest.mark.parametrize("case", CASES_HTTP, ids=lambda case: case.id)
@both
async def test_no_answer(play: Play, clock: Clock, provider: ProviderName, case: Case) -> None:
    stub = play(case.reply)
    events = await collect(model_at(provider, stub.address, clock.timeouts()))
    message = last(events)
    assert isinstance(events[-1], StreamError)
    assert (message.content, message.stop_reason) == ((), "error")
    assert case.says in (message.error_message or "")
    assert len(stub.requests) == case.requests
    assert len(notices(events)) == len(clock.waits) == case.requests - 1


@both
async def test_of_an_error_without_end_only_the_start_is_read(
    play: Play, provider: ProviderName
) -> None:
    stub = play(Reply(status=400, headers=JSON, body=b"[" * 100_000, hangs_at="end"))
    model = model_at(provider, stub.address, Clock().timeouts(idle=1000.0))
    with anyio.fail_after(20):
        assert "（400）" in (last(await collect(model)).error_message or "")


@both
async def test_a_redirect_is_not_followed(play: Play, provider: ProviderName) -> None:
    other = play(Reply(body=answer_wire(provider, "你好")))
    headers = {"location": f"{other.address}/v1/messages"}
    stub = play(Reply(status=307, headers=headers))
    message = last(await collect(model_at(provider, stub.address)))
    assert "没有照办" in (message.error_message or "")
    assert (len(stub.requests), other.requests) == (1, [])


@both
async def test_nobody_listens(clock: Clock, provider: ProviderName) -> None:
    address = f"http://127.0.0.1:{unused_port()}"
    events = await collect(model_at(provider, address, clock.timeouts()))
    assert "连不上" in (last(events).error_message or "")
    assert len(notices(events)) == TRIES - 1


@both
async def test_a_host_that_does_not_exist(clock: Clock, provider: ProviderName) -> None:
    events = await collect(model_at(provider, "http://mini-agent.invalid", clock.timeouts()))
    assert "连不上 mini-agent.invalid" in (last(events).error_message or "")
    assert len(notices(events)) == TRIES - 1


@both
@pytest.mark.parametrize("raw", [b"", b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 200 OK\r\n"])
async def test_a_server_that_is_no_web_server(
    play: Play, clock: Clock, provider: ProviderName, raw: bytes
) -> None:
    stub = play(Reply(raw=raw))
    events = await collect(model_at(provider, stub.address, clock.timeouts()))
    assert "断了" in (last(events).error_message or "")
    assert len(stub.requests) == TRIES


@pytest.mark.parametrize("point", ["head", "body", "end"])
@both
async def test_a_stall_is_an_error(play: Play, provider: ProviderName, point: Point) -> None:
    body = answer_wire(provider, "我先")[:-60]
    stub = play(Reply(body=body, hangs_at=point))
    model = model_at(provider, stub.address, Clock().timeouts(idle=0.3))
    message = last(await collect(model))
    assert "0.3 秒" in (message.error_message or "")
    assert message_text(message) == ("我先" if point == "end" else "")
    assert len(stub.requests) == 1
    assert stub.left.wait(5)


async def test_an_error_event_in_the_middle_keeps_what_came(play: Play) -> None:
    stub = play(Reply(body=(CASES / "B5a-error-midstream.sse").read_bytes()))
    message = last(await collect(model_at("anthropic", stub.address)))
    assert (message_text(message), message.stop_reason) == ("我先", "error")
    assert "overloaded_error: Overloaded" in (message.error_message or "")
    assert len(stub.requests) == 1


async def test_an_error_event_at_the_start_gets_another_try(play: Play, clock: Clock) -> None:
    first = Reply(body=(CASES / "B5b-error-first.sse").read_bytes())
    stub = play(first, Reply(body=answer_wire("anthropic", "你好")))
    events = await collect(model_at("anthropic", stub.address, clock.timeouts()))
    assert message_text(last(events)) == "你好"
    assert "overloaded_error" in notices(events)[0]


@pytest.mark.parametrize(
    "line",
    [
        '{"error":{"message":"boom","type":"server_error","code":null}}',
        '{"error":"boom"}',
        '{"object":"error","message":"boom","type":"BadRequestError"}',
        '{"id":"x","choices":[{"delta":{"content":""}}],"error":{"code":502,"message":"boom"}}',
    ],
)
async def test_an_error_among_the_chunks(play: Play, line: str) -> None:
    text = '{"choices":[{"delta":{"content":"我先"}}]}'
    body = f"data: {text}\n\ndata: {line}\n\ndata: [DONE]\n\n"
    stub = play(Reply(body=body.encode()))
    message = last(await collect(model_at("openai", stub.address)))
    assert (message_text(message), message.stop_reason) == ("我先", "error")
    assert "boom" in (message.error_message or "")


@pytest.mark.parametrize(
    ("kind", "tries"), [('"code":502', TRIES), ('"code":1302', 1), ('"type":"server_error"', TRIES)]
)
async def test_an_error_chunk_at_the_start(play: Play, clock: Clock, kind: str, tries: int) -> None:
    stub = play(Reply(body=f'data: {{"error":{{"message":"boom",{kind}}}}}\n\n'.encode()))
    await collect(model_at("openai", stub.address, clock.timeouts()))
    assert len(stub.requests) == tries


@both
async def test_the_next_line_is_answered(play: Play, provider: ProviderName) -> None:
    failing = Reply(headers=HTML, body=GATEWAY)
    stub = play(failing, Reply(body=answer_wire(provider, "你好")))
    model = model_at(provider, stub.address)
    context = Context(messages=[user_text("一")])
    assert last(await collect(model, context)).stop_reason == "error"
    context.messages.append(user_text("二"))
    assert message_text(last(await collect(model, context))) == "你好"


@both
async def test_an_error_text_is_one_short_line(play: Play, provider: ProviderName) -> None:
    body = '{"error":{"type":"bad","message":"%s"}}' % ("a\\n\\u001b[31m\\u0007b" * 200)
    stub = play(Reply(status=400, headers=JSON, body=body.encode()))
    text = last(await collect(model_at(provider, stub.address))).error_message or ""
    assert text.isprintable()
    assert len(text) == 500


@both
async def test_a_body_that_cannot_be_sent_is_an_event(play: Play, provider: ProviderName) -> None:
    context = Context(messages=[user_text("你好")], system_prompt="\ud83d")
    stub = play(Reply(body=answer_wire(provider, "你好")))
    message = last(await collect(model_at(provider, stub.address), context))
    assert "UnicodeEncodeError" in (message.error_message or "")
    assert KEY not in (message.error_message or "")
    assert stub.requests == []

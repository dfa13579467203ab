"""The key: in one header, and nowhere else, whatever happens."""

import json
import logging
import traceback

import pytest
from mini_agent.providers.retry import Timeouts

from .calls import KEY, collect, last, model_at
from .conftest import Play
from .stub import Reply
from .wires import (
    ProviderName,
    answer_wire,
    anthropic_wire,
    chunk,
    message_end,
    message_start,
    openai_wire,
)

both = pytest.mark.parametrize("provider", ["anthropic", "openai"])

SECRET = "SECRET123"
assert SECRET in KEY

JSON = {"content-type": "application/json", "x-echo": KEY}
TOLD = json.dumps({"type": "error", "error": {"type": "auth", "message": f"bad key {KEY}!"}})

ECHOES = {
    "unauthorized": Reply(status=401, headers=JSON, body=TOLD.encode()),
    "plain-text": Reply(status=401, headers={"content-type": KEY}, body=KEY.encode()),
    "html": Reply(status=400, headers={"content-type": "text/html"}, body=f"<p>{KEY}</p>".encode()),
    "retry-after": Reply(status=429, headers={**JSON, "retry-after": KEY}, body=TOLD.encode()),
    "json-instead": Reply(headers=JSON, body=TOLD.encode()),
    "other-type": Reply(headers={"content-type": f"text/{KEY}"}, body=b""),
    "error-event": Reply(body=f"event: error\ndata: {TOLD}\n\n".encode()),
    "broken-event": Reply(body=f"event: error\ndata: {{{KEY}\n\n".encode()),
    "stop-reason": Reply(
        body=anthropic_wire(message_start(), *message_end(KEY))
        + openai_wire(chunk({"content": "好"}, finish=KEY))
    ),
    "no-http": Reply(raw=f"{KEY}\r\n\r\n".encode()),
}
"""Servers that repeat the key."""


@pytest.mark.parametrize("name", ECHOES)
@both
async def test_no_event_and_no_log_repeats_it(
    play: Play, caplog: pytest.LogCaptureFixture, provider: ProviderName, name: str
) -> None:
    caplog.set_level(logging.DEBUG)
    stub = play(ECHOES[name])
    events = await collect(model_at(provider, stub.address))
    assert last(events).stop_reason == "error"
    assert SECRET in str(stub.requests[0].headers)
    assert SECRET not in repr(events)
    # The transport logs the headers that come in. Nobody asks it to: we set up no logging.
    ours = [record for record in caplog.records if not record.name.startswith("httpcore2")]
    assert SECRET not in "".join(record.getMessage() for record in ours)


async def test_a_key_that_is_not_accepted_is_named(play: Play) -> None:
    stub = play(ECHOES["unauthorized"])
    message = last(await collect(model_at("anthropic", stub.address)))
    assert message.error_message == (
        "服务器不接受密钥，请检查 ANTHROPIC_API_KEY（401）：auth: bad key ***（密钥已隐去）!"
    )


@pytest.mark.parametrize("before", range(440, 500, 7))
async def test_a_long_error_is_not_cut_inside_of_a_key(play: Play, before: int) -> None:
    told = f"{'x' * before}{chr(0x200B).join(KEY)}"
    body = json.dumps({"error": {"type": "x", "message": told}}).encode()
    stub = play(Reply(status=400, headers={"content-type": "application/json"}, body=body))
    message = last(await collect(model_at("openai", stub.address)))
    assert "xxx" in (message.error_message or "")
    assert "s\u200bk" not in (message.error_message or "")


def everything_in(value: object, depth: int = 6) -> str:
    """Return the `repr` of `value`, and of all that a closure or a partial holds."""
    parts = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    parts += [getattr(value, "func", None), *getattr(value, "args", ())]
    inner = "".join(everything_in(part, depth - 1) for part in parts) if depth else ""
    return repr(value) + inner


@both
def test_no_repr_shows_it(provider: ProviderName) -> None:
    model = model_at(provider, "http://localhost")
    shown = everything_in(model)
    assert "SecretStr('**********')" in shown
    assert SECRET not in shown


@both
async def test_no_traceback_shows_it(play: Play, provider: ProviderName) -> None:
    class Broken(Exception):
        pass

    def now() -> float:
        raise Broken

    stub = play(ECHOES["unauthorized"])
    with pytest.raises(Broken) as raised:
        await collect(model_at(provider, stub.address, Timeouts(now=now)))
    assert SECRET not in "".join(traceback.format_exception(raised.value))


async def test_no_proxy_stands_before_a_server_on_this_machine(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy, stub = play(Reply(status=400)), play(Reply(body=answer_wire("openai", "好")))
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, proxy.address)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert last(await collect(model_at("openai", stub.address))).stop_reason == "stop"
    assert proxy.requests == []

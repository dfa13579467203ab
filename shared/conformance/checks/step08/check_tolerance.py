"""Where the meaning of the wire is certain it is taken; where it is not, an error says so."""

import json
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Call, Says
from conformance.support.provider import KEY, RealModel, environment_for, serving
from conformance.support.subject import Subject
from conformance.support.wire import ANTHROPIC, OPENAI, WIRES, Reply, Wire, as_chunks

pytestmark = read("tolerance")

TEXT = "我先看看待办。"


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    """Look at both providers."""
    return WIRES[request.param]


def call(index: Any = 0, **piece: Any) -> dict[str, Any]:
    """Return a delta with a piece of a tool call; `function` holds its name and arguments."""
    return {"tool_calls": [{"index": index, **piece}]}


def function(name: str | None, arguments: Any) -> dict[str, Any]:
    """Return what stands in such a piece."""
    return {"function": {"name": name, "arguments": arguments}}


READ = {"path": "todo.txt"}
A, B = Call("", "read", {"path": "a"}), Call("", "read", {"path": "b"})

ODD_CALLS = {
    "arguments as an object": (as_chunks(call(id="t1", **function("read", READ))), [READ]),
    "the name comes later": (
        as_chunks(
            call(id="t1", **function(None, "")),
            call(**function("read", json.dumps(READ))),
        ),
        [READ],
    ),
    "the name in every piece": (
        as_chunks(
            call(id="t1", **function("read", '{"path": ')),
            call(id="t1", **function("read", '"todo.txt"}')),
        ),
        [READ],
    ),
    "two calls, one number, no id": (
        as_chunks(
            call(**function("read", '{"path": "a"}')), call(**function("read", '{"path": "b"}'))
        ),
        [{"path": "a"}, {"path": "b"}],
    ),
    "two calls, no number": (
        as_chunks(
            call(None, id="t1", **function("read", '{"path": "a"}')),
            call(None, id="t2", **function("read", '{"path": "b"}')),
        ),
        [{"path": "a"}, {"path": "b"}],
    ),
}
"""What servers send that speak the wire of OpenAI in their own way, and the arguments in it."""

LACKING = {
    "no empty line at the end": lambda wire: (wire.text + wire.stop).removesuffix(b"\n"),
    "no line end at the end": lambda wire: (wire.text + wire.stop).removesuffix(b"\n\n"),
    "CRLF": lambda wire: (wire.text + wire.stop).replace(b"\n", b"\r\n"),
    "CR alone": lambda wire: (wire.text + wire.stop).replace(b"\n", b"\r"),
}
"""Complete answers that lack a formality, or have another one."""


@pytest.mark.parametrize("name", LACKING)
async def test_complete_answer(subject: Subject, wire: Wire, name: str) -> None:
    """An answer that is complete counts as complete, whatever formality it lacks."""
    with serving(Reply(body=LACKING[name](wire))) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask()
    heard.holds(
        heard.message.stop_reason == "stop" and heard.trace.text == TEXT,
        wanted=f"`done` with {TEXT}",
    )


async def test_finish_reason_is_an_end(subject: Subject) -> None:
    """On OpenAI's wire the finish reason says that all is said, also where `[DONE]` is missing."""
    body = OPENAI.text + as_chunks({}, finish="stop")
    with serving(Reply(body=body), Reply(body=OPENAI.text)) as server:
        model = RealModel(subject, environment_for(OPENAI, server))
        ended, cut = await model.ask(), await model.ask()
    ended.holds(
        (ended.message.stop_reason, cut.message.stop_reason) == ("stop", "error"),
        came=f"{ended.message.stop_reason}; without a finish reason {cut.message.stop_reason}",
        wanted="stop; without a finish reason error",
    )


@pytest.mark.parametrize("name", ODD_CALLS)
async def test_odd_call(subject: Subject, name: str) -> None:
    """Calls in the words of other servers are read: none is lost, none is merged with another."""
    body, wanted = ODD_CALLS[name]
    with serving(Reply(body=body + OPENAI.end)) as server:
        heard = await RealModel(subject, environment_for(OPENAI, server)).ask()
    calls = [block for block in heard.message.content if block.type == "tool_call"]
    heard.holds(
        [(call.name, call.arguments) for call in calls] == [("read", one) for one in wanted],
        wanted=f"calls of read with {wanted}",
    )


async def test_text_in_parts(subject: Subject) -> None:
    """A text may come as a list of parts."""
    parts = [{"type": "text", "text": "你"}, {"type": "text", "text": "好"}]
    body = as_chunks({"content": parts}) + OPENAI.stop
    with serving(Reply(body=body)) as server:
        heard = await RealModel(subject, environment_for(OPENAI, server)).ask()
    heard.holds(heard.trace.text == "你好", wanted="你好")


async def test_shown_is_kept(subject: Subject) -> None:
    """Two texts that grow by turns are kept in the order in which they were shown."""
    events = [
        {"type": "content_block_start", "index": i, "content_block": {"type": "text", "text": ""}}
        for i in (0, 1)
    ] + [
        {
            "type": "content_block_delta",
            "index": i,
            "delta": {"type": "text_delta", "text": text},
        }
        for i, text in ((0, "一"), (1, "二"), (0, "三"))
    ]
    body = b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )
    with serving(Reply(body=body + ANTHROPIC.stop)) as server:
        heard = await RealModel(subject, environment_for(ANTHROPIC, server)).ask()
    texts = [block.text for block in heard.message.content]
    heard.holds(
        "".join(texts) == heard.trace.text == "一二三",
        came=f"shown {heard.trace.text}, kept {texts}",
        wanted="the texts of the message, joined, are what was shown: 一二三",
    )


async def test_endless_event(subject: Subject, wire: Wire) -> None:
    """An event of many megabytes is a failure, and costs no more than reading it once."""
    flood = b"data: " + b"x" * (24 * 1024 * 1024)
    with serving(Reply(body=wire.text + flood, hold=True)) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask()
    heard.holds(
        heard.message.stop_reason == "error" and heard.trace.text == TEXT,
        wanted=f"`error` with {TEXT}",
    )


async def test_turns_alternate(subject: Subject, wire: Wire) -> None:
    """After an answer that says nothing the request has no two turns of the user in a row."""
    before = [subject.get("messages.user_text")(said) for said in ("一", "二")]
    with serving(Reply(body=wire.text + wire.stop)) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask(before=before)
    roles = [turn["role"] for turn in server.requests[0].body["messages"]]
    sent = json.dumps(server.requests[0].body["messages"], ensure_ascii=False)
    heard.holds(
        roles == ["user"] and all(said in sent for said in ("一", "二", "待办")),
        came=sent,
        wanted="one turn of the user that holds 一, 二 and 待办",
    )


async def test_content_is_always_there(subject: Subject) -> None:
    """On OpenAI's wire every message has the key `content`, also one that only calls a tool."""
    asked = Says(Call("t1", "read", READ)).of(subject)
    result = subject.get("messages.ToolResultMessage")(
        tool_call_id="t1",
        tool_name="read",
        content=(subject.get("messages.TextContent")(text="好"),),
    )
    before = [subject.get("messages.user_text")("待办"), asked, result]
    with serving(Reply(body=OPENAI.text + OPENAI.stop)) as server:
        heard = await RealModel(subject, environment_for(OPENAI, server)).ask(before=before)
    sent = server.requests[0].body["messages"]
    heard.holds(
        all("content" in message for message in sent),
        came=json.dumps(sent, ensure_ascii=False),
        wanted="`content` in every message",
    )


async def test_wrong_path(subject: Subject, wire: Wire) -> None:
    """A 404 that says nothing of a model names the variable of the address, and the path."""
    with serving(Reply(status=404, headers={}, body=b"404 page not found")) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask()
    said = heard.message.error_message
    path = server.requests[0].path
    heard.holds(
        wire.address in said and path in said, wanted=f"an error with {wire.address} and {path}"
    )


async def test_full_context(subject: Subject, wire: Wire) -> None:
    """A context that is full is a failure that says how to go on: /branch."""
    told = b'{"error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}}'
    with serving(Reply(status=400, headers={}, body=told)) as server:
        heard = await RealModel(subject, environment_for(wire, server)).ask()
    heard.holds("/branch" in heard.message.error_message, wanted="an error that names /branch")


BAD_ADDRESSES = {
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1/chat/completions",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/v1",
}


@pytest.mark.parametrize("name", BAD_ADDRESSES)
def test_doubled_path(subject: Subject, name: str) -> None:
    """An address with an ending that every request adds anyway is refused by its variable."""
    environment = {"OPENAI_API_KEY" if "OPENAI" in name else "ANTHROPIC_API_KEY": KEY}
    expect_refused(subject, environment | {name: BAD_ADDRESSES[name]}, name)


def test_proxy_that_cannot_be_used(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that the client cannot use is refused at the start, by the name of its variable."""
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:9")
    expect_refused(subject, {"OPENAI_API_KEY": KEY}, "ALL_PROXY")


def expect_refused(subject: Subject, environment: dict[str, str], name: str) -> None:
    """Fail the check unless the settings are refused with this name."""
    try:
        subject.get("providers.create.create_model")(environment)
        came = "a model"
    except subject.get("providers.settings.BadSetting") as error:
        came = str(error)
    judge.holds(
        name in came,
        called=f"create_model of an environment with {', '.join(environment)}",
        came=came,
        wanted=f"BadSetting that names {name}",
    )

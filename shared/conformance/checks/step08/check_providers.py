"""A real model keeps what every model owes: both providers, over a server on this machine."""

import json
from typing import Any

import pytest
from anyio import Event, create_task_group, to_thread, wait_all_tasks_blocked

from conformance.support.chapters import read
from conformance.support.model import Call, Says
from conformance.support.provider import KEY, RealModel, Server, environment_for, serving
from conformance.support.run import Run
from conformance.support.stream import ModelAnswer
from conformance.support.subject import Subject
from conformance.support.wire import WIRES, Reply, Wire

pytestmark = read("real model")

TEXT = "我先看看待办。"
READ_TODO = Call("t1", "read", {"path": "todo.txt"})

AT_ONCE = {"content-type": "application/json", "retry-after": "0"}
"""The headers of a server that would like to be asked again at once."""


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    """Look at both providers."""
    return WIRES[request.param]


@pytest.fixture(params=["refused", "behind a text"])
def broken(request: pytest.FixtureRequest, wire: Wire) -> tuple[Reply, str]:
    """Return a stream in which the server says that it failed, and the text before that."""
    before = wire.text if request.param == "behind a text" else b""
    return Reply(body=before + wire.failure), TEXT if before else ""


async def ask(subject: Subject, wire: Wire, server: Server, **how: Any) -> ModelAnswer:
    """Ask the provider's model at this server."""
    return await RealModel(subject, environment_for(wire, server)).ask(**how)


async def test_whole_answer(subject: Subject, wire: Wire) -> None:
    """Text and a tool call come as they are sent: in pieces, then as a message with its cost."""
    with serving(Reply(body=wire.whole)) as server:
        heard = await ask(subject, wire, server)
    wanted = Says(TEXT, READ_TODO).of(subject)
    usage = subject.get("messages.Usage")(input_tokens=9, output_tokens=7)
    message = heard.message
    heard.holds(
        heard.trace.pieces == ["我先看看", "待办。"]
        and (message.content, message.stop_reason) == (wanted.content, "tool_use")
        and message.usage == usage,
        wanted=f"two pieces, then done with {wanted.content!r}, tool_use, {usage!r}",
    )


async def test_cut_stream(subject: Subject, wire: Wire) -> None:
    """A stream that ends without its end marker is a failure; what arrived is kept.

    A tool call that was not complete is not.
    """
    half = wire.call[: wire.call.rindex(b"do.txt")]
    with serving(Reply(body=wire.text + half)) as server:
        heard = await ask(subject, wire, server)
    heard.holds(
        heard.message.stop_reason == "error"
        and heard.message.content == Says(TEXT).of(subject).content,
        wanted=f"`error`, with {TEXT} and no call",
    )


async def test_error_event(subject: Subject, wire: Wire, broken: tuple[Reply, str]) -> None:
    """A stream may begin well and fail: its error event is a failure, and what arrived is kept."""
    reply, text = broken
    with serving(reply) as server:
        heard = await ask(subject, wire, server)
    heard.holds(
        heard.message.stop_reason == "error"
        and heard.trace.text == text
        and "no, thanks" in heard.message.error_message
        and len(server.requests) == 1,
        wanted=f"`error` with the text {text!r}, saying `no, thanks`, after one request",
    )


async def test_page_in_place_of_a_stream(subject: Subject, wire: Wire) -> None:
    """A page with status 200, as proxies send it, is a failure and no empty answer."""
    page = Reply(body=b"<html><p>Sign in</p></html>", headers={"content-type": "text/html"})
    with serving(page) as server:
        heard = await ask(subject, wire, server)
    heard.holds(
        heard.message.stop_reason == "error" and len(server.requests) == 1,
        wanted=f"`error` after one request ({len(server.requests)} came)",
    )


async def test_refused_key(subject: Subject, wire: Wire) -> None:
    """A 401 is not tried again; the user reads which variable is wrong, and never the key."""
    complaint = f'{{"error": {{"type": "authentication_error", "message": "bad key {KEY}"}}}}'
    reply = Reply(status=401, headers=AT_ONCE, body=complaint.encode())
    with serving(reply, Reply(body=wire.whole)) as server:
        heard = await ask(subject, wire, server)
    heard.holds(
        len(server.requests) == 1
        and heard.message.stop_reason == "error"
        and wire.key in heard.message.error_message,
        wanted=f"`error` that names {wire.key}, after one request ({len(server.requests)} came)",
    )


async def test_too_many_requests(subject: Subject, wire: Wire) -> None:
    """A 429 is tried again when the server says so, and announced: then comes the answer."""
    busy = Reply(status=429, headers=AT_ONCE)
    with serving(busy, Reply(body=wire.whole)) as server:
        heard = await ask(subject, wire, server)
    heard.holds(
        len(server.requests) == 2
        and heard.trace.names.count("notice") == 1
        and heard.trace.names[0] == "notice"
        and heard.trace.text == TEXT,
        wanted=f"a notice, then the answer of the second request ({len(server.requests)} came)",
    )


async def test_no_second_try_behind_a_text(subject: Subject, wire: Wire) -> None:
    """Once something has been shown there is no second try: it would be said twice."""
    with serving(Reply(body=wire.text), Reply(body=wire.whole)) as server:
        heard = await ask(subject, wire, server)
    heard.holds(
        len(server.requests) == 1 and heard.message.stop_reason == "error",
        wanted=f"`error` after one request (there were {len(server.requests)})",
    )


async def test_abort_before_the_answer(subject: Subject, wire: Wire) -> None:
    """An abort ends the wait for a server that says nothing."""
    signal = subject.get("abort.AbortSignal")()
    heard: list[ModelAnswer] = []
    with serving(Reply(silent=True)) as server:

        async def listen() -> None:
            heard.append(await ask(subject, wire, server, signal=signal))
            server.requested.set()  # nobody waits for a request that never comes

        async with create_task_group() as group:
            group.start_soon(listen)
            await to_thread.run_sync(server.requested.wait, abandon_on_cancel=True)
            await wait_all_tasks_blocked()
            signal.abort()
    heard[0].holds(
        heard[0].message.stop_reason == "aborted" and heard[0].message.content == (),
        wanted="`error` with the stop reason aborted, and no content",
    )


async def test_abort_inside_of_the_answer(subject: Subject, wire: Wire) -> None:
    """An abort ends the wait for the next piece; what had arrived is kept."""
    signal, has_spoken = subject.get("abort.AbortSignal")(), Event()
    heard: list[ModelAnswer] = []

    def look(event: Any) -> None:
        if getattr(event, "text", "") == "待办。":
            has_spoken.set()

    with serving(Reply(body=wire.text, hold=True)) as server:

        async def listen() -> None:
            heard.append(await ask(subject, wire, server, signal=signal, on_event=look))
            has_spoken.set()  # nobody waits for a piece that never comes

        async with create_task_group() as group:
            group.start_soon(listen)
            await has_spoken.wait()
            await wait_all_tasks_blocked()
            signal.abort()
    heard[0].holds(
        heard[0].message.stop_reason == "aborted" and heard[0].trace.text == TEXT,
        wanted=f"{TEXT}, then `error` with the stop reason aborted",
    )


async def test_in_the_loop(subject: Subject, wire: Wire) -> None:
    """The agent loop cannot tell it from a fake one: the second request holds call and result."""
    with serving(Reply(body=wire.whole), Reply(body=wire.text)) as server:
        model = RealModel(subject, environment_for(wire, server)).model
        run = Run(subject, model=model, tools={"read": lambda use: "买菜"})
        await run.play()
    sent = json.dumps(server.requests[-1].body, ensure_ascii=False)
    run.holds(
        len(server.requests) == 2
        and "todo.txt" in sent
        and "买菜" in sent
        and sent.count("t1") == 2,
        came=f"{len(server.requests)} requests, the last one: {sent}",
        wanted="two requests; the second one holds the call t1 of todo.txt, and its result 买菜",
    )

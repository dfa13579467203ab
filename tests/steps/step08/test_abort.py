"""An abort, a consumer that leaves, and a cancellation from outside, at every point of a call."""

from contextlib import aclosing
from functools import partial

import anyio
import pytest
from anyio import to_thread, wait_all_tasks_blocked
from mini_agent.abort import AbortSignal
from mini_agent.messages import Context, message_text, user_text
from mini_agent.providers.retry import Timeouts
from mini_agent.stream import Notice, StreamEvent, TextDelta

from .calls import collect, last, model_at, notices
from .conftest import Play
from .stub import Reply, Stub
from .wires import WIRES, ProviderName, Wire, answer_wire

both = pytest.mark.parametrize("provider", ["anthropic", "openai"])

PARTS = {
    "before the head": (Reply(hangs_at="head"), ""),
    "before the body": (Reply(hangs_at="body"), ""),
    "in the middle": (None, "我先"),
    "in an error": (Reply(status=401, body=b'{"error":', hangs_at="end"), ""),
    "in what is no stream": (Reply(headers={}, body=b"<", hangs_at="end"), ""),
}
"""Where the server falls silent, and the text that has come by then."""


def silent_reply(provider: ProviderName, where: str) -> Reply:
    reply, _ = PARTS[where]
    return reply or Reply(body=answer_wire(provider, "我先")[:-60], hangs_at="end")


async def until_silent(stub: Stub) -> None:
    """Wait until the server has said its last, and the client has read it."""
    assert await to_thread.run_sync(partial(stub.silent.wait, 10))
    await wait_all_tasks_blocked()


@pytest.mark.parametrize("where", PARTS)
@both
async def test_an_abort_ends_the_wait(play: Play, provider: ProviderName, where: str) -> None:
    stub = play(silent_reply(provider, where))
    signal = AbortSignal()
    events: list[StreamEvent] = []

    async def call() -> None:
        events.extend(await collect(model_at(provider, stub.address), signal=signal))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await until_silent(stub)
            signal.abort()

    message = last(events)
    assert (message.stop_reason, message_text(message)) == ("aborted", PARTS[where][1])
    assert stub.left.wait(5)
    assert len(stub.requests) == 1


@pytest.mark.parametrize("where", PARTS)
@both
async def test_a_cancellation_from_outside_passes_through(
    play: Play, provider: ProviderName, where: str
) -> None:
    stub = play(silent_reply(provider, where))
    events: list[StreamEvent] = []

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            model = model_at(provider, stub.address)
            group.start_soon(partial(collect, model, each=events.append))
            await until_silent(stub)
            group.cancel_scope.cancel()

    assert (
        "".join(event.text for event in events if isinstance(event, TextDelta)) == PARTS[where][1]
    )
    assert stub.left.wait(5)


class StopAt:
    """Aborts when it sees the event of that number, from 0."""

    def __init__(self, number: int) -> None:
        self.signal = AbortSignal()
        self._to_go = number

    def __call__(self, event: StreamEvent) -> None:
        if self._to_go == 0:
            self.signal.abort()
        self._to_go -= 1


@both
async def test_an_abort_before_the_call(play: Play, provider: ProviderName) -> None:
    stub = play(Reply(body=answer_wire(provider, "你好")))
    signal = AbortSignal()
    signal.abort()
    message = last(await collect(model_at(provider, stub.address), signal=signal))
    assert (message.stop_reason, message.content) == ("aborted", ())
    assert stub.requests == []


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.id)
async def test_an_abort_at_every_event(play: Play, wire: Wire) -> None:
    stub = play(Reply(body=wire.body))
    model = model_at(wire.provider, stub.address)
    whole = await collect(model)
    for stop_at in range(len(whole) - 1):
        stop = StopAt(stop_at)
        events = await collect(model, signal=stop.signal, each=stop)
        assert last(events).stop_reason == "aborted"
        assert events[:-1] == whole[: len(events) - 1]
        assert not any(isinstance(event, TextDelta) for event in events[stop_at + 1 :])


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.id)
async def test_a_consumer_that_leaves_at_every_event(play: Play, wire: Wire) -> None:
    stub = play(Reply(body=wire.body, hangs_at="end"))
    model = model_at(wire.provider, stub.address)
    context = Context(messages=[user_text("你好")])
    whole = await collect(model)
    for leave_at in range(len(whole)):
        stub.left.clear()
        async with aclosing(model(context)) as stream:
            for _ in range(leave_at + 1):
                await anext(stream)
        assert stub.left.wait(5)


@both
async def test_an_abort_ends_the_wait_before_another_try(
    play: Play, provider: ProviderName
) -> None:
    stub = play(Reply(status=529, headers={}))
    signal = AbortSignal()
    waiting = anyio.Event()
    events: list[StreamEvent] = []

    async def sleep(seconds: float) -> None:
        waiting.set()
        await anyio.sleep_forever()

    async def call() -> None:
        model = model_at(provider, stub.address, Timeouts(sleep=sleep))
        events.extend(await collect(model, signal=signal))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await waiting.wait()
            signal.abort()

    assert len(notices(events)) == 1
    assert last(events).stop_reason == "aborted"
    assert len(stub.requests) == 1


@both
async def test_an_abort_at_the_notice_of_another_try(play: Play, provider: ProviderName) -> None:
    stub = play(Reply(status=529, headers={}))
    signal = AbortSignal()

    def abort(event: StreamEvent) -> None:
        if isinstance(event, Notice):
            signal.abort()

    model = model_at(provider, stub.address, Timeouts())  # it would really wait
    events = await collect(model, signal=signal, each=abort)
    assert [type(event).__name__ for event in events] == ["Notice", "StreamError"]
    assert last(events).stop_reason == "aborted"

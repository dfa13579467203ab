"""A model's stream that is aborted, left early, or cancelled."""

from contextlib import aclosing
from typing import Any

import anyio
import pytest
from anyio import wait_all_tasks_blocked

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import FakeModel
from conformance.support.stream import ModelAnswer
from conformance.support.subject import Subject

pytestmark = read("stream")

REPLY = "一二三四五六七八九十" * 10
NEVER = 30.0
"""Seconds between two pieces that no check has the time for."""


class Aborted(FakeModel):
    """A long answer, and the signal that can abort it."""

    def __init__(self, subject: Subject, *, delay: float = 0.0) -> None:
        self.signal = subject.get("abort.AbortSignal")()
        super().__init__(subject, [{"reply": REPLY}], "说吧", delay=delay, signal=self.signal)

    async def listen_while_aborting(self) -> ModelAnswer:
        """Take all events; as soon as nothing moves any more, abort from another task."""
        heard: list[ModelAnswer] = []

        async def listen() -> None:
            heard.append(await self.listen())

        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await wait_all_tasks_blocked()
            self.signal.abort()
        return heard[0]


def expect_aborted(heard: ModelAnswer, *, text: str) -> None:
    """Fail the check unless the stream says that it was aborted, and keeps `text`."""
    heard.holds(
        heard.message.stop_reason == "aborted" and heard.trace.text == text,
        wanted=f"`error`, stop reason aborted, with the text {text!r}",
    )


async def test_before_the_call(subject: Subject) -> None:
    """Aborted before it is called, the model says nothing but that it was aborted."""
    asked = Aborted(subject)
    asked.signal.abort()
    expect_aborted(await asked.listen(), text="")


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
async def test_between_two_pieces(subject: Subject, times: int) -> None:
    """Aborted between two pieces, once or twice, the answer ends there and keeps what came."""
    asked = Aborted(subject)
    pieces: list[str] = []

    def abort_at_the_third(event: Any) -> None:
        if isinstance(event, subject.get("stream.TextDelta")):
            pieces.append(event.text)
        if len(pieces) == 3:
            for _ in range(times):
                asked.signal.abort()

    expect_aborted(await asked.listen(abort_at_the_third), text="".join(pieces[:3]))


async def test_while_waiting(subject: Subject) -> None:
    """Aborted from another task while the model waits for the next piece, it ends at once."""
    expect_aborted(await Aborted(subject, delay=NEVER).listen_while_aborting(), text="")


async def test_closed_early(subject: Subject) -> None:
    """Closed after an event, the stream ends there: no error, and not one event more."""
    asked = Aborted(subject)
    with judge.in_time(subject.patience, called=asked.called):
        stream = asked.stream()
        await anext(stream)
        await stream.aclose()
        left = [event async for event in stream]
    judge.same(left, [], called=f"{asked.called}; closed after the first event")


async def test_cancelled(subject: Subject) -> None:
    """Cancelled from outside, the stream lets the cancellation pass and tells no event of it."""
    asked = Aborted(subject, delay=NEVER)
    events: list[Any] = []

    async def take_all() -> None:
        with outside:
            async with aclosing(asked.stream()) as stream:
                async for event in stream:
                    events.append(event)

    outside = anyio.CancelScope()
    with judge.in_time(subject.patience, called=asked.called):
        async with anyio.create_task_group() as group:
            group.start_soon(take_all)
            await wait_all_tasks_blocked()
            outside.cancel()
    judge.holds(
        outside.cancelled_caught and events == [],
        called=f"{asked.called}; its caller is cancelled while it waits",
        came=f"{'cancelled' if outside.cancelled_caught else 'it went on'}, with {events}",
        wanted="a cancellation, and no event",
    )

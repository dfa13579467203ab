"""One model call, from the request to the last event: where the contract of `StreamFn` is kept.

Not here: the wire. The two providers differ in what they say on it, not in what becomes of it.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from ..abort import AbortSignal
from ..messages import Context, StopReason
from ..stream import (
    Notice,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamFn,
    StreamOptions,
    StreamStart,
)
from ..text import one_line
from .answer import Events, MessageBuilder
from .endpoint import Endpoint
from .failures import Failure
from .masking import KeyMask, hide_in_stream
from .model import Model
from .retry import BACK_OFF, wait_before_retry
from .wire import Request, receive

ReadEvent = Callable[[MessageBuilder, str, str], Events]
"""Reads an event of the wire, by name and data, into an answer; returns what that means to us.

Raises `Failure`, or whatever else it runs into if the event is not what it should be.
"""

MAX_ERROR = 500
"""Characters of an error that the user gets to see."""


def create_stream_fn(
    endpoint: Endpoint,
    model: Model,
    *,
    create_request: Callable[[Context], Request],
    read_event: ReadEvent,
) -> StreamFn:
    """Return `model` at `endpoint`. Its calls have nothing in common but this."""
    new_answer = partial(MessageBuilder, provider=model.provider, model=model.name)

    def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        events = call_model(
            endpoint,
            create_request=partial(create_request, context),
            read_event=read_event,
            new_answer=new_answer,
            signal=(options or StreamOptions()).signal,
        )
        return hide_in_stream(events, endpoint.mask) if endpoint.mask else events

    return stream


async def call_model(
    endpoint: Endpoint,
    *,
    create_request: Callable[[], Request],
    read_event: ReadEvent,
    new_answer: Callable[[], MessageBuilder],
    signal: AbortSignal,
) -> AsyncGenerator[StreamEvent, None]:
    """Stream an answer. As long as nothing of it has been shown, there may be another try."""
    started, retries = False, 0
    while True:
        answer = new_answer()
        try:
            request = create_request()
            request = replace(request, body=endpoint.mask.hide_in(request.body))
            wire = receive(endpoint, request, signal=signal)
            async with aclosing(attempt(wire, read_event, answer, signal=signal)) as events:
                async for event in events:
                    if not started or not isinstance(event, StreamStart):
                        yield event
                    started = True
            if not signal.aborted:
                yield StreamDone(message=answer.message(stop_reason_of(answer)))
                return
            break
        except Exception as error:  # noqa: BLE001  # the border that owes an event
            failure = error if isinstance(error, Failure) else unexpected(error)

        text = readable(failure.text, endpoint.mask)
        timeouts = endpoint.timeouts
        wait = wait_before_retry(failure, retries=retries, now=timeouts.now())
        if signal.aborted:
            break
        if answer.is_visible or wait is None:
            yield StreamError(message=answer.message("error", error_message=text))
            return
        retries += 1
        yield Notice(text=f"{text}。{wait:.3g} 秒后再试（{retries}/{len(BACK_OFF)}）。")
        with signal.scope():
            await timeouts.sleep(wait)
    yield StreamError(message=answer.message("aborted"))


async def attempt(
    wire: AsyncGenerator[tuple[str, str], None],
    read_event: ReadEvent,
    answer: MessageBuilder,
    *,
    signal: AbortSignal,
) -> AsyncGenerator[StreamEvent, None]:
    """Stream one try: `start`, then what the events of `wire` mean to us. They fill `answer`."""
    started = False
    async with aclosing(wire):
        async for name, data in wire:
            if not started:
                started = True
                yield StreamStart()
            if signal.aborted:
                return
            for event in understand(read_event, answer, name, data):
                yield event
            if answer.complete:
                return


def understand(read_event: ReadEvent, answer: MessageBuilder, name: str, data: str) -> Events:
    """Read an event of the wire; one that is not what it should be is a failure."""
    try:
        return read_event(answer, name, data)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Failure(f"看不懂服务器发来的 {name} 事件（{type(error).__name__}）") from None


def stop_reason_of(answer: MessageBuilder) -> StopReason:
    """Return why the answer stopped.

    Raises:
        Failure: it did not come to its end, or stopped for a reason that we do not know.
    """
    if not (answer.complete or answer.may_end):
        raise Failure("服务器没有说完就结束了", retryable=True)
    if answer.stop_reason is None:
        raise Failure(f"模型停下的原因不认识：{answer.raw_stop_reason}")
    return answer.stop_reason


def unexpected(error: Exception) -> Failure:
    """Return the failure for an error that nobody thought of."""
    return Failure(f"意外的错误：{type(error).__name__}: {error}")


def readable(text: str, mask: KeyMask) -> str:
    """Return `text` on one line, without control characters and keys, and not too long.

    In this order: cleaning must bring no key to light, and cutting must leave no half of one.
    """
    return mask.hide(one_line(" ".join(text.split())))[:MAX_ERROR]

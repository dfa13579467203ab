"""Play a finished message as a stream, piece by piece, the way a model would send it.

Not here: which message. That is up to the fake model.
"""

import re
from collections.abc import AsyncGenerator, Iterable, Iterator
from itertools import groupby, islice
from typing import assert_never

import anyio

from .abort import AbortSignal
from .messages import AssistantMessage, ContentBlock, TextContent, ThinkingContent, ToolCall
from .stream import (
    StreamDone,
    StreamError,
    StreamEvent,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    ToolCallEnd,
    ToolCallStart,
)


async def play(
    message: AssistantMessage, *, signal: AbortSignal, delay: float = 0.0
) -> AsyncGenerator[StreamEvent, None]:
    """Stream `message`, and keep the contract of `StreamFn`.

    Args:
        message: What to say. Its stop reason decides how the stream ends.
        signal: An abort ends the stream; what had been sent by then is kept.
        delay: Seconds before each event, the first one included; 0 means no wait at all.
    """
    for sent, event in enumerate(events_of(message)):
        if delay:
            with signal.scope():
                await anyio.sleep(delay)
        if signal.aborted:
            content = content_of(islice(events_of(message), sent))
            yield StreamError(message=AssistantMessage(content=content, stop_reason="aborted"))
            return
        yield event


def events_of(message: AssistantMessage) -> Iterator[StreamEvent]:
    """Yield the events that say `message`, the last one included."""
    yield StreamStart()
    for block in message.content:
        match block:
            case TextContent(text=text):
                for piece in pieces(text):
                    yield TextDelta(text=piece)
            case ThinkingContent(text=text):
                for piece in pieces(text):
                    yield ThinkingDelta(text=piece)
            case ToolCall():
                yield ToolCallStart(id=block.id, name=block.name)
                yield ToolCallEnd(call=block)
            case _:
                assert_never(block)
    if message.stop_reason in ("error", "aborted"):
        yield StreamError(message=message)
    else:
        yield StreamDone(message=message)


def content_of(events: Iterable[StreamEvent]) -> tuple[ContentBlock, ...]:
    """Return what `events` have said: the content of a message that breaks off behind them."""
    content: list[ContentBlock] = []
    for kind, group in groupby(events, key=type):
        same = list(group)
        text = "".join(event.text for event in same if isinstance(event, TextDelta | ThinkingDelta))
        if kind is TextDelta:
            content.append(TextContent(text=text))
        elif kind is ThinkingDelta:
            content.append(ThinkingContent(text=text))  # without a payload: it is not complete
        content.extend(event.call for event in same if isinstance(event, ToolCallEnd))
    return tuple(content)


STICKY = (
    r"\u0300-\u036F\u20D0-\u20FF"  # accents and frames that combine with the character before
    r"\uFE0E\uFE0F\U0001F3FB-\U0001F3FF"  # variation selectors, skin tones
    r"\u200D\U0001F1E6-\U0001F1FF"  # the joiner of emoji; the letters of which flags are made
)
# Cut blindly, an emoji of several code points flickers as its parts: chapter 03, "playback.py".
PIECE = re.compile(rf"(?s:.{{1,3}}(?:[{STICKY}]|(?<=\u200D).)*)")


def pieces(text: str) -> list[str]:
    """Cut `text` into pieces of three characters or a few more; joined they are `text` again.

    What a reader takes for one character stays in one piece: an accent, an emoji with
    all that belongs to it, a flag. Scripts that build syllables out of several code
    points (Devanagari, single Hangul letters) may be cut inside of one.
    """
    return PIECE.findall(text)

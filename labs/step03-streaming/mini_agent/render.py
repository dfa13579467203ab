"""The typewriter: an answer appears on the screen while it arrives.

Not here: what happens between two answers of one turn (step 04).
"""

import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import assert_never

from .messages import AssistantMessage, message_text
from .stream import TERMINAL, Notice, StreamDone, StreamError, StreamEvent, StreamStart, TextDelta
from .text import escape_controls


def warn(text: str) -> None:
    """Tell the user something that is no part of the conversation."""
    print(escape_controls(text), file=sys.stderr)


async def render_stream(
    stream: AsyncGenerator[StreamEvent, None], *, notify: Callable[[str], None] = warn
) -> AssistantMessage:
    """Print an answer piece by piece, and return it when it is complete or broke off.

    Notices go to `notify`. The stream is closed in any case, also when the screen
    goes away in the middle (`| head -1`): the model then stops working.

    Raises:
        RuntimeError: the stream ended without `done` or `error`. The model is to blame.
    """
    typewriter = Typewriter(notify)
    async with aclosing(stream):
        async for event in stream:
            typewriter.show(event)
            if isinstance(event, TERMINAL):
                return event.message
    raise RuntimeError("the stream ended without `done` or `error`")


class Typewriter:
    """Prints the events of an answer, and knows whether the cursor stands behind some text."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._mid_line = False

    def show(self, event: StreamEvent) -> None:
        """Print what `event` says, at once."""
        match event:
            case StreamStart():
                pass
            case TextDelta(text=text):
                self._write(text)
            case Notice(text=text):
                self._end_line()
                self._notify(escape_controls(text))
            case StreamDone(message=message) | StreamError(message=message):
                self._write(how_it_ended(message))
                self._end_line()
            case _:
                assert_never(event)

    def _write(self, text: str) -> None:
        if text:
            shown = escape_controls(text)
            print(shown if self._mid_line else f"助手> {shown}", end="", flush=True)
            self._mid_line = True

    def _end_line(self) -> None:
        if self._mid_line:
            print()
        self._mid_line = False


def how_it_ended(message: AssistantMessage) -> str:
    """Return the mark behind an answer that needs one, otherwise an empty text."""
    match message.stop_reason:
        case "stop":
            return "" if message_text(message).strip() else "（空回答）"
        case "length":
            return "（达到长度上限，没有说完）"
        case "refusal":
            return "（模型拒绝回答）"
        case "error":
            return f"（出错：{message.error_message}）"
        case "aborted":
            return "（已中止）"
        case _:
            assert_never(message.stop_reason)

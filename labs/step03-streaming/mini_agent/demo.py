"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs.

It also plays the user who presses Ctrl-C, and prints which events each answer was made of.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import groupby
from typing import assert_never

from .console import console
from .fake_model import create_fake_model
from .messages import Context, message_text
from .rules import RULES
from .script import read_from
from .shell import run_shell
from .stream import (
    Notice,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamFn,
    StreamOptions,
    StreamStart,
    TextDelta,
)

SCRIPT = ("你好", "什么是 Agent Harness", "随便说点什么", "说着说着就断线", "你好", "/exit")


def main() -> None:
    """Play the script and print the whole conversation."""
    with console():
        print("Mini Agent Harness · step03 streaming（demo）\n")

        model = with_ctrl_c(create_fake_model(RULES), after=6, when="什么是 Agent Harness")
        run_shell(read_from(SCRIPT), with_trace(model), notify=print)


def with_ctrl_c(model: StreamFn, *, after: int, when: str) -> StreamFn:
    """Return `model` with a user who aborts the answer to `when` after so many pieces."""

    async def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        options = options or StreamOptions()
        left = after if message_text(context.messages[-1]) == when else -1
        async with aclosing(model(context, options=options)) as events:
            async for event in events:
                yield event
                left -= isinstance(event, TextDelta)
                if left == 0:
                    print("^C", end="")  # what a terminal shows
                    options.signal.abort()

    return stream


def with_trace(model: StreamFn) -> StreamFn:
    """Return `model`, with a line behind each answer that names the events it was made of."""

    async def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        names: list[str] = []
        try:
            async with aclosing(model(context, options=options)) as events:
                async for event in events:
                    names.append(name_of(event))
                    yield event
        finally:
            counted = ((name, len(list(same))) for name, same in groupby(names))
            print("事件>", "，".join(f"{name} ×{n}" if n > 1 else name for name, n in counted))

    return stream


def name_of(event: StreamEvent) -> str:
    """Return the name of an event, and for the last one the reason why it is the last."""
    match event:
        case StreamStart():
            return "start"
        case TextDelta():
            return "text_delta"
        case Notice():
            return "notice"
        case StreamDone(message=message):
            return f"done（{message.stop_reason}）"
        case StreamError(message=message):
            return f"error（{message.stop_reason}）"
        case _:
            assert_never(event)


if __name__ == "__main__":
    main()

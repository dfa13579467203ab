"""The loop around the model: read a line, append, call, print, append.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import Callable

import anyio

from .ctrl_c import ctrl_c_aborts
from .messages import Context, message_text, user_text
from .render import render_stream, warn
from .stream import StreamFn, StreamOptions


def run_shell(
    ask: Callable[[str], str | None], model: StreamFn, *, notify: Callable[[str], None] = warn
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line goes to the model. Ctrl-C ends an answer, not
    the conversation. Notices go to `notify`.
    """
    context = Context()

    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            anyio.run(take_turn, context, model, line, notify)

    print(f"再见。（本次对话共 {len(context.messages)} 条消息）")


async def take_turn(
    context: Context, model: StreamFn, line: str, notify: Callable[[str], None]
) -> None:
    """Add the user's line to the context, call the model, print and add its answer."""
    context.messages.append(user_text(line))
    async with ctrl_c_aborts() as signal:
        options = StreamOptions(signal=signal)
        reply = await render_stream(model(context, options=options), notify=notify)
    if message_text(reply).strip():  # a model accepts no message without content
        context.messages.append(reply)
    print()

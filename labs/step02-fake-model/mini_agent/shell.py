"""The loop around the model: read a line, append, call, append, print.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import Callable

import anyio

from .fake_model import CompleteFn
from .messages import Context, message_text, user_text


def run_shell(ask: Callable[[str], str | None], model: CompleteFn) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line goes to the model.
    """
    context = Context()

    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            anyio.run(take_turn, context, model, line)

    print(f"再见。（本次对话共 {len(context.messages)} 条消息）")


async def take_turn(context: Context, model: CompleteFn, line: str) -> None:
    """Add the user's line to the context, call the model, add and print its answer."""
    context.messages.append(user_text(line))
    reply = await model(context)
    context.messages.append(reply)
    print(f"助手> {message_text(reply)}\n")

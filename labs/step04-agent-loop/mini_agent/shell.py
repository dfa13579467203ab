"""The loop around the agent: read a line, append, let the agent work, print what it does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import Callable
from dataclasses import replace

import anyio

from .agent_loop import run_agent_loop
from .ctrl_c import ctrl_c_aborts
from .execution import NO_TOOLS, Toolset
from .messages import Context, user_text
from .render import render_run, warn
from .stream import StreamFn
from .tool_lines import show_progress

MAX_TURNS = 5
"""Model calls per line of the user. Few, so that one can watch the limit at work."""


def run_shell(
    ask: Callable[[str], str | None],
    model: StreamFn,
    *,
    tools: Toolset = NO_TOOLS,
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line goes to the agent. Ctrl-C ends its run, not the
    conversation. Notices go to `notify`; the progress of `tools` is shown.
    """
    context = Context()
    tools = replace(tools, on_update=show_progress)

    async def take_turn(line: str) -> None:
        context.messages.append(user_text(line))
        async with ctrl_c_aborts() as signal:
            run = run_agent_loop(
                context, model=model, tools=tools, max_turns=MAX_TURNS, signal=signal
            )
            await render_run(run, notify=notify)
        print()

    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            anyio.run(take_turn, line)

    print(f"再见。（本次对话共 {len(context.messages)} 条消息）")

"""The loop around the agent: read a line, store it, let the agent work, print what it does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import Callable
from dataclasses import replace

import anyio

from .agent_loop import run_agent_loop
from .cli.session_commands import run_command
from .ctrl_c import ctrl_c_aborts
from .execution import NO_TOOLS, Toolset
from .messages import Context
from .render import render_run, warn
from .sessions.conversation import Conversation
from .sessions.entries import SessionError
from .sessions.session import Session
from .sessions.store import MemoryStore
from .slash import as_message, unknown_command
from .stream import StreamFn
from .text import escape_controls
from .tool_lines import show_progress

COMMANDS = ("branch", "fork", "exit")

MAX_TURNS = 50
"""Model calls per line of the user. Real work takes more of them than toys do."""


def run_shell(
    ask: Callable[[str], str | None],
    model: StreamFn,
    *,
    conversation: Conversation | None = None,
    tools: Toolset = NO_TOOLS,
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line is a command, or goes to the agent. A command that
    does not exist is no message either. Ctrl-C ends its
    run, not the conversation. `conversation` is what was said and is known before the first
    line, and it is closed at the end; by default it is empty, kept in memory and forgotten.
    Notices go to `notify`; the progress of `tools` is shown.
    """
    if conversation is None:
        forgotten = Session.start(MemoryStore(), "memory")
        conversation = Conversation(forgotten, Context(), notify=notify)
    tools = replace(tools, on_update=show_progress)

    async def take_turn() -> None:
        async with ctrl_c_aborts() as signal:
            run = run_agent_loop(
                conversation.context,
                model=model,
                tools=tools,
                max_turns=MAX_TURNS,
                signal=signal,
            )
            await render_run(conversation.storing(run), notify=notify)

    def answer(line: str) -> None:
        told = unknown_command(line, COMMANDS) or run_command(line, conversation)
        if told is not None:
            print(escape_controls(told))
        else:
            conversation.say(as_message(line))
            anyio.run(take_turn)

    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            try:
                answer(line)
            except* SessionError as trouble:  # `except*`: out of a turn it comes in a group
                for error in trouble.exceptions:
                    notify(f"（{escape_controls(str(error))}）")
            print()

    print(f"再见。（本次对话共 {len(conversation.context.messages)} 条消息）")
    conversation.session.close()

"""The loop around the agent: read a line, store it, let the agent work, print what it does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import anyio

from .agent_loop import run_agent_loop
from .cli.commands import run_builtin
from .ctrl_c import ctrl_c_aborts
from .execution import NO_TOOLS, Toolset
from .extensions.api import ExtensionContext
from .extensions.events import Handled, SessionStart, StartReason
from .extensions.gates import ExtensionHooks
from .extensions.input import take_input
from .extensions.observers import observed, tell
from .extensions.registry import Extensions
from .messages import Context
from .render import render_run, warn
from .sessions.conversation import Conversation
from .sessions.entries import SessionError
from .sessions.session import Session
from .sessions.store import MemoryStore
from .stream import StreamFn
from .text import escape_controls
from .tool_lines import show_progress

MAX_TURNS = 50
"""Model calls per line of the user. Real work takes more of them than toys do."""


def run_shell(
    ask: Callable[[str], str | None],
    model: StreamFn,
    *,
    conversation: Conversation | None = None,
    tools: Toolset = NO_TOOLS,
    extensions: Extensions | None = None,
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line is a command, or goes to the agent. Ctrl-C ends its
    run, not the conversation. `conversation` is what was said and is known before the first
    line, and it is closed at the end; by default it is empty, kept in memory and forgotten.
    `extensions` take part in all of it. Notices go to `notify`; the progress of `tools` is
    shown.
    """
    if conversation is None:
        forgotten = Session.start(MemoryStore(), "memory")
        conversation = Conversation(forgotten, Context(), notify=notify)
    extensions = extensions or Extensions(ExtensionContext(notify=notify))
    shell = Shell(
        model=model,
        conversation=conversation,
        tools=replace(tools, on_update=show_progress),
        extensions=extensions,
        notify=notify,
    )
    anyio.run(shell.start, "resumed" if conversation.session.entries() else "new")
    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            try:
                shell.answer(line)
            except* SessionError as trouble:  # `except*`: out of a turn it comes in a group
                for error in trouble.exceptions:
                    notify(f"（{escape_controls(str(error))}）")
            print()

    print(f"再见。（本次对话共 {len(conversation.context.messages)} 条消息）")
    conversation.session.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """What a line of the user meets on its way: commands, extensions, the agent."""

    model: StreamFn
    conversation: Conversation
    tools: Toolset
    extensions: Extensions
    notify: Callable[[str], None]

    async def start(self, reason: StartReason) -> None:
        """Tell the extensions which session it is."""
        self.extensions.context.session = self.conversation.session
        async with ctrl_c_aborts() as signal:
            await tell(SessionStart(reason=reason), self.extensions, signal=signal)

    def answer(self, line: str) -> None:
        """Carry out a command, or let the agent have the line."""
        place = (self.conversation.session, self.conversation.session.leaf_id)
        told = run_builtin(line, self.conversation, self.extensions)
        if told is None:
            anyio.run(self.take_turn, line)
            return
        print(escape_controls(told))
        if place != (self.conversation.session, self.conversation.session.leaf_id):
            anyio.run(self.start, "moved")

    async def take_turn(self, line: str) -> None:
        """Let the agent work at `line`, unless an extension deals with it."""
        async with ctrl_c_aborts() as signal:
            said = await take_input(line, self.extensions, signal=signal)
            if isinstance(said, Handled):
                print(escape_controls(said.text), end="\n" if said.text else "")
                return
            self.conversation.say(said)
            run = run_agent_loop(
                self.conversation.context,
                model=self.model,
                tools=self.tools,
                hooks=ExtensionHooks(self.extensions, check=self.tools.check).loop_hooks(),
                max_turns=MAX_TURNS,
                signal=signal,
            )
            stored = self.conversation.storing(run)
            watched = observed(stored, self.extensions, signal=signal)
            await render_run(watched, notify=self.notify)

"""The loop around the agent: read a line, let the run have it, print what the agent does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace

import anyio

from .agent_events import AgentEnd, AgentEvent
from .commands import run_builtin
from .conversation import Conversation
from .ctrl_c import ctrl_c_aborts
from .describe_run import describe_waiting
from .errors import leaves
from .execution import NO_TOOLS, Toolset
from .extension_answers import Handled
from .extension_events import SessionStart, StartReason
from .extension_input import take_input
from .extension_observers import observed, tell
from .extension_record import Host
from .extensions import Extensions
from .messages import Context
from .render import render_run, warn
from .run_loop import Equipment
from .run_terms import Terms
from .runner import Runner
from .session import Session
from .session_entries import SessionError
from .session_store import MemoryStore
from .slash_commands import RUN_COMMANDS, run_slash_command, take_line
from .stream import StreamFn
from .text import escape_controls
from .tool_lines import show_progress
from .tools.workspace import Workspace
from .user_input import InputRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the shell finds around it, and hands on to the runs."""

    extensions: Extensions | None = None
    """They take part in all of it. None: there are none."""

    workspace: Workspace | None = None
    """Where the tools work."""

    terms: Terms = field(default_factory=Terms)
    """Those of the runs."""

    at_terminal: bool = True
    """A person sees a question before the next line is written: otherwise no line can be its
    answer."""


def run_shell(  # noqa: C901  # three small functions inside
    ask: Callable[[str], str | None],
    model: StreamFn,
    *,
    conversation: Conversation | None = None,
    tools: Toolset = NO_TOOLS,
    surroundings: Surroundings | None = None,
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line is a command, or goes to the agent. Ctrl-C ends its
    work, not the conversation. `conversation` is what was said and is known before the first
    line, and it is closed at the end; by default it is empty, kept in memory and forgotten.
    Notices go to `notify`; the progress of `tools` is shown.

    Raises:
        SessionError: what lies in the inbox of a run could not be recorded.
    """
    if conversation is None:
        forgotten = Session.start(MemoryStore(), "memory")
        conversation = Conversation(forgotten, Context(), notify=notify)
    around = surroundings or Surroundings()
    extensions = around.extensions or Extensions(Host(notify=notify))
    equipment = Equipment(
        model=model,
        extensions=extensions,
        tools=replace(tools, on_update=show_progress),
        workspace=around.workspace,
    )
    runner = Runner(conversation, equipment=equipment, terms=around.terms)

    async def take_turn(line: str | None) -> None:
        async with ctrl_c_aborts() as signal:
            if line is not None:
                said = await take_input(line, extensions, signal=signal)
                if isinstance(said, Handled):
                    print(said.text, end="\n" if said.text else "")
                    return
                take_line(runner, said, at_terminal=around.at_terminal)

            async def show(run: AsyncGenerator[AgentEvent, None]) -> AgentEnd:
                return await render_run(observed(run, extensions, signal=signal), notify=notify)

            await runner.work(signal=signal, show=show)
        if waiting := describe_waiting(runner.desk.state):
            print(waiting)

    async def start(reason: StartReason) -> None:
        extensions.host.session = conversation.session
        async with ctrl_c_aborts() as signal:
            await tell(SessionStart(reason=reason), extensions, signal=signal)

    def answer(line: str) -> None:
        name, _, text = line.strip().partition(" ")
        if name.startswith("/") and name[1:] in RUN_COMMANDS:
            told = run_slash_command(runner, name[1:], text.strip())
            if told is None:
                anyio.run(take_turn, None)
            else:
                print(escape_controls(told))
            return
        place = (conversation.session, conversation.session.leaf_id)
        run_is_open = runner.desk.current is not None and runner.desk.current.is_open
        told = run_builtin(line, conversation, extensions, run_is_open=run_is_open)
        if told is None:
            anyio.run(take_turn, line)
            return
        print(escape_controls(told))
        if place != (conversation.session, conversation.session.leaf_id):
            runner.follow_session()
            anyio.run(start, "moved")

    anyio.run(start, "resumed" if conversation.session.entries() else "new")
    for run_id in runner.desk.damaged:
        notify(f"（运行 {run_id} 的记录损坏了，不能接着用）")
    if runner.desk.current is not None and (waiting := describe_waiting(runner.desk.current)):
        print(f"{waiting}\n")
    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            try:
                answer(line)
            except* (SessionError, InputRefused) as trouble:  # out of a turn it comes in a group
                for error in leaves(trouble):
                    notify(f"（{escape_controls(str(error))}）")
            print()

    print(f"再见。（本次对话共 {len(conversation.context.messages)} 条消息）")
    conversation.session.close()

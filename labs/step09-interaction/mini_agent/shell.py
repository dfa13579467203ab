"""The loop around the agent: read a line, let the run have it, print what the agent does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import AsyncGenerator, Callable, Collection

import anyio

from .agent_events import AgentEnd, AgentEvent
from .commands import run_builtin
from .conversation import Conversation
from .ctrl_c import ctrl_c_aborts
from .describe_run import describe_waiting
from .execution import ToolExecutor, no_tools
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
from .screening import CheckCall, any_object
from .session import Session
from .session_entries import SessionError
from .session_store import MemoryStore
from .slash_commands import RUN_COMMANDS, run_slash_command, take_line
from .stream import StreamFn
from .tool_lines import show_progress
from .tools.workspace import Workspace
from .trouble import leaves
from .user_input import InputRefused


def run_shell(
    ask: Callable[[str], str | None],
    model: StreamFn,
    *,
    context: Context | None = None,
    session: Session | None = None,
    execute: ToolExecutor = no_tools,
    check: CheckCall = any_object,
    extensions: Extensions | None = None,
    sequential: Collection[str] = (),
    workspace: Workspace | None = None,
    terms: Terms | None = None,
    at_terminal: bool = True,
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line is a command, or goes to the agent. Ctrl-C ends its
    work, not the conversation. `context` is what the model knows before the first line; by
    default nothing. The conversation goes on where `session` stands, which is closed at
    the end; by default it is kept in memory and forgotten. `extensions` take part in all
    of it. `terms` are those of its runs. `at_terminal` says that a person sees a question
    before the next line is written: otherwise no line can be its answer. Notices go to
    `notify`; the tools are as for `run_agent_loop`, and work in `workspace`.

    Raises:
        SessionError: what a crash left open in `session` could not be recorded.
    """
    session = session or Session.start(MemoryStore(), "memory")
    conversation = Conversation(session, context or Context(), notify=notify)
    extensions = extensions or Extensions(Host(notify=notify))
    equipment = Equipment(
        model=model,
        extensions=extensions,
        execute=execute,
        check=check,
        sequential=sequential,
        workspace=workspace,
        on_update=show_progress,
    )
    runner = Runner(conversation, equipment=equipment, terms=terms or Terms())

    async def take_turn(line: str | None) -> None:
        async with ctrl_c_aborts() as signal:
            if line is not None:
                said = await take_input(line, extensions, signal=signal)
                if isinstance(said, Handled):
                    print(said.text, end="\n" if said.text else "")
                    return
                take_line(runner, said, at_terminal=at_terminal)

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
                print(told)
            return
        place = (conversation.session, conversation.session.leaf_id)
        run_is_open = runner.desk.current is not None and runner.desk.current.is_open
        told = run_builtin(line, conversation, extensions, run_is_open=run_is_open)
        if told is None:
            anyio.run(take_turn, line)
            return
        print(told)
        if place != (conversation.session, conversation.session.leaf_id):
            runner.follow_session()
            anyio.run(start, "moved")

    anyio.run(start, "resumed" if session.entries() else "new")
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
                    notify(f"（{error}）")
            print()

    print(f"再见。（本次对话共 {len(conversation.context.messages)} 条消息）")
    conversation.session.close()

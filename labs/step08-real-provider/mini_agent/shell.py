"""The loop around the agent: read a line, store it, let the agent work, print what it does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import Callable, Collection

import anyio

from .agent_loop import run_agent_loop
from .commands import run_builtin
from .conversation import Conversation
from .ctrl_c import ctrl_c_aborts
from .execution import ToolExecutor, no_tools
from .extension_answers import Handled
from .extension_events import SessionStart, StartReason
from .extension_hooks import ExtensionHooks
from .extension_input import take_input
from .extension_observers import observed, tell
from .extension_record import Host
from .extensions import Extensions
from .messages import Context
from .render import render_run, warn
from .screening import CheckCall, any_object
from .session import Session
from .session_entries import SessionError
from .session_store import MemoryStore
from .stream import StreamFn
from .tool_lines import show_progress

MAX_TURNS = 50
"""Model calls per line of the user. Real work takes more of them than toys do."""


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
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line is a command, or goes to the agent. Ctrl-C ends its
    run, not the conversation. `context` is what the model knows before the first line; by
    default nothing. The conversation goes on where `session` stands, which is closed at
    the end; by default it is kept in memory and forgotten. `extensions` take part in all
    of it. Notices go to `notify`; the tools are as for `run_agent_loop`.

    Raises:
        SessionError: what a crash left open in `session` could not be recorded.
    """
    session = session or Session.start(MemoryStore(), "memory")
    conversation = Conversation(session, context or Context(), notify=notify)
    extensions = extensions or Extensions(Host(notify=notify))
    hooks = ExtensionHooks(extensions, check=check).loop_hooks()

    async def take_turn(line: str) -> None:
        async with ctrl_c_aborts() as signal:
            said = await take_input(line, extensions, signal=signal)
            if isinstance(said, Handled):
                print(said.text, end="\n" if said.text else "")
                return
            conversation.say(said)
            run = run_agent_loop(
                conversation.context,
                model=model,
                execute=execute,
                check=check,
                hooks=hooks,
                sequential=sequential,
                max_turns=MAX_TURNS,
                signal=signal,
                on_update=show_progress,
            )
            stored = conversation.storing(run)
            await render_run(observed(stored, extensions, signal=signal), notify=notify)

    async def start(reason: StartReason) -> None:
        extensions.host.session = conversation.session
        async with ctrl_c_aborts() as signal:
            await tell(SessionStart(reason=reason), extensions, signal=signal)

    def answer(line: str) -> None:
        place = (conversation.session, conversation.session.leaf_id)
        told = run_builtin(line, conversation, extensions)
        if told is None:
            anyio.run(take_turn, line)
            return
        print(told)
        if place != (conversation.session, conversation.session.leaf_id):
            anyio.run(start, "moved")

    anyio.run(start, "resumed" if session.entries() else "new")
    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        if line.strip():
            try:
                answer(line)
            except* SessionError as trouble:  # `except*`: out of a turn it comes in a group
                for error in trouble.exceptions:
                    notify(f"（{error}）")
            print()

    print(f"再见。（本次对话共 {len(conversation.context.messages)} 条消息）")
    conversation.session.close()

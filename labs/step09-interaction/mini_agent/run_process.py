"""One process, one piece of work at a run: everything is put together here, for the commands."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from pathlib import Path

import anyio

from .agent_events import AgentEnd, AgentEvent
from .assembly import CommandSurroundings, context_for, create_extensions
from .conversation import Conversation
from .ctrl_c import ctrl_c_aborts
from .describe_run import describe_end
from .exit_codes import Exit, exit_of
from .extension_events import SessionStart
from .extension_loader import Sources
from .extension_observers import observed, tell
from .file_state import folder_of
from .remembered_extensions import require_loaded
from .render import render_run
from .run_loop import Equipment
from .run_terms import Terms
from .runner import Runner
from .session import Session
from .session_file import FileStore
from .session_list import session_path
from .tool_lines import show_progress
from .tools.registry import Registry
from .tools.workspace import Workspace


def new_session_of_run(
    sessions: Path, workspace: Workspace, around: CommandSurroundings
) -> Session:
    """Begin a session for a run of its own."""
    new_id = around.new_id()
    store = FileStore(session_path(sessions, new_id))
    return Session.start(
        store,
        new_id,
        working_folder=folder_of(workspace),
        new_id=around.new_id,
        now=around.now,
    )


def work_at(
    session: Session,
    *,
    workspace: Workspace,
    sources: Sources,
    terms: Terms,
    around: CommandSurroundings,
    say: Callable[[Runner], None],
) -> Exit:
    """Tell the run of `session` what `say` says, and work at it until it waits or is over.

    Raises:
        InputRefused: the run cannot take it, or cannot go on here.
        SessionError: something could not be stored. The run stays as it is on disk.
        BadSetting: a variable that chooses the model cannot be used.
    """
    chosen = around.choose()
    extensions = create_extensions(workspace, sources, notify=around.notify)
    require_loaded(extensions, terms.extensions)
    registry = Registry(extensions.tools.values())
    equipment = Equipment(
        model=chosen.stream,
        extensions=extensions,
        tools=replace(registry.toolset, on_update=show_progress),
        workspace=workspace,
    )
    conversation = Conversation(session, context_for(registry), notify=around.notify)
    terms = replace(terms, model=chosen.name, now=around.now, new_id=around.new_id)
    runner = Runner(conversation, equipment=equipment, terms=terms)
    extensions.host.session = session

    async def work() -> None:
        async with ctrl_c_aborts() as signal:
            reason = SessionStart(reason="resumed" if session.entries() else "new")
            await tell(reason, extensions, signal=signal)
            say(runner)

            async def show(run: AsyncGenerator[AgentEvent, None]) -> AgentEnd:
                return await render_run(
                    observed(run, extensions, signal=signal), notify=around.notify
                )

            await runner.work(signal=signal, show=show)

    anyio.run(work)
    print(describe_end(runner.desk.state))
    return exit_of(runner.desk.state)

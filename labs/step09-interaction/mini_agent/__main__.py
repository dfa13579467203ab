"""The entry: `python -m mini_agent` to talk, `python -m mini_agent run GOAL` and so on for runs."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from .assembly import choose_model, context_for, create_extensions
from .console import ask, console
from .conversation import Conversation
from .extension_options import sources_of
from .options import parse_options, workspace_folder
from .providers.settings import BadSetting
from .remembered_extensions import files_to_remember, require_loaded, with_remembered
from .render import warn
from .run_commands import perform
from .run_fold import runs_of
from .run_terms import Terms
from .session import Session
from .session_entries import SessionError
from .session_list import sessions_folder
from .session_options import announce, describe_sessions, new_session, old_session, recorded_folder
from .shell import Surroundings, run_shell
from .text import escape_controls
from .tools.registry import Registry
from .tools.workspace import Workspace
from .user_input import InputRefused


def main() -> None:
    """Talk with an agent that remembers, list what it remembers, or speak to one of its runs."""
    with console():
        options = parse_options()
        sessions = sessions_folder(os.environ, Path.home())
        if options.list:
            print(describe_sessions(sessions))
            return
        try:
            if options.command is not None:
                sys.exit(perform(options, sessions))
            talk(options, sessions)
        except (SessionError, InputRefused) as error:
            sys.exit(escape_controls(str(error)))
        except BadSetting as problem:
            print(problem, file=sys.stderr)
            sys.exit(2)


def talk(options: Namespace, sessions: Path) -> None:
    """Go on with an old session, in the folder where it worked, or begin a new one."""
    chosen = choose_model()
    old = old_session(options, sessions)
    print("Mini Agent Harness · step09 interaction")
    print("输入内容后回车；输入 /exit 退出。")
    print(f"{chosen.why}\n")

    with workspace_folder(options.workspace or recorded_folder(old)) as folder:
        workspace = Workspace(folder)
        if old is not None:
            announce(old, warn)
            warn(f"（工作区：{workspace.root}）")
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        sources = with_remembered(sources_of(options), extensions_of(old))
        remembered = files_to_remember(sources)
        extensions = create_extensions(
            workspace, sources, notify=warn, ask=ask if at_terminal else None
        )
        require_loaded(extensions, extensions_of(old))
        registry = Registry(extensions.tools.values())
        session = old or new_session(options, sessions, workspace.root)
        run_shell(
            ask,
            chosen.stream,
            conversation=Conversation(session, context_for(registry), notify=warn),
            tools=registry.toolset,
            surroundings=Surroundings(
                extensions=extensions,
                workspace=workspace,
                terms=Terms(
                    model=chosen.name,
                    extensions=remembered,
                    insist=options.anyway,
                    inboxes=None if options.no_session else sessions,
                ),
                at_terminal=at_terminal,
            ),
        )


def extensions_of(session: Session | None) -> tuple[str, ...]:
    """Return the files that the last run of `session` remembers."""
    runs = list(runs_of(session.entries()).values()) if session is not None else []
    last = runs[-1] if runs else None
    return last.extensions if last is not None else ()


if __name__ == "__main__":
    main()

"""The interactive entry: `python -m mini_agent`."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from .cli.session_options import (
    announce,
    new_session,
    old_session,
    recorded_folder,
    told_about,
)
from .console import ask, console
from .fake_model import create_fake_model
from .messages import Context
from .options import parse_options, users_folder, workspace_folder
from .prompt import at_prompt
from .render import warn
from .rules import RULES
from .sessions.conversation import Conversation
from .sessions.entries import SessionError
from .sessions.folder import sessions_folder
from .shell import COMMANDS, run_shell
from .system_prompt import SYSTEM_PROMPT
from .text import escape_controls
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace


def main() -> None:
    """Talk with an agent that remembers, or list what it remembers."""
    with console():
        options = parse_options()
        sessions = sessions_folder(os.environ, Path.home())
        try:
            if told := told_about(options, sessions):
                print(told)
                return
            talk(options, sessions)
        except SessionError as error:
            sys.exit(escape_controls(str(error)))


def talk(options: Namespace, sessions: Path) -> None:
    """Go on with an old session, in the folder where it worked, or begin a new one."""
    old = old_session(options, sessions, users_folder(options.workspace))
    print("Mini Agent Harness · step06 sessions")
    print("输入内容后回车；输入 /exit 退出。\n")

    with workspace_folder(options.workspace or recorded_folder(old)) as folder:
        workspace = Workspace(folder)
        if old is not None:
            announce(old, warn)
            warn(f"（工作区：{workspace.root}）")
        registry = Registry(create_builtin_tools(workspace))
        session = old or new_session(options, sessions, workspace.root)
        context = Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs)
        delay = 0.04 if sys.stdout.isatty() else 0.0  # nobody watches a pipe
        run_shell(
            at_prompt(ask, workspace.root, commands=COMMANDS, notify=warn),
            create_fake_model(RULES, delay=delay),
            conversation=Conversation(session, context, notify=warn),
            tools=registry.toolset,
        )


if __name__ == "__main__":
    main()

"""The entry: `python -m mini_agent` to talk, `python -m mini_agent run GOAL` and so on for runs."""

import os
import sys
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

from .cli.assembly import CliDeps, assemble, choose_model, policy_for, settings_checked
from .cli.commands import BUILTIN
from .cli.config import config_file, read_config, show_config, sources_with
from .cli.describe import program
from .cli.keyboard import ask_afresh
from .cli.output import output_of
from .cli.runs import perform, with_remembered
from .cli.session_options import (
    announce,
    new_session,
    old_session,
    recorded_folder,
    told_about,
)
from .console import ask, console
from .options import parse_options, users_folder, workspace_folder
from .prompt import at_prompt
from .providers.masking import hide_in_results
from .render import warn
from .runs.log import runs_of
from .runs.loop import RunConfig
from .runs.state import TRANSITIONS, AgentState
from .sessions.entries import SessionError
from .sessions.folder import sessions_folder
from .sessions.session import Session
from .shell import run_shell
from .text import escape_controls
from .tools.workspace import Workspace

NAME = "Mini Agent Harness · step10 approvals"


def main() -> None:
    """Talk with an agent that remembers, list what it remembers, or speak to one of its runs."""
    with console():
        options = parse_options(program=program(sys.argv[0]), version=NAME)
        sessions = sessions_folder(os.environ, Path.home())
        if options.command == "config":
            sys.exit(show_config(options, notify=warn))
        try:
            if told := told_about(options, sessions):
                print(told)
                return
            with settings_checked():
                config = read_config(config_file(os.environ, Path.home()))
                deps = CliDeps(
                    choose=partial(choose_model, options, config),
                    choose_named=partial(choose_model, options, config),
                    sources=partial(sources_with, config),
                    mode=config.mode,
                )
                if options.command is not None:
                    sys.exit(perform(options, sessions, deps))
                talk(options, sessions, deps)
        except SessionError as error:
            sys.exit(escape_controls(str(error)))


def talk(options: Namespace, sessions: Path, deps: CliDeps) -> None:
    """Go on with an old session, in the folder where it worked, or begin a new one."""
    asked = ask_afresh(ask, deps.notify) if deps.at_terminal else None
    deps = replace(deps, ask=asked, output=output_of(options))
    chosen = deps.choose()
    old = old_session(options, sessions, users_folder(options.workspace))
    print(NAME)
    print("输入内容后回车；输入 /exit 退出。")
    print(f"{chosen.why}\n")

    with workspace_folder(options.workspace or recorded_folder(old)) as folder:
        workspace = Workspace(folder)
        if old is not None:
            announce(old, warn)
            warn(f"（工作区：{workspace.root}）")
        parts = assemble(
            old or new_session(options, sessions, workspace.root),
            workspace,
            with_remembered(deps.sources(options), last_run(old)),
            config=RunConfig(
                model=chosen.name,
                force=options.force,
                policy=policy_for(options, last_run(old), deps),
            ),
            deps=deps,
        )
        run_shell(
            at_prompt(ask, workspace.root, commands=BUILTIN, notify=warn),
            chosen.stream,
            conversation=parts.conversation,
            tools=hide_in_results(parts.tools, chosen.mask),
            surroundings=parts.surroundings,
        )


def last_run(session: Session | None) -> AgentState | None:
    """Return the last run of `session`, if it can go on."""
    runs = list(runs_of(session.entries()).values()) if session is not None else []
    state = runs[-1] if runs else None
    return state if state is not None and TRANSITIONS[state.status] else None


if __name__ == "__main__":
    main()

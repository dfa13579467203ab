"""The interactive entry: `python -m mini_agent`."""

import sys

from .console import ask, console
from .fake_model import create_fake_model
from .messages import Context
from .options import parse_options, workspace_folder
from .prompt import at_prompt
from .render import warn
from .rules import RULES
from .shell import run_shell
from .system_prompt import SYSTEM_PROMPT
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace


def main() -> None:
    """Talk with an agent: the fake model, and tools that work in a folder."""
    with console():
        options = parse_options()
        print("Mini Agent Harness · step05 tools")
        print("输入内容后回车；输入 /exit 退出。\n")

        with workspace_folder(options.workspace) as folder:
            registry = Registry(create_builtin_tools(Workspace(folder)))
            delay = 0.04 if sys.stdout.isatty() else 0.0  # nobody watches a pipe
            run_shell(
                at_prompt(ask, folder, commands=["exit"], notify=warn),
                create_fake_model(RULES, delay=delay),
                context=Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs),
                tools=registry.toolset,
            )


if __name__ == "__main__":
    main()

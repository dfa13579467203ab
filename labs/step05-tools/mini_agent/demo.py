"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs."""

from pathlib import Path
from tempfile import TemporaryDirectory

from .console import console
from .fake_model import create_fake_model
from .messages import Context
from .rules import RULES
from .script import read_from
from .shell import run_shell
from .system_prompt import SYSTEM_PROMPT
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace

SCRIPT = (
    "记下三件事：买菜、写周报、还书",
    "看看待办",
    "把买菜改成买水果",
    "数一数还有几件",
    "看看上一级的 secret.txt",
    "只看前两件",
    "/exit",
)


def main() -> None:
    """Play the script in a folder of its own, and print the whole conversation."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step05 tools（demo）\n")

        registry = Registry(create_builtin_tools(Workspace(Path(folder))))
        run_shell(
            read_from(SCRIPT),
            create_fake_model(RULES),
            context=Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs),
            tools=registry.toolset,
            notify=print,
        )


if __name__ == "__main__":
    main()

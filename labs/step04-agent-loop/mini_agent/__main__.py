"""The interactive entry: `python -m mini_agent`."""

import sys

from .console import ask, console
from .fake_model import create_fake_model
from .rules import RULES
from .shell import run_shell
from .toy_tools import create_toy_tools


def main() -> None:
    """Talk with an agent: the fake model and three toy tools."""
    with console():
        print("Mini Agent Harness · step04 agent-loop")
        print("输入内容后回车；输入 /exit 退出。\n")

        delay = 0.04 if sys.stdout.isatty() else 0.0  # nobody watches a pipe
        model = create_fake_model(RULES, delay=delay)
        run_shell(ask, model, tools=create_toy_tools())


if __name__ == "__main__":
    main()

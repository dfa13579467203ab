"""The interactive entry: `python -m mini_agent`."""

import sys

from .console import ask, console
from .fake_model import create_fake_model
from .rules import RULES
from .shell import run_shell


def main() -> None:
    """Talk with the fake model."""
    with console():
        print("Mini Agent Harness · step03 streaming")
        print("输入内容后回车；输入 /exit 退出。\n")

        delay = 0.04 if sys.stdout.isatty() else 0.0  # nobody watches a pipe
        run_shell(ask, create_fake_model(RULES, delay=delay))


if __name__ == "__main__":
    main()

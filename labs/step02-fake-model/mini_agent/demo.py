"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs."""

from .console import console
from .fake_model import create_fake_model
from .rules import RULES
from .script import read_from
from .shell import run_shell

SCRIPT = ("你好", "什么是 Agent Harness", "随便说点什么", "/exit")


def main() -> None:
    """Play the script and print the whole conversation."""
    with console():
        print("Mini Agent Harness · step02 fake-model（demo）\n")

        run_shell(read_from(SCRIPT), create_fake_model(RULES))


if __name__ == "__main__":
    main()

"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs."""

from .console import console
from .fake_model import create_fake_model
from .rules import RULES
from .script import read_from
from .shell import run_shell
from .toy_tools import create_toy_tools

SCRIPT = (
    "北京天气怎么样",
    "比一比北京和上海",
    "把早上好翻译成英文",
    "一直盯着广州的天气",
    "你好",
    "/exit",
)


def main() -> None:
    """Play the script and print the whole conversation."""
    with console():
        print("Mini Agent Harness · step04 agent-loop（demo）\n")

        run_shell(
            read_from(SCRIPT),
            create_fake_model(RULES),
            tools=create_toy_tools(),
            notify=print,
        )


if __name__ == "__main__":
    main()

"""The interactive entry: `python -m mini_agent`.

Not here: a memory. Each line is answered and forgotten.
"""

from .console import ask, console
from .respond import respond


def main() -> None:
    """Answer line after line until `/exit` or the end of input."""
    with console():
        print("Mini Agent Harness · step01 hello-cli")
        print("输入内容后回车；输入 /exit 退出。\n")

        while (line := ask("你> ")) is not None and line.strip() != "/exit":
            print(f"助手> {respond(line)}\n")

        print("再见。")


if __name__ == "__main__":
    main()

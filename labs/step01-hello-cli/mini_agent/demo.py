"""The scripted entry: `python -m mini_agent.demo`.

It shares `respond` with the interactive entry, and writes its own loop: in this
step there is too little to share. From step 02 on only the source of the lines differs.
"""

from .console import console
from .respond import respond

SCRIPT = ("你好", "什么是 Agent Harness", "/exit")


def main() -> None:
    """Play the script and print the whole conversation."""
    with console():
        print("Mini Agent Harness · step01 hello-cli（demo）\n")

        for line in SCRIPT:
            print(f"你> {line}")
            if line == "/exit":
                break
            print(f"助手> {respond(line)}\n")

        print("再见。")


if __name__ == "__main__":
    main()

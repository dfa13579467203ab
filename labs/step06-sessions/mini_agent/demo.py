"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from .cli.session_options import announce
from .console import console
from .fake_model import create_fake_model
from .messages import Context
from .rules import RULES
from .script import read_from
from .sessions.conversation import Conversation
from .sessions.file import FileStore, read_lines
from .sessions.session import Session
from .shell import run_shell
from .system_prompt import SYSTEM_PROMPT
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace

FIRST = ("记下三件事：买菜、写周报、还书", "看看待办", "/exit")
BACK = ("/branch", "/branch 1", "把买菜改成买水果", "/branch", "/exit")
TORN = ("看看待办", "/exit")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def main() -> None:
    """Play three visits to one session, and print all of them."""
    numbers = count(1)

    def next_id() -> str:
        return f"e{next(numbers)}"

    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step06 sessions（demo）\n")
        file = Path(folder) / "sessions" / "s1.jsonl"
        workspace = Workspace(Path(folder))

        session = Session.start(FileStore(file), "s1", new_id=next_id, now=lambda: NOON)
        visit(session, FIRST, workspace)

        print("\n—— 第二次运行：接着同一个会话 ——\n")
        session = Session.open(FileStore(file), new_id=next_id)
        announce(session, print)
        visit(session, BACK, workspace)

        print("\n—— 第三次运行：上一次死在了写盘的时候 ——\n")
        tear(file)
        session = Session.open(FileStore(file), new_id=next_id)
        announce(session, print)
        visit(session, TORN, workspace)


def visit(session: Session, script: Iterable[str], workspace: Workspace) -> None:
    """Hold one conversation, from its first line to the farewell."""
    registry = Registry(create_builtin_tools(workspace))
    context = Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs)
    run_shell(
        read_from(script),
        create_fake_model(RULES),
        conversation=Conversation(session, context, notify=print),
        tools=registry.toolset,
        notify=print,
    )


def tear(file: Path) -> None:
    """Leave the file as a process does that dies while it stores a tool's result."""
    *before, result, _ = read_lines(file)
    file.write_bytes(b"".join(before) + result[: len(result) // 2])


if __name__ == "__main__":
    main()

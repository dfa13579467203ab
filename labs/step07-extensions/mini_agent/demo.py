"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs."""

from pathlib import Path
from tempfile import TemporaryDirectory

from .agent_events import MessageEnd
from .cli.commands import BUILTIN
from .console import console
from .extensions.api import Api, ExtensionContext
from .extensions.loader import load_extension
from .extensions.registry import Extensions
from .fake_model import create_fake_model
from .messages import Context
from .rules import RULES
from .script import read_from
from .sessions.conversation import Conversation
from .sessions.session import Session
from .sessions.store import MemoryStore
from .shell import run_shell
from .system_prompt import SYSTEM_PROMPT
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace

EXAMPLES = Path(__file__).parent / "examples"

SCRIPT = (
    "/help",
    "记下三件事：买菜、写周报、还书",
    "y",  # to the question of the permission gate
    "删掉待办",
    "/notes 周五之前还书",
    "看看笔记",
    "/exit",
)


def main() -> None:
    """Play the script in a folder of its own, with three extensions, one of which is broken."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step07 extensions（demo）\n")

        ask = read_from(SCRIPT)
        builtin = create_builtin_tools(Workspace(Path(folder)))
        extensions = Extensions(
            ExtensionContext(notify=print, ask=ask), tools=builtin, commands=BUILTIN
        )
        extensions.add("clumsy", clumsy)
        for name in ("permission_gate", "notes"):
            load_extension(extensions, EXAMPLES / f"{name}.py")
        registry = Registry(extensions.tools.values())
        context = Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs)
        forgotten = Session.start(MemoryStore(), "memory")
        run_shell(
            ask,
            create_fake_model(RULES),
            conversation=Conversation(forgotten, context, notify=print),
            tools=registry.toolset,
            extensions=extensions,
            notify=print,
        )


def clumsy(api: Api) -> None:
    """Be an extension that fails whenever it is told of a message."""

    async def count(event: MessageEnd) -> None:
        raise ValueError("我数到一就数不下去了")

    api.on(MessageEnd, count)


if __name__ == "__main__":
    main()

"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from .console import console
from .messages import Context
from .providers.create import create_model
from .recorded_wire import recorded_wire
from .script import read_from
from .sessions.conversation import Conversation
from .sessions.session import Session
from .sessions.store import MemoryStore
from .shell import run_shell
from .system_prompt import SYSTEM_PROMPT
from .tools.builtin import create_builtin_tools
from .tools.registry import Registry
from .tools.workspace import Workspace

ASKED = "看看待办"


def main() -> None:
    """Hold the same conversation three times: with the fake model, and over two wires."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step08 real-provider（demo）\n")

        talk({}, Path(folder), ("记下三件事：买菜、写周报、还书", ASKED, "/exit"))
        with recorded_wire(["anthropic-call.sse", "anthropic-answer.sse"]) as address:
            talk(
                {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": address},
                Path(folder),
                (ASKED, "/exit"),
            )
        with recorded_wire(["openai-call.sse", "openai-answer.sse"]) as address:
            talk({"OPENAI_BASE_URL": address}, Path(folder), (ASKED, "/exit"))


def talk(environment: dict[str, str], folder: Path, script: Iterable[str]) -> None:
    """Hold the conversation `script` with the model that `environment` chooses."""
    choice, model = create_model(environment)
    print(f"{choice}\n")
    registry = Registry(create_builtin_tools(Workspace(folder)))
    context = Context(system_prompt=SYSTEM_PROMPT, tools=registry.specs)
    forgotten = Session.start(MemoryStore(), "memory")
    run_shell(
        read_from(script),
        model,
        conversation=Conversation(forgotten, context, notify=print),
        tools=registry.toolset,
        notify=print,
    )


if __name__ == "__main__":
    main()

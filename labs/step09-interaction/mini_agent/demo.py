"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs.

Each part opens the session from its file and closes it again, as a process of its own would.
"""

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from .assembly import ChosenModel, CommandSurroundings, context_for, create_extensions
from .clock_and_ids import NewId, Now
from .console import console
from .conversation import Conversation
from .extension_loader import Sources
from .fake_model import create_fake_model
from .options import parse_options
from .rules import RULES
from .run_commands import perform
from .run_files import look_up
from .run_terms import Terms
from .script import read_from
from .session import Session
from .session_file import FileStore
from .shell import Surroundings, run_shell
from .tools.registry import Registry
from .tools.workspace import Workspace

GATE = Path(__file__).parent / "examples" / "permission_gate.py"

RUN = "demo-1"


def main() -> None:
    """Play a run that is asked about, answered, approved, steered, and at last cancelled."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step09 interaction（demo）\n")
        Demo(Path(folder)).play()


class Demo:
    """A folder with a workspace and sessions, and a clock and ids that are always the same."""

    def __init__(self, folder: Path) -> None:
        self._sessions = folder / "sessions"
        workspace = folder / "workspace"
        workspace.mkdir()
        self._workspace = Workspace(workspace)
        self._sources = Sources(
            user_folder=folder / "none", project_folder=folder / "none", chosen=(GATE,)
        )
        self._now = ticking()
        self._ids = numbered()

    def play(self) -> None:
        """Play it."""
        self._shell("给待办加上负责人", "/exit")
        question = self._waiting()
        self._command("answer", RUN, question, "王芳")
        self._command("answer", RUN, question, "李雷")
        self._command("steer", RUN, "--constraint", "不要改 todo.txt")
        self._command("approve", RUN, self._waiting())
        self._shell("/goal 给待办排序", "/cancel 先不做了", "/exit")
        self._command("answer", RUN, question, "王芳")

    def _waiting(self) -> str:
        """Return the id of the request that the run waits for, as the screen shows it."""
        pending = look_up(self._sessions, RUN).pending_user_input
        return pending.id if pending is not None else ""

    def _shell(self, *lines: str) -> None:
        """Talk, in a process of its own."""
        store = FileStore(self._sessions / "demo.jsonl")
        if store.read():
            session = Session.open(store, new_id=self._ids, now=self._now)
        else:
            session = Session.start(store, "demo", new_id=self._ids, now=self._now)
        extensions = create_extensions(self._workspace, self._sources, notify=print)
        registry = Registry(extensions.tools.values())
        run_shell(
            read_from(lines),
            create_fake_model(RULES),
            conversation=Conversation(session, context_for(registry), notify=print),
            tools=registry.toolset,
            surroundings=Surroundings(
                extensions=extensions,
                workspace=self._workspace,
                terms=Terms(
                    extensions=(str(GATE),), inboxes=self._sessions, now=self._now, new_id=self._ids
                ),
            ),
            notify=print,
        )
        print()

    def _command(self, *words: str) -> None:
        """Speak to the run from outside, in a process of its own."""
        print("$ python -m mini_agent", shlex.join(words))
        around = CommandSurroundings(
            choose=lambda: ChosenModel(name="fake", why="", stream=create_fake_model(RULES)),
            sources=lambda options: self._sources,
            now=self._now,
            new_id=self._ids,
            notify=print,
        )
        code = perform(parse_options(words), self._sessions, around)
        print(f"（退出码 {code.value}）\n")


def ticking() -> Now:
    """Return a clock that goes on by a second whenever somebody looks at it."""
    start = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
    seconds = count()
    return lambda: start + timedelta(seconds=next(seconds))


def numbered() -> NewId:
    """Return a maker of ids that counts."""
    numbers: Iterator[int] = count(1)
    return lambda: f"{next(numbers):04}"


if __name__ == "__main__":
    main()

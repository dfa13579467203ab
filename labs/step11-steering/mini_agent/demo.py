"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs.

Each part opens the session from its file and closes it again, as a process of its own would.
"""

import shlex
from argparse import Namespace
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from .cli.assembly import ChosenModel, CliDeps, assemble
from .cli.describe import PROGRAM
from .cli.lookup import file_of, look_up
from .cli.runs import perform
from .console import console
from .extensions.loader import Sources
from .fake_model import create_fake_model
from .messages import Context
from .options import parse_options
from .rules import RULES
from .runs.loop import RunConfig
from .script import read_from
from .sessions.file import FileStore
from .sessions.session import Session
from .shell import run_shell
from .stream import StreamEvent, StreamFn, StreamOptions
from .tools.workspace import Workspace

FAKE = "模型：按剧本回答的假模型"


def main() -> None:
    """Play runs that are steered: while they wait, for good, and while another process works."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step11 steering（demo）\n")
        Demo(Path(folder)).play()


class Demo:
    """A folder with a workspace and sessions, and a clock and ids that are always the same."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sessions = folder / "sessions"
        (folder / "workspace").mkdir()
        self._workspace = Workspace(folder / "workspace")
        self._seconds: Iterator[int] = count()
        self._numbers: Iterator[int] = count(1)
        self._meanwhile: list[str] = []

    def play(self) -> None:
        """Play it."""
        # While it waits: a constraint stands beside the question and its answer.
        self._command("run", "给待办加上负责人")
        run = self._last_run
        self._command("steer", run, "--constraint", "不要改 todo.txt")
        self._command("answer", run, self._waits_for(run), "李雷")
        # Another goal: the question is withdrawn, no step of the old plan counts, and a run
        # whose plan is open is not completed, whatever the model says.
        self._shell(run, "/goal 给待办排序", "1", "/cancel 先不做了", "/exit")
        self._command("answer", run, "ask-none", "王芳")
        # While another process works at it: by the inbox.
        todo = self._workspace.root / "todo.txt"
        todo.write_text("买菜\n写周报\n还书\n", encoding="utf-8")
        self._meanwhile = ["steer", "--constraint", "只看，不改"]
        self._command("run", "几件待办")

    @property
    def _last_run(self) -> str:
        newest = max(self._sessions.glob("0*.jsonl"))
        return f"{newest.stem}-1"

    def _model(self) -> StreamFn:
        """Return the model; while it is called the first time, another process says something."""
        fake = create_fake_model(RULES)

        def stream(
            context: Context, /, *, options: StreamOptions | None = None
        ) -> AsyncGenerator[StreamEvent, None]:
            if self._meanwhile:
                verb, *words = self._meanwhile
                self._meanwhile = []
                self._command(verb, self._last_run, *words)
            return fake(context, options=options)

        return stream

    def _waits_for(self, run_id: str) -> str:
        """Return the id of the request that a run waits for, as the screen shows it."""
        pending = look_up(self._sessions, run_id).pending_user_input
        return pending.id if pending is not None else ""

    def _deps(self) -> CliDeps:
        nowhere = self._folder / "none"
        return CliDeps(
            choose=lambda: ChosenModel(name="fake", why=FAKE, stream=self._model()),
            sources=lambda options: Sources(user_folder=nowhere, project_folder=nowhere),
            clock=self._clock,
            new_id=lambda: f"{next(self._numbers):04}",
            notify=print,
            at_terminal=False,
            rules=self._folder / "permissions.json",
            program=PROGRAM,
        )

    def _clock(self) -> datetime:
        """Return a time that goes on by a second whenever somebody asks for it."""
        start = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
        return start + timedelta(seconds=next(self._seconds))

    def _shell(self, run: str, *lines: str) -> None:
        """Talk in the session of a run, in a process of its own."""
        deps = self._deps()
        session = Session.open(
            FileStore(file_of(self._sessions, run)), new_id=deps.new_id, now=deps.clock
        )
        ask = read_from(lines)
        parts = assemble(
            session,
            self._workspace,
            deps.sources(Namespace()),
            config=RunConfig(inboxes=self._sessions, clock=deps.clock, new_id=deps.new_id),
            deps=replace(deps, ask=ask),
        )
        run_shell(
            ask,
            self._model(),
            conversation=parts.conversation,
            tools=parts.tools,
            surroundings=parts.surroundings,
            notify=print,
        )
        print()

    def _command(self, *words: str) -> None:
        """Speak to a run from outside, in a process of its own."""
        print("$", PROGRAM, shlex.join(words))
        options = parse_options(["--workspace", str(self._workspace.root), *words])
        code = perform(options, self._sessions, self._deps())
        print(f"（退出码 {code.value}）\n")


if __name__ == "__main__":
    main()

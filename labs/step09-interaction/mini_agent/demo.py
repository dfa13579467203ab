"""The scripted entry: `python -m mini_agent.demo`. Only the source of the lines differs.

Each part opens the session from its file and closes it again, as a process of its own would.
"""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from .cli.assembly import ChosenModel, CliDeps, assemble
from .cli.describe import PROGRAM
from .cli.lookup import look_up
from .cli.runs import perform
from .console import console
from .extensions.loader import Sources
from .fake_model import create_fake_model
from .options import parse_options
from .rules import RULES
from .runs.loop import RunConfig
from .script import read_from
from .sessions.file import FileStore
from .sessions.session import Session
from .shell import run_shell
from .tools.workspace import Workspace

FAKE = "模型：按剧本回答的假模型"


def main() -> None:
    """Play a run that asks and is answered, one that nobody answers, and one that is cancelled."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step09 interaction（demo）\n")
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
        self._late = timedelta()

    def play(self) -> None:
        """Play it."""
        self._shell("给待办加上负责人", "/exit")
        run, question = "demo-1", self._waits_for("demo-1")
        self._command("answer", run, question, "李雷")
        self._command("answer", run, question, "王芳")  # too late: it is answered
        self._shell("2", "给待办加上负责人", "/exit")  # what can be looked up is not asked

        late = self._run("--answer-within", "3600")
        self._late = timedelta(hours=2)
        self._command("answer", late, self._waits_for(late), "王芳")
        self._command("resume", late)

        unwanted = self._run()
        self._command("cancel", unwanted, "--reason", "先不做了")
        self._command("resume", unwanted)
        self._command("runs")

    def _run(self, *options: str) -> str:
        """Begin a run in a folder where nothing is known yet, and return its id."""
        folder = self._folder / f"workspace-{next(self._numbers)}"
        folder.mkdir()
        self._workspace = Workspace(folder)
        self._command("run", "给待办加上负责人", *options)
        newest = max(self._sessions.glob("0*.jsonl"))
        return f"{newest.stem}-1"

    def _waits_for(self, run_id: str) -> str:
        """Return the id of the request that a run waits for, as the screen shows it."""
        pending = look_up(self._sessions, run_id).pending_user_input
        return pending.id if pending is not None else ""

    def _deps(self) -> CliDeps:
        nowhere = self._folder / "none"
        return CliDeps(
            choose=lambda: ChosenModel(name="fake", why=FAKE, stream=create_fake_model(RULES)),
            sources=lambda options: Sources(user_folder=nowhere, project_folder=nowhere),
            clock=self._clock,
            new_id=lambda: f"{next(self._numbers):04}",
            notify=print,
            at_terminal=False,
            program=PROGRAM,
        )

    def _clock(self) -> datetime:
        """Return a time that goes on by a second whenever somebody asks for it."""
        start = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
        return start + self._late + timedelta(seconds=next(self._seconds))

    def _shell(self, *lines: str) -> None:
        """Talk, in a process of its own."""
        store, deps = FileStore(self._sessions / "demo.jsonl"), self._deps()
        if store.read():
            session = Session.open(store, new_id=deps.new_id, now=deps.clock)
        else:
            session = Session.start(store, "demo", new_id=deps.new_id, now=deps.clock)
        parts = assemble(
            session,
            self._workspace,
            Sources(user_folder=self._folder / "none", project_folder=self._folder / "none"),
            config=RunConfig(clock=deps.clock, new_id=deps.new_id),
            deps=replace(deps, ask=read_from(())),
        )
        run_shell(
            read_from(lines),
            create_fake_model(RULES),
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

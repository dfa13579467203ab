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
from .runs.policy import Policy
from .script import read_from
from .sessions.file import FileStore
from .sessions.session import Session
from .shell import run_shell
from .tools.workspace import Workspace

FAKE = "模型：按剧本回答的假模型"


def main() -> None:
    """Play calls that are approved: in the turn, from another process, and too late."""
    with console(), TemporaryDirectory(prefix="mini-agent-") as folder:
        print("Mini Agent Harness · step10 approvals（demo）\n")
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

    def play(self) -> None:
        """Play it."""
        # In a conversation the turn waits: for good; not asked again; no.
        self._shell(
            *("记下三件事：买菜、写周报、还书", "a", "再记下一遍"),
            *("把买菜改成买水果", "n 先留着买菜", "/exit"),
        )
        # Elsewhere the run waits, with one request for the whole turn.
        run = self._run("整理待办")
        request = self._waits_for(run)
        self._command("approve", run, request)
        self._command("approve", run, request)  # an approval is for one time
        # What was approved is not what is there now.
        run = self._run("再整理待办")
        request = self._waits_for(run)
        (self._workspace.root / "done.txt").write_text("已办：买菜\n", encoding="utf-8")
        self._command("approve", run, request)
        # And what is never asked.
        self._command("--read-only", "run", "几件待办")

    def _run(self, goal: str) -> str:
        """Begin a run that asks before it changes something, and return its id."""
        self._command("--ask", "run", goal)
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
            rules=self._folder / "permissions.json",
            program=PROGRAM,
        )

    def _clock(self) -> datetime:
        """Return a time that goes on by a second whenever somebody asks for it."""
        start = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
        return start + timedelta(seconds=next(self._seconds))

    def _shell(self, *lines: str) -> None:
        """Talk, in a process of its own."""
        store, deps = FileStore(self._sessions / "demo.jsonl"), self._deps()
        if store.read():
            session = Session.open(store, new_id=deps.new_id, now=deps.clock)
        else:
            session = Session.start(store, "demo", new_id=deps.new_id, now=deps.clock)
        ask = read_from(lines)
        parts = assemble(
            session,
            self._workspace,
            Sources(user_folder=self._folder / "none", project_folder=self._folder / "none"),
            config=RunConfig(
                clock=deps.clock,
                new_id=deps.new_id,
                policy=Policy(mode="ask", file=deps.rules),
            ),
            deps=replace(deps, ask=ask),
        )
        run_shell(
            ask,
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

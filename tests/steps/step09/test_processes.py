"""Real processes: two at once, one that is killed, one with nobody at the keyboard."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import mini_agent
import pexpect
import pytest
from mini_agent.assembly import ChosenModel, CommandSurroundings
from mini_agent.exit_codes import Exit
from mini_agent.extension_loader import Sources
from mini_agent.fake_model import create_fake_model
from mini_agent.options import parse_options
from mini_agent.rules import RULES
from mini_agent.run_commands import perform
from mini_agent.run_files import look_up
from mini_agent.run_state import AgentState

GOAL = "给待办加上负责人"
GATE = Path(mini_agent.__file__).parent / "examples" / "permission_gate.py"


class Place:
    """A folder to work in, one for the sessions, and the commands of this process."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        self.sessions = folder / "state" / "mini-agent" / "sessions"
        self.env = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(mini_agent.__file__).parents[1]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
            "PYTHONUNBUFFERED": "1",
        }

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "mini_agent", *words],
            cwd=self.work,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def here(self, *words: str) -> Exit:
        """Carry out a command in this process, as a second one would."""
        around = CommandSurroundings(
            choose=lambda: ChosenModel(name="fake", why="", stream=create_fake_model(RULES)),
            sources=lambda options: Sources(
                user_folder=self.work / "none",
                project_folder=self.work / "none",
                chosen=tuple(options.extension),
            ),
        )
        return perform(parse_options(words), self.sessions, around)

    def run(self) -> AgentState:
        (file,) = self.sessions.glob("*.jsonl")
        return look_up(self.sessions, f"{file.stem}-1")

    def bytes(self) -> bytes:
        (file,) = self.sessions.glob("*.jsonl")
        return file.read_bytes()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def waiting(place: Place, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Let a run wait for the user; return its id and the request's."""
    monkeypatch.chdir(place.work)
    assert place.here("run", GOAL) == Exit.WAITING
    pending = place.run().pending_user_input
    assert pending is not None
    return place.run().run_id, pending.id


def until(stream: IO[bytes] | None, text: str) -> str:
    assert stream is not None
    seen = ""
    while text not in seen:
        line = stream.readline()
        assert line, seen
        seen += line.decode()
    return seen


@pytest.fixture
def at_work(place: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that is in the middle of a long command."""
    monkeypatch.chdir(place.work)
    child = place.start("run", "等十秒")
    until(child.stdout, "进度>")
    yield child
    child.kill()
    child.communicate()


def test_nobody_there_and_the_process_says_how_to_answer(place: Place) -> None:
    child = place.start("run", GOAL)
    out, err = child.communicate(timeout=30)
    text = out.decode()
    assert (child.returncode, err) == (Exit.WAITING, b"")
    run_id, request_id = re.findall(r"^(?:runId|requestId): (\S+)$", text, re.MULTILINE)
    assert f'python -m mini_agent answer {run_id} {request_id} "' in text
    state = place.run()
    assert (state.run_id, state.status) == (run_id, "waiting")
    assert state.pending_user_input is not None
    assert state.pending_user_input.id == request_id


def test_of_two_answers_at_once_exactly_one_is_taken(
    place: Place, waiting: tuple[str, str]
) -> None:
    children = [place.start("answer", *waiting, name) for name in ("王芳", "李雷")]
    for child in children:
        child.communicate(timeout=30)
    codes = sorted(child.returncode for child in children)
    assert codes in ([Exit.WAITING, Exit.REFUSED], [Exit.WAITING, Exit.BUSY])
    assert len(place.run().context_sources) == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("answer", "{run}", "ask-none", "王芳"), "unexpected_user_input"),
        (("answer", "{run}", "{request}", "  "), "empty_user_input"),
        (("answer", "{run}9", "{request}", "王芳"), "unknown_run"),
        (("answer", "../x-1", "{request}", "王芳"), "unknown_run"),
        (("approve", "{run}", "ask-none"), "unexpected_user_input"),
        (("resume", "{run}"), "user_input_already_pending"),
        (("steer", "{run}", "--goal", ""), "empty_user_input"),
    ],
)
def test_what_is_refused_writes_nothing(
    place: Place,
    waiting: tuple[str, str],
    words: tuple[str, ...],
    code: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = place.bytes()
    run_id, request_id = waiting
    filled = [word.format(run=run_id, request=request_id) for word in words]
    assert place.here(*filled) == Exit.REFUSED
    assert capsys.readouterr().err.startswith(code)
    assert place.bytes() == before
    assert not list(place.sessions.glob("*.inbox"))


def test_no_option_answers_for_the_user(place: Place, waiting: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as left:
        place.here("--yes", "resume", waiting[0])
    assert left.value.code == Exit.USAGE
    assert place.run().status == "waiting"


def test_a_cancel_from_a_second_terminal_ends_the_command(
    place: Place, at_work: subprocess.Popen[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    run_id = place.run().run_id
    assert place.here("answer", run_id, "ask-1", "王芳") == Exit.BUSY
    assert capsys.readouterr().err.startswith("run_busy")
    assert place.here("steer", run_id, "--cancel", "算了") == Exit.DONE
    at_work.communicate(timeout=5)
    state = place.run()
    assert (at_work.returncode, state.status, state.stop_reason) == (
        Exit.CANCELLED,
        "cancelled",
        "算了",
    )
    assert place.here("answer", run_id, "ask-1", "王芳") == Exit.REFUSED


def test_a_killed_process_leaves_a_run_that_can_be_resumed(
    place: Place, at_work: subprocess.Popen[bytes]
) -> None:
    at_work.kill()
    at_work.wait()
    dead = place.run()
    assert (dead.status, [effect.outcome for effect in dead.effects]) == ("running", ["unknown"])
    assert place.here("resume", dead.run_id) == Exit.DONE
    state = place.run()
    assert (state.run_id, state.status) == (dead.run_id, "completed")
    assert state.effects == dead.effects


def test_a_run_keeps_its_gate(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.work)
    assert place.here("--extension", str(GATE), "run", "记下三件事") == Exit.WAITING
    state = place.run()
    assert state.pending_user_input is not None
    assert place.here("approve", state.run_id, state.pending_user_input.id) == Exit.WAITING
    assert not list(place.work.iterdir())  # another call than the one that was approved


def test_a_lost_gate_stops_the_run(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.work)
    gate = place.work.parent / "gate.py"
    gate.write_bytes(GATE.read_bytes())
    place.here("--extension", str(gate), "run", "记下三件事")
    state = place.run()
    assert state.pending_user_input is not None
    gate.unlink()
    before = place.bytes()
    assert place.here("approve", state.run_id, state.pending_user_input.id) == Exit.REFUSED
    assert place.bytes() == before


def test_ctrl_c_at_the_prompt_leaves_the_run_waiting(place: Place) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "mini_agent"],
        cwd=place.work,
        env=place.env,
        encoding="utf-8",
        timeout=20,
    )
    child.expect("你> ")
    child.sendline(GOAL)
    child.expect("requestId: ")
    child.expect("你> ")
    child.sendintr()
    child.expect("再见")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert place.run().status == "waiting"

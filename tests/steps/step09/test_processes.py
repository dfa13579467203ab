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
from mini_agent.cli.assembly import ChosenModel, CliDeps
from mini_agent.cli.describe import Exit
from mini_agent.cli.lookup import look_up
from mini_agent.cli.runs import perform
from mini_agent.extensions.loader import Sources
from mini_agent.fake_model import create_fake_model
from mini_agent.options import parse_options
from mini_agent.rules import RULES
from mini_agent.runs.state import AgentState

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

    def done(self, *words: str) -> tuple[int, str, str]:
        """Return how a process of its own has ended, and what it said."""
        child = self.start(*words)
        out, err = child.communicate(timeout=30)
        return child.returncode, out.decode(), err.decode()

    def here(self, *words: str) -> Exit:
        """Carry out a command in this process, as a second one would."""
        deps = CliDeps(
            choose=lambda: ChosenModel(name="fake", why="", stream=create_fake_model(RULES)),
            sources=lambda options: Sources(
                user_folder=self.work / "none",
                project_folder=self.work / "none",
                chosen=tuple(options.extension),
            ),
        )
        return perform(parse_options(words), self.sessions, deps)

    def run(self) -> AgentState:
        return self.run_state(1)

    def run_state(self, number: int) -> AgentState:
        (file,) = self.sessions.glob("*.jsonl")
        return look_up(self.sessions, f"{file.stem}-{number}")

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
    assert child.returncode == Exit.WAITING
    assert "假模型" in err.decode()  # who answers is said, and not among the answers
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
    assert len(place.run().decisions) == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("answer", "{run}", "ask-none", "王芳"), "unexpected_user_input"),
        (("answer", "{run}", "{request}", "  "), "empty_user_input"),
        (("answer", "{run}9", "{request}", "王芳"), "unknown_run"),
        (("answer", "../x-1", "{request}", "王芳"), "unknown_run"),
        (("resume", "{run}"), "user_input_already_pending"),
        (("resume", "{run}", "--budget", "x"), "unexpected_user_input"),
        (("cancel", "{run}", "--reason", "  "), "empty_user_input"),
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


def test_no_option_answers_for_the_user(place: Place, waiting: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as left:
        place.here("--yes", "resume", waiting[0])
    assert left.value.code == Exit.USAGE
    assert place.run().status == "waiting"


def test_a_run_that_is_held_elsewhere_is_busy(
    place: Place, at_work: subprocess.Popen[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    run_id = place.run().run_id
    for words in (("answer", run_id, "ask-1", "王芳"), ("cancel", run_id)):
        assert place.here(*words) == Exit.BUSY
        assert capsys.readouterr().err.startswith("run_busy")
    assert place.run().status == "running"
    assert place.here("status", run_id) == Exit.DONE
    assert "没有进程" not in capsys.readouterr().out


def test_a_killed_process_leaves_a_run_that_can_be_resumed(
    place: Place, at_work: subprocess.Popen[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    at_work.kill()
    at_work.wait()
    dead = place.run()
    assert dead.status == "running"
    assert place.here("status", dead.run_id) == Exit.DONE
    assert "没有进程在做它" in capsys.readouterr().out
    assert place.here("resume", dead.run_id) == Exit.DONE
    state = place.run()
    assert (state.run_id, state.status) == (dead.run_id, "completed")


def test_a_cancel_ends_a_run_that_nobody_holds(place: Place, waiting: tuple[str, str]) -> None:
    assert place.here("cancel", waiting[0], "--reason", "算了") == Exit.DONE
    assert (place.run().status, place.run().stop_reason) == ("cancelled", "算了")
    assert place.here("answer", *waiting, "王芳") == Exit.REFUSED


def test_the_fake_model_answers_for_no_other(place: Place) -> None:
    """A model that is named and cannot be used is a wrong setting."""
    place.env["MINI_AGENT_MODEL"] = "anthropic/some"
    child = place.start("run", GOAL)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (Exit.USAGE, b"")
    assert "ANTHROPIC_API_KEY" in err.decode()


def test_a_command_takes_no_model_from_the_folder(place: Place) -> None:
    """The line that says who answers names the way to trust the project; with it, `.env` counts."""
    (place.work / ".env").write_text("MINI_AGENT_MODEL=anthropic/some\n")
    code, _, err = place.done("run", GOAL)
    assert code == Exit.WAITING
    assert "--trust-project" in err
    assert "假模型" in err
    assert place.done("--trust-project", "run", GOAL)[0] == Exit.USAGE


def test_a_gate_of_the_user_folder_is_kept(place: Place) -> None:
    """It is not named on the command line, and is kept all the same, by place and content."""
    config = place.work.parent / "config"
    folder = config / "mini-agent" / "extensions"
    folder.mkdir(parents=True)
    gate = folder / "permission_gate.py"
    gate.write_bytes(GATE.read_bytes())
    place.env["XDG_CONFIG_HOME"] = str(config)
    assert place.done("run", GOAL)[0] == Exit.WAITING
    state = place.run()
    assert [Path(file.path).name for file in state.extensions] == ["permission_gate.py"]
    assert state.pending_user_input is not None
    answer = ("answer", state.run_id, state.pending_user_input.id, "王芳")

    place.env["XDG_CONFIG_HOME"] = str(place.work / "elsewhere")  # as cron would have it
    before = place.bytes()
    whole = gate.read_bytes()
    for content in (None, whole + b"\n# changed\n", b"def setup(api:\n"):
        gate.unlink() if content is None else gate.write_bytes(content)
        assert place.done(*answer)[0] == Exit.REFUSED
        assert place.bytes() == before
    gate.write_bytes(whole)
    assert "没有人可以问" in place.done(*answer)[1]  # the gate is there, and says no
    assert not list(place.work.glob("owner.txt"))


def test_a_list_of_runs_says_what_it_cannot_read(
    place: Place, waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = place.sessions.glob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if b"model_called" in line)
    (place.sessions / "bad.jsonl").write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
    (place.sessions / "none.jsonl").write_bytes(b"no session\n")
    assert place.here("runs") == Exit.DONE
    out = capsys.readouterr().out
    assert f"{waiting[0]}  等待用户  {GOAL}" in out
    assert "记录损坏" in out
    if os.geteuid() != 0:
        place.sessions.chmod(0)
        assert place.here("runs") == Exit.FAILED
        assert place.here("status", waiting[0]) == Exit.FAILED
        place.sessions.chmod(0o700)
        assert capsys.readouterr().err.count("读不了") == 2


@pytest.mark.parametrize("seconds", ["0", "-1", "9" * 22, "x"])
def test_a_time_that_is_none_is_a_wrong_command(place: Place, seconds: str) -> None:
    with pytest.raises(SystemExit) as left:
        place.here("run", GOAL, "--answer-within", seconds)
    assert left.value.code == Exit.USAGE


def spawn(place: Place) -> "pexpect.spawn[str]":
    return pexpect.spawn(
        sys.executable,
        ["-m", "mini_agent"],
        cwd=place.work,
        env=place.env,
        encoding="utf-8",
        timeout=20,
    )


def test_what_is_typed_ahead_answers_no_question(place: Place) -> None:
    child = spawn(place)
    child.expect("你> ")
    child.send(f"{GOAL}\r")
    child.expect("工具> grep")  # the question is still to come
    child.send("y\rhalf a line")
    child.expect("requestId: ")
    child.expect("没有当作回答：y")
    child.expect("你> ")
    assert place.run().status == "waiting"
    child.send("李雷\r")
    child.expect("requestId: ")
    child.close(force=True)
    assert [one.answer.content for one in place.run().decisions if one.answer] == ["李雷"]


def test_ctrl_c_at_the_prompt_leaves_the_run_waiting(place: Place) -> None:
    child = spawn(place)
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


def test_in_the_working_shell_ctrl_c_and_then_cancel(place: Place) -> None:
    child = spawn(place)
    child.expect("你> ")
    child.send(f"{GOAL}\r")
    child.expect("requestId: ")
    child.expect("你> ")
    child.send("/cancel\r")
    child.expect("已取消")
    child.expect("你> ")
    child.send("数到一百\r")
    child.expect("3")
    child.sendintr()
    child.expect("已中止")
    child.expect("你> ")
    assert place.run_state(2).stop_reason == "aborted"
    child.send("/cancel 算了\r")
    child.expect("已取消（算了）")
    child.expect("你> ")
    child.close(force=True)


def test_a_copied_session_lists_no_run_twice(
    place: Place, waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = place.sessions.glob("*.jsonl")
    (place.sessions / "copied.jsonl").write_bytes(file.read_bytes())
    assert place.here("runs") == Exit.DONE
    assert capsys.readouterr().out.count(waiting[0]) == 1

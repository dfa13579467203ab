"""The program from outside: leaving, coming back, and what can go wrong on the way."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from mini_agent.session import Session
from mini_agent.session_file import FileStore

from tests.steps.step06.support import CASES


@dataclass(frozen=True)
class Home:
    """A user's home, and the sessions in it."""

    path: Path

    @property
    def sessions(self) -> Path:
        return self.path / ".local" / "state" / "mini-agent" / "sessions"

    def put(self, case: str) -> Path:
        self.sessions.mkdir(parents=True)
        path = self.sessions / "s1.jsonl"
        path.write_bytes((CASES / case).read_bytes())
        return path

    def run(self, *command: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "HOME": str(self.path)}
        environment.pop("XDG_STATE_HOME", None)
        return subprocess.run(
            command,
            env=environment,
            input=lines,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def chat(self, *arguments: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
        return self.run(sys.executable, "-m", "mini_agent", *arguments, lines=lines)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_leaving_and_coming_back_to_the_same_folder(home: Home) -> None:
    here = home.path / "here"
    here.mkdir()
    first = home.chat("--workspace", str(here), lines="记下三件事\n")
    assert (first.returncode, first.stderr) == (0, "")

    second = home.chat("--continue", lines="看看待办\n/branch\n")

    assert second.returncode == 0
    assert "已有 4 条消息" in second.stderr
    assert f"（工作区：{here}）" in second.stderr
    assert "一共三件" in second.stdout
    assert "  1  记下三件事\n* 2  看看待办\n" in second.stdout
    assert "再见。（本次对话共 8 条消息）" in second.stdout
    (session,) = home.sessions.glob("*.jsonl")
    assert f"{session.stem}  " in home.chat("--list").stdout


def test_a_visit_without_a_word_leaves_nothing(home: Home) -> None:
    assert home.chat().returncode == 0
    assert not home.path.joinpath(".local").exists()


def test_e1a_the_user_is_told_once_what_was_dropped(home: Home) -> None:
    home.put("E1a-torn-json.jsonl")

    first = home.chat("--resume", "s1", lines="继续\n")
    second = home.chat("--resume", "s1")

    assert first.returncode == 0
    assert '"m3"' in first.stderr
    assert second.stderr.count("\n") == 2  # how much there is, and the folder
    assert "再见。（本次对话共 4 条消息）" in second.stdout


def test_a_refusal_is_one_line_without_a_banner_or_a_traceback(home: Home) -> None:
    path = home.put("E6b-unknown-entry.jsonl")
    store = FileStore(path)

    done = home.chat("--resume", "s1", lines="你好\n")

    store.close()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "会话 s1 正被另一个进程使用；要另开一份：--fork s1\n"


def test_a_disk_that_refuses_ends_no_conversation(home: Home) -> None:
    home.path.joinpath(".local").write_text("a file where a folder should be", encoding="utf-8")

    done = home.chat(lines="你好\n你好\n")

    assert done.returncode == 0
    assert done.stderr.count("读写失败") == 2
    assert "我是" not in done.stdout
    assert "再见。（本次对话共 0 条消息）" in done.stdout


def test_a4d_a_reader_that_goes_away_leaves_whole_lines(home: Home) -> None:
    path = home.put("E6b-unknown-entry.jsonl")
    chat = f"{sys.executable} -m mini_agent --resume s1"

    done = home.run(
        "bash", "-c", f"{chat} | head -1; exit ${{PIPESTATUS[0]}}", lines="你好\n数到一百\n"
    )

    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert path.read_bytes().endswith(b"\n")
    store = FileStore(path)
    session = Session.open(store)
    store.close()
    assert session.warnings == []

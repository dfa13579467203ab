"""The program from outside: leaving, coming back, and what can go wrong on the way."""

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from mini_agent.messages import AssistantMessage, ToolCall, user_text
from mini_agent.sessions.entries import MessageEntry, encode
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore

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


EVIL = "\x1b]52;c;cm0=\x07\x9b2J\u202e\x7f"


def test_nothing_in_a_session_is_a_command_to_the_terminal(home: Home) -> None:
    """Case J5: the title, the name of the file, an id, the tool of a call, a torn line."""
    path = home.put("E6b-unknown-entry.jsonl")
    store = FileStore(path)
    session = Session.start(MemoryStore(), "x", new_id=lambda: EVIL)
    session.add_message(user_text(f"{EVIL}标题"))
    call = ToolCall(id="t1", name=f"{EVIL}read")
    entry = MessageEntry(id="m9", parent_id=EVIL, message=AssistantMessage(content=(call,)))
    store.close()
    header, first = encode(session.header), encode(session.entries()[0])  # type: ignore[arg-type]  # a message
    torn = f'{{"torn {EVIL}'.encode()
    path.write_bytes(header + first + encode(entry) + torn)
    path.with_name(f"{EVIL}.jsonl").write_bytes(header + first)
    path.with_name("bad.jsonl").write_bytes(
        header.replace(b'"version":1', b'"version":"\\u001b[2J"')
    )
    path.with_name("twice.jsonl").write_bytes(header + first * 2)

    listed = home.chat("--list")
    refused = [home.chat("--resume", name) for name in ("bad", "twice", EVIL)]
    talk = home.chat("--resume", "s1", lines=f"{EVIL}\n/branch\n/branch {EVIL}\n")

    assert [done.returncode for done in refused] == [1, 1, 1]
    assert talk.returncode == 0
    assert listed.stdout.count("标题") == 3
    for done in (listed, *refused, talk):
        assert not set(done.stdout + done.stderr) & {*"\x1b\x07\x9b\u202e\x7f\r"}
    assert "␛]52;c;cm0=␇\\x9b2J\\u202e␡read 还没有结果" in talk.stderr
    assert "␛]52;c;cm0=␇\\x9b2J\\u202e␡标题" in talk.stdout


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
    chat = f"{shlex.quote(sys.executable)} -m mini_agent --resume s1"

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

"""Sessions survive what happens to processes and disks. The dying is done in `crashes.py`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from signal import SIGKILL
from types import ModuleType
from typing import Any

import pytest
from mini_agent.messages import Context, message_text, user_text
from mini_agent.sessions import disk
from mini_agent.sessions.conversation import Conversation
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.repair import NO_RESULT
from mini_agent.sessions.session import Session

COMMAND = (sys.executable, str(Path(__file__).with_name("crashes.py")))


def run(*arguments: str) -> str:
    done = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_kill_at_any_system_call_loses_nothing() -> None:
    deaths = [int(number) for number in run("at-every-call").split()]

    assert min(deaths) > 12  # of the stories that begin, mend and fork a session


def test_a_kill_at_any_moment_loses_nothing() -> None:
    deaths, stored = run("at-any-moment").split()

    assert int(stored) > int(deaths) > 20


def test_a_full_disk_refuses_and_takes_no_part_of_a_record() -> None:
    run("disk-full")


def test_a_closed_folder_refuses_and_can_still_be_listed() -> None:
    run("read-only")


def test_two_writers_never_mix_their_lines_and_a_dead_one_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    first = start_writer(path)
    assert first.stdout is not None
    first.stdout.readline()

    second = start_writer(path)  # while the first is writing
    _, errors = second.communicate(timeout=30)
    assert second.returncode == 1
    assert "SessionBusy" in errors

    while first.stdout.readline() != "199\n":
        pass
    first.kill()  # while it still holds the lock
    first.communicate()
    third = start_writer(path)
    third.communicate(timeout=30)
    assert third.returncode == 0

    for line in path.read_bytes().split(b"\n")[:-1]:
        json.loads(line)
    store = FileStore(path)
    said = [message_text(message).split()[0] for message in Session.open(store).messages()]
    store.close()
    assert said == [f"{pid}-{n}" for pid in (first.pid, third.pid) for n in range(200)]


def test_a_kill_in_the_middle_of_a_batch_repeats_no_side_effect(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    killed = subprocess.run([*COMMAND, "in-a-tool", str(path)], check=False, capture_output=True)
    assert killed.returncode == -SIGKILL

    for expected in (3, 0):  # reported once, and then on record
        session = Session.open(FileStore(path))
        notices: list[str] = []
        conversation = Conversation(session, Context(), notify=notices.append)
        session.close()
        assert len(notices) == expected
        results = conversation.context.messages[2:]
        assert [message_text(message) for message in results] == [NO_RESULT] * 3

    assert path.with_name("effects.txt").read_text(encoding="utf-8") == "a\nb\n"


def start_writer(path: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*COMMAND, "write", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def test_nothing_returns_before_the_disk_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def watch(module: ModuleType, name: str, shown: str) -> None:
        real = getattr(module, name)

        def call(*arguments: Any) -> Any:
            calls.append(shown)
            return real(*arguments)

        monkeypatch.setattr(module, name, call)

    session = Session.start(FileStore(tmp_path / "new" / "s1.jsonl"), "s1")
    watch(os, "write", "write")
    watch(disk, "sync", "sync")
    watch(os, "rename", "rename")
    watch(os, "fsync", "sync folder")
    watch(os, "ftruncate", "cut")

    session.add_message(user_text("一"))
    assert calls == ["sync folder", "write", "sync", "rename", "sync folder"]

    calls.clear()
    session.add_message(user_text("二"))
    assert calls == ["write", "sync"]
    session.close()

    with (tmp_path / "new" / "s1.jsonl").open("ab") as file:
        file.write(b'{"torn')
    session = Session.open(FileStore(tmp_path / "new" / "s1.jsonl"))
    calls.clear()
    session.add_message(user_text("三"))
    assert calls == ["write", "sync", "sync folder", "cut", "sync", "write", "sync"]
    session.close()

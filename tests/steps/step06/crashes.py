"""Run as a program: let children die while they store things, and look at what they leave.

    python crashes.py at-every-call | at-any-moment | disk-full | read-only
    python crashes.py write FILE
    python crashes.py in-a-tool FILE

A process of its own, because it forks. It ends with an error at the first session that
has lost what was acknowledged, that holds what nobody stored, or that does not go on.
"""

import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from signal import SIGKILL
from types import ModuleType
from typing import Any

import anyio
from mini_agent.abort import AbortSignal
from mini_agent.agent_loop import run_agent_loop
from mini_agent.execution import Toolset
from mini_agent.messages import AssistantMessage, Context, ToolCall, message_text, user_text
from mini_agent.render import render_run
from mini_agent.scripted_model import create_scripted_model
from mini_agent.sessions import disk
from mini_agent.sessions.conversation import Conversation
from mini_agent.sessions.entries import SessionError
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.folder import list_sessions
from mini_agent.sessions.session import Session

NOBODY = 65534

Acknowledge = Callable[[str], None]
Story = Callable[[Path, Acknowledge], None]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        match sys.argv[1]:
            case "at-every-call":
                print(*(die_at_every_call(Path(name), story) for story in (begin, mend, fork)))
            case "at-any-moment":
                print(*die_at_any_moment(Path(name), rounds=25))
            case "disk-full":
                fill_the_disk(Path(name))
            case "read-only":
                be_shut_out(Path(name))
            case "write":
                write_much(Path(sys.argv[2]))
            case "in-a-tool":
                die_in_a_tool(Path(sys.argv[2]))


# What the children do.


def begin(folder: Path, acknowledge: Acknowledge) -> None:
    """Start a session, in a folder that does not exist, and say three things."""
    session = Session.start(FileStore(folder / "deep" / "s1.jsonl"), "s1")
    for word in ("一", "二", "三"):
        session.add_message(user_text(word))
        acknowledge(word)


def mend(folder: Path, acknowledge: Acknowledge) -> None:
    """Go on with a session whose last line is torn."""
    session = Session.open(FileStore(folder / "s1.jsonl"))
    for word in ("甲", "乙"):
        session.add_message(user_text(word))
        acknowledge(word)


def fork(folder: Path, acknowledge: Acknowledge) -> None:
    """Copy that session, and say something in the copy."""
    origin = Session.open(FileStore(folder / "s1.jsonl"), new_id=lambda: "s2")
    copy = origin.fork()
    copy.add_message(user_text("丙"))
    acknowledge("丙")


def chatter(folder: Path, acknowledge: Acknowledge) -> None:
    """Say things of all lengths, for ever."""
    session = Session.start(FileStore(folder / "s1.jsonl"), "s1")
    for number in count():
        session.add_message(user_text(f"{number} " + "长" * (number * 997 % 20_000)))
        acknowledge(str(number))


def write_torn_session(path: Path) -> None:
    session = Session.start(FileStore(path), "s1")
    session.add_message(user_text("旧"))
    session.close()
    with path.open("ab") as file:
        file.write('{"type":"message","id":"中'.encode()[:-1])


FILES = {"begin": "deep/s1.jsonl", "fork": "s2.jsonl"}
"""What a story writes to, if it is not s1.jsonl."""


# How they die.


def die_at_every_call(folder: Path, story: Story) -> int:
    """Kill a child before, in the middle of, and after each system call; return how often."""
    deaths = 0
    for moment in ("before", "half", "after"):
        for call in count():
            place = folder / f"{story.__name__}-{moment}-{call}"
            place.mkdir()
            if story is not begin:
                write_torn_session(place / "s1.jsonl")
            said, died = run_child(story, place, die=(moment, call))
            judge(place, story, said)
            if not died:
                break
            deaths += 1
    return deaths


def die_at_any_moment(folder: Path, rounds: int) -> tuple[int, int]:
    """Kill a child that stores without pause; return how often, and how much it had stored."""
    dice = random.Random(6)
    stored = 0
    for number in range(rounds):
        place = folder / str(number)
        place.mkdir()
        said, _ = run_child(
            chatter, place, enough=dice.randrange(1, 25), pause=dice.random() / 1000
        )
        judge(place, chatter, said)
        stored += len(said)
    return rounds, stored


def run_child(
    story: Story,
    folder: Path,
    *,
    die: tuple[str, int] | None = None,
    enough: int | None = None,
    pause: float = 0.0,
) -> tuple[list[str], bool]:
    """Run `story` in a child; return what it acknowledged, and whether it was killed.

    It dies at system call `die`, or `pause` seconds after `enough` acknowledgements.
    """
    reader, writer = os.pipe()
    write = os.write
    child = os.fork()
    if child == 0:
        if die:
            set_trap(*die)
        story(folder, lambda word: print_to(writer, word, write))
        os._exit(0)
    os.close(writer)
    said = []
    with open(reader, encoding="utf-8") as acknowledgements:
        for line in acknowledgements:
            said.append(line.strip())
            if len(said) == enough:
                time.sleep(pause)  # any moment will do: that is the point
                os.kill(child, SIGKILL)
    _, status = os.waitpid(child, 0)
    assert status in (0, SIGKILL), f"the child failed by itself: {status}"
    return said, status != 0


def print_to(pipe: int, word: str, write: Callable[[int, bytes], int]) -> None:
    write(pipe, f"{word}\n".encode())


def set_trap(moment: str, deadly: int) -> None:
    """Make system call number `deadly` of this process its last."""
    numbers = count()

    def trap(module: ModuleType, name: str) -> None:
        real = getattr(module, name)

        def call(*arguments: Any, **options: Any) -> Any:
            its_time = next(numbers) == deadly
            if its_time and moment == "half":  # then it is a write
                real(arguments[0], arguments[1][: len(arguments[1]) // 2])
            if its_time and moment != "after":
                os.kill(os.getpid(), SIGKILL)
            answer = real(*arguments, **options)
            if its_time:
                os.kill(os.getpid(), SIGKILL)
            return answer

        setattr(module, name, call)

    trap(os, "write")
    if moment != "half":
        for name in ("open", "fsync", "ftruncate", "rename", "mkdir"):
            trap(os, name)
        trap(disk, "sync")


# What they leave.


def judge(folder: Path, story: Story, said: list[str]) -> None:
    """Fail unless all that was acknowledged is there, at most one thing more, and it goes on."""
    path = folder / FILES.get(story.__name__, "s1.jsonl")
    if story is fork:
        assert words(folder / "s1.jsonl") == ["旧"]
    if story in (begin, fork) and not path.exists():
        assert said == [], "what was acknowledged is gone, with its file"
        return
    acknowledged = said if story in (begin, chatter) else ["旧", *said]
    kept = words(path)
    assert kept[: len(acknowledged)] == acknowledged, f"{acknowledged} became {kept}"
    assert len(kept) <= len(acknowledged) + 1, f"{acknowledged} became {kept}"
    session = Session.open(FileStore(path))
    session.add_message(user_text("还在"))
    session.close()
    assert words(path) == [*kept, "还在"]


def words(path: Path) -> list[str]:
    store = FileStore(path)
    session = Session.open(store)
    store.close()
    return [message_text(message).split()[0] for message in session.messages()]


# A disk that is full, a folder that is closed.


def fill_the_disk(folder: Path) -> None:
    """Let there be room for any part of a record: none of it stays, and later it can be stored."""
    path = folder / "s1.jsonl"
    session = Session.start(FileStore(path), "s1")
    for room in range(0, 100, 3):
        with_room(room, lambda: expect_to_fail(lambda: add_to(session)))
        assert list(folder.glob("*.jsonl")) + list(folder.glob("*.new")) == []
    session.add_message(user_text("旧"))
    before = path.read_bytes()
    for room in range(0, 100, 3):
        with_room(len(before) + room, lambda: expect_to_fail(lambda: add_to(session)))
        assert path.read_bytes() == before
        assert [message_text(message) for message in session.messages()] == ["旧"]
    session.add_message(user_text("新"))
    session.close()
    assert words(path) == ["旧", "新"]


def with_room(size: int, action: Callable[[], None]) -> None:
    """Run `action` while no file can grow beyond `size` bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    action()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def be_shut_out(folder: Path) -> None:
    """Meet a folder in which nothing can be written."""
    path = folder / "sessions" / "s1.jsonl"
    write_torn_session(path)
    before = path.read_bytes()
    folder.chmod(0o755)
    path.parent.chmod(0o555)
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:  # nothing is closed to root
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        expect_to_fail(lambda: Session.open(FileStore(path)))
        expect_to_fail(lambda: add_to(Session.start(FileStore(path.with_name("s2.jsonl")), "s2")))
        assert [info.id for info in list_sessions(path.parent)] == ["s1"]
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    path.parent.chmod(0o755)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["s1.jsonl", "s1.lock"]


def add_to(session: Session) -> None:
    session.add_message(user_text("放不下" * 20))


def expect_to_fail(action: Callable[[], object]) -> None:
    try:
        action()
    except SessionError as error:
        assert "读写失败" in str(error)
    else:
        raise AssertionError("stored where nothing can be stored")


# One of two writers.


def write_much(path: Path) -> None:
    """Store 200 messages of 100 kB, say so, and keep the session open until standard input ends."""
    store = FileStore(path)
    session = Session.open(store) if store.read() else Session.start(store, "s1")
    for number in range(200):
        session.add_message(user_text(f"{os.getpid()}-{number} " + "x" * 100_000))
        print(number, flush=True)
    sys.stdin.read()


# In the middle of a batch.


def die_in_a_tool(path: Path) -> None:
    """Let the second of three calls kill the process. What they did stands in a file beside."""
    conversation = Conversation(Session.start(FileStore(path), "s1"), Context(), notify=print)
    conversation.say("做三件事")
    calls = tuple(ToolCall(id=name, name="act") for name in ("a", "b", "c"))

    async def act(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        with path.with_name("effects.txt").open("a", encoding="utf-8") as effects:
            effects.write(f"{call.id}\n")
        if call.id == "b":
            os.kill(os.getpid(), SIGKILL)
        return "ok"

    async def run() -> None:
        loop = run_agent_loop(
            conversation.context,
            model=create_scripted_model([AssistantMessage(content=calls)]),
            tools=Toolset(execute=act, sequential=["act"]),
            max_turns=5,
        )
        await render_run(conversation.storing(loop))

    anyio.run(run)


if __name__ == "__main__":
    main()

"""The extensions that are shipped, loaded from their files like any other."""

import json
from pathlib import Path

import mini_agent.examples
import pytest
from mini_agent.extensions.events import SessionStart
from mini_agent.extensions.loader import load_extension
from mini_agent.extensions.observers import observed, tell
from mini_agent.sessions.entries import CustomEntry
from mini_agent.tools.builtin import create_builtin_tools
from mini_agent.tools.registry import Registry
from mini_agent.tools.workspace import Workspace

from tests.steps.step07.extensions import Harness
from tests.steps.step07.support import Run, call, says

EXAMPLES = Path(mini_agent.examples.__path__[0])


class User:
    """Answers one question after the other, and remembers them."""

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, question: str) -> str | None:
        self.asked.append(question)
        return self.answers.pop(0)


def with_example(name: str, *, ask: User | None = None, folder: Path | None = None) -> Harness:
    tools = create_builtin_tools(Workspace(folder)) if folder else ()
    harness = Harness(ask=ask, tools=tools)
    load_extension(harness.extensions, EXAMPLES / f"{name}.py")
    assert harness.told == []
    return harness


async def commands_run(harness: Harness, *commands: str) -> list[str]:
    """Return which of these shell commands came to be run."""
    calls = [call(f"t{n}", "bash", command=text) for n, text in enumerate(commands)]
    run = await Run(says(*calls), says("好"), hooks=harness.hooks()).whole()
    return [str(arguments["command"]) for arguments in run.tools.arguments]


# The permission gate.


async def test_where_nobody_can_be_asked_only_what_is_allowed_runs() -> None:
    harness = with_example("permission_gate")
    run = await Run(
        says(
            call("t1", "bash", command="ls"), call("t2", "read", path="a"), call("t3", "new", n=1)
        ),
        says("好"),
        hooks=harness.hooks(),
    ).whole()
    assert run.tools.ran == ["t2"]
    assert run.blocked == ["t1", "t3"]
    assert "没有人可以问" in run.told[1]


@pytest.mark.parametrize("command", ["rm -rf /", "cd /; rm  -fr .", "sudo ls", "ls\nsudo ls"])
async def test_what_is_forbidden_is_not_even_asked(command: str) -> None:
    user = User()
    assert await commands_run(with_example("permission_gate", ask=user), command) == []
    assert user.asked == []


@pytest.mark.parametrize("path", [".env", "./.env", "sub/../.env"])
async def test_a_path_is_the_same_path_however_it_is_written(path: str) -> None:
    harness = with_example("permission_gate", ask=User())
    script = says(call("t1", "write", path=path, content="x")), says("好")
    run = await Run(*script, hooks=harness.hooks()).whole()
    assert run.told[1] == "error t1: 没有执行：扩展 permission_gate 不允许。这是明令禁止的。"


@pytest.mark.parametrize("path", [".env", "sub/.env", ".env.local", "prod.env", ".ENV"])
async def test_to_look_at_keys_is_asked_about(path: str) -> None:
    user = User("n", "y")
    harness = with_example("permission_gate", ask=user)
    looks = call("r1", "read", path=path), call("r2", "grep", path=path, pattern="K")
    others = call("r3", "read", path="environment.py"), call("r4", "ls", path=".")
    run = await Run(says(*looks, *others), says("好"), hooks=harness.hooks()).whole()
    assert sorted(run.tools.ran) == ["r2", "r3", "r4"]  # they run side by side
    assert len(user.asked) == 2


@pytest.mark.parametrize("answer", ["n", "", "yes", "好", "Y", None])
async def test_only_a_clear_yes_is_a_yes(answer: str | None) -> None:
    harness = with_example("permission_gate", ask=User(answer))
    assert await commands_run(harness, "make") == []


async def test_yes_is_for_once_and_always_is_for_this_command() -> None:
    user = User("y", "a", "n")
    harness = with_example("permission_gate", ask=user)
    ran = await commands_run(harness, "make", "make", "make", "make test")
    assert sorted(ran) == ["make"] * 3
    assert user.asked == [
        *["要执行 bash make 吗？[y 这一次 / a 一直 / 其他：不] "] * 2,
        "要执行 bash make test 吗？[y 这一次 / a 一直 / 其他：不] ",
    ]


async def test_what_was_asked_and_answered_is_recorded() -> None:
    harness = with_example("permission_gate", ask=User("y", None))
    await commands_run(harness, "make", "make test")
    entries = [entry for entry in harness.session.entries() if isinstance(entry, CustomEntry)]
    assert [(entry.kind, entry.data) for entry in entries] == [
        ("extension/permission_gate", {"what": "bash make", "answer": "y"}),
        ("extension/permission_gate", {"what": "bash make test", "answer": None}),
    ]


async def test_always_holds_when_the_session_goes_on_and_not_on_another_branch() -> None:
    before = with_example("permission_gate", ask=User("a"))
    await commands_run(before, "make")

    harness = with_example("permission_gate", ask=User("n"))
    harness.host.session = before.session
    await tell(SessionStart(reason="resumed"), harness.extensions, signal=harness.signal)
    assert await commands_run(harness, "make") == ["make"]

    harness.host.session.move_to(None)
    await tell(SessionStart(reason="moved"), harness.extensions, signal=harness.signal)
    assert await commands_run(harness, "make") == []


async def test_a_question_shows_what_a_terminal_would_hide() -> None:
    user = User("n")
    await commands_run(with_example("permission_gate", ask=user), "ls\x1b[8m; make\u202e")
    assert user.asked[0].startswith("要执行 bash ls␛[8m; make\\u202e 吗？")


# Notes.


async def test_the_user_and_the_model_keep_the_same_notes(tmp_path: Path) -> None:
    harness = with_example("notes", folder=tmp_path)
    notes = harness.extensions.commands["notes"].run
    assert await notes("") == "还没有笔记。"
    assert await notes("买菜") == "笔记共 1 条：\n1. 买菜"
    registry = Registry(harness.extensions.tools.values())
    run = await Run(
        says(call("t1", "note", text="还书")),
        says(call("t2", "note")),
        says("好"),
        hooks=harness.hooks(registry.prepare),
        check=registry.prepare,
        execute=registry.execute,
    ).whole()
    assert run.told[1] == "result t1: 笔记共 2 条：\n1. 买菜\n2. 还书"
    assert run.told[3] == "result t2: 笔记共 2 条：\n1. 买菜\n2. 还书"
    assert await notes("") == "笔记共 2 条：\n1. 买菜\n2. 还书"


async def test_notes_are_there_again_after_a_restart() -> None:
    before = with_example("notes")
    await before.extensions.commands["notes"].run("买菜")
    harness = with_example("notes")
    harness.host.session = before.session
    assert await harness.extensions.commands["notes"].run("") == "笔记共 1 条：\n1. 买菜"


# The trace.


async def test_a_trace_holds_what_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trace.jsonl"
    monkeypatch.setenv("MINI_AGENT_TRACE", str(path))
    harness = with_example("trace")
    run = Run(says("看", call("t1", n=1)), says("好\ud83d"), hooks=harness.hooks())
    run.generator = observed(run.generator, harness.extensions, signal=run.signal)
    await run.whole()
    assert harness.told == []
    lines = [json.loads(line) for line in path.read_bytes().decode().split("\n")[:-1]]
    assert lines == [
        {"event": "message", "role": "assistant", "text": "看"},
        {
            "event": "tool",
            "name": "echo",
            "arguments": {"n": 1},
            "blocked": False,
            "is_error": False,
        },
        {"event": "turn", "stop_reason": "tool_use", "calls": 1},
        {"event": "message", "role": "assistant", "text": "好?"},
        {"event": "turn", "stop_reason": "stop", "calls": 0},
        {"event": "end", "reason": "completed", "detail": None},
    ]


async def test_without_a_file_nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINI_AGENT_TRACE", raising=False)
    harness = with_example("trace")
    assert harness.extensions.names == ["trace"]

"""What a run for scripts reads and shows, where the other end is a terminal or has no end."""

import io
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import AsyncGenerator
from contextlib import redirect_stdout
from pathlib import Path

import anyio
import pytest
from mini_agent.agent_events import AgentEnd, AgentEvent, MessageEnd
from mini_agent.cli.goal import MAX_GOAL, as_goal
from mini_agent.cli.output import show_run
from mini_agent.messages import AssistantMessage, TextContent

TITLE = "a\x1b]0;title\x07\u202eb"


async def one_answer() -> AsyncGenerator[AgentEvent, None]:
    said = AssistantMessage(content=(TextContent(text=TITLE),), stop_reason="stop")
    yield MessageEnd(message=said)
    yield AgentEnd(reason="completed")


def show() -> None:
    async def shown() -> None:
        await show_run(one_answer(), "answer", notify=print)

    anyio.run(shown)


def test_the_answer_alone_is_escaped_at_a_terminal() -> None:
    master, terminal = os.openpty()
    with open(terminal, "w", encoding="utf-8") as screen, redirect_stdout(screen):
        show()
        screen.flush()
        shown = os.read(master, 4096).decode()
    os.close(master)
    assert shown == "a␛]0;title␇\\u202eb\r\n"


def test_the_answer_alone_is_exact_for_a_script() -> None:
    script = io.StringIO()
    with redirect_stdout(script):
        show()
    assert script.getvalue() == f"{TITLE}\n"


class Endless(io.TextIOBase):
    """A pipe whose writer never stops."""

    def isatty(self) -> bool:
        return False

    def read(self, size: int | None = -1, /) -> str:
        assert size is not None, "read to the end"
        assert size >= 0, "read to the end"
        return "y" * size


def test_no_more_is_read_of_an_endless_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Endless())
    with pytest.raises(ArgumentTypeError, match="目标太长"):
        as_goal("-")


def test_no_more_is_read_of_a_huge_file(tmp_path: Path) -> None:
    file = tmp_path / "huge"
    with file.open("wb") as opened:
        opened.truncate(2**40)
    with pytest.raises(ArgumentTypeError, match="目标太长"):
        as_goal(f"@{file}")


def test_a_goal_as_long_as_allowed(tmp_path: Path) -> None:
    file = tmp_path / "long"
    goal = "\N{GRINNING FACE}" * MAX_GOAL
    file.write_text(goal, encoding="utf-8-sig")
    assert as_goal(f"@{file}") == goal
    file.write_text(f"{goal}!", encoding="utf-8-sig")
    with pytest.raises(ArgumentTypeError, match="目标太长"):
        as_goal(f"@{file}")

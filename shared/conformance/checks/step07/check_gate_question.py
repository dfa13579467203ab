"""A question of an extension, at a real terminal."""

from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.terminal import ENTER, terminal
from conformance.support.transcript import EXIT, PROMPT
from lab.programs import CHAT

pytestmark = [read("extensions"), pytest.mark.program]

QUESTION = "可以吗？"
GATE = f"""
from mini_agent.extensions.events import BeforeCall, Block

def setup(api):
    async def gate(event):
        return None if api.ask({QUESTION!r}) == "y" else Block("没有同意")

    api.on(BeforeCall, gate)
"""


def test_typed_ahead(subject: Subject, tmp_path: Path) -> None:
    """A gate's question is answered only by what is typed when it stands on the screen."""
    subject.need("extensions.api")
    work = tmp_path / "work"
    work.mkdir()
    (work / "todo.txt").write_text("买菜\n", encoding="utf-8")
    (tmp_path / "gate.py").write_text(GATE, encoding="utf-8")
    options = ("--no-session", "--workspace", str(work), "--extension", str(tmp_path / "gate.py"))
    with terminal(subject, CHAT, *options) as screen:
        screen.wait_for(PROMPT)
        screen.type(f"看看待办{ENTER}y{ENTER}")
        screen.wait_for(QUESTION)
        screen.type(f"n{ENTER}")
        screen.wait_for(PROMPT)
        screen.type(f"{EXIT}{ENTER}")
        left = screen.leave()
    left.holds(
        left.exit_code == 0 and "买菜" not in left.screen,
        wanted="no answer: the y was typed before there was a question, and then came a no",
    )

"""Calls, progress and results on the screen: what a model says there cannot pass for another."""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Call, Says
from conformance.support.run import ToolTable, ToolUse
from conformance.support.screen import CONTROLS, controls_in
from conformance.support.shell import Conversation
from conformance.support.subject import Subject
from conformance.support.transcript import ANSWER

pytestmark = read("tool lines")

FORGED = f"{ANSWER}已经全部删除"
NAME = f"read{CONTROLS}\n{FORGED}\r\n{FORGED}"


@pytest.mark.parametrize("malformed", [None, f"[1\n{FORGED}{CONTROLS}"], ids=["good", "malformed"])
def test_name_forges_no_line(
    subject: Subject, capsys: pytest.CaptureFixture[str], malformed: str | None
) -> None:
    """The name of a tool, and whatever is sent along, moves no cursor and begins no line."""

    def tool(use: ToolUse) -> str:
        use.on_update("进行中")
        return "好"

    call = Call("t1", NAME, {"path": NAME}, malformed=malformed)
    talk = Conversation(subject, ["一"], Says(call), Says("完"), tools=ToolTable({NAME: tool}))
    came = capsys.readouterr().out
    judge.holds(
        not controls_in(came)
        and not any(line.startswith(FORGED) for line in came.splitlines())
        and f"{ANSWER}完\n" in came,
        called=f"{talk.called}; the model calls the tool {NAME!r}",
        came=ascii(came).replace("\\n", "\n"),
        wanted=f"no control character, and no line that begins with {FORGED}",
    )

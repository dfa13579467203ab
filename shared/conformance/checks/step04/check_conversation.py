"""`shell.run_shell` with tools: what a turn with calls leaves in the conversation."""

import signal

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Call, Says
from conformance.support.run import ToolTable
from conformance.support.shell import Conversation
from conformance.support.subject import Subject

pytestmark = read("turn")


def test_calls_and_results_stay(subject: Subject) -> None:
    """A call and its result stay in the conversation, and the next line builds on them."""
    talk = Conversation(
        subject,
        ["一", "二"],
        *(Says(Call("t1")), Says("甲"), Says("乙")),
        tools=ToolTable({"echo": lambda use: "回声"}),
    )
    first = ["user: 一", "assistant: [t1]", "result t1: 回声"]
    talk.expect_requests(["user: 一"], first, [*first, "assistant: 甲", "user: 二"])


@read("ctrl-c")
def test_key_while_something_blocks(subject: Subject) -> None:
    """Ctrl-C counts from the press on, also while something blocks the event loop."""

    def press(use: object) -> str:
        signal.raise_signal(signal.SIGINT)
        return "好"

    tools = ToolTable({"press": press})
    two = Says(Call("t1", "press"), Call("t2", "press"))
    talk = Conversation(subject, ["一"], two, Says("甲"), tools=tools)
    judge.holds(
        tools.begun == ["t1"] and len(talk.script.requests) == 1,
        called="run_shell(...); t1 blocks the event loop, Ctrl-C is pressed meanwhile, then t2",
        came=f"begun: {', '.join(tools.begun)}; calls of the model: {len(talk.script.requests)}",
        wanted="t1 begun, t2 not, 1 call of the model",
    )

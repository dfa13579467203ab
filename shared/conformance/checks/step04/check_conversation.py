"""`shell.run_shell` with tools: what a turn with calls leaves in the conversation."""

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

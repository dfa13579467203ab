"""The fake model of step 04: rules that answer with tool calls, and rules that answer results."""

from conformance.support.chapters import read
from conformance.support.model import Call, FakeModel
from conformance.support.subject import Subject

pytestmark = read("two fakes")

FALLBACK = {"reply": "兜底"}


async def test_rule_with_calls(subject: Subject) -> None:
    """A rule can answer with tool calls: they stream behind its text, and the reason says so."""
    call = Call("t1", "weather", {"city": "北京"})
    rule = {"reply": "我看看。", "calls": (call, Call("t2"))}
    heard = await FakeModel(subject, [rule], "天气").listen()
    text = subject.get("messages.TextContent")(text="我看看。")
    content = (text, call.of(subject), Call("t2").of(subject))
    heard.holds(
        heard.message.content == content and heard.message.stop_reason == "tool_use",
        wanted="a message with the text and the two calls, stop reason tool_use",
    )


async def test_rule_answers_result(subject: Subject) -> None:
    """A tool result is a last message like any other: rules answer it, and so they chain."""
    text = subject.get("messages.TextContent")(text="北京：晴")
    result = subject.get("messages.ToolResultMessage")(
        tool_call_id="t1", tool_name="weather", content=(text,)
    )
    rules = [{"match": "晴", "reply": "不用带伞。"}, FALLBACK]
    heard = await FakeModel(subject, rules, "天气", result).listen()
    heard.same(heard.trace.text, "不用带伞。")

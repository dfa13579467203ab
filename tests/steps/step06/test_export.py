"""A conversation as Markdown."""

from datetime import UTC, datetime

from mini_agent.cli.export import as_markdown, fenced
from mini_agent.messages import AssistantMessage, TextContent, ToolCall, user_text
from mini_agent.results import error_result
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore


def test_who_said_what() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    session = Session.start(MemoryStore(), "s1", working_folder="/w", now=lambda: now)
    call = ToolCall(id="1", name="read", arguments={"path": "a"})
    content = (TextContent(text="我看看。"), call)
    session.add_message(user_text("看 a"))
    session.add_message(AssistantMessage(content=content, stop_reason="tool_use"))
    session.add_message(error_result(call, "没有 a\n```"))
    assert as_markdown(session).split("\n\n") == [
        "# 会话 s1",
        "2026-01-01 00:00:00+00:00，/w",
        "## 你",
        "看 a",
        "## 助手",
        "我看看。",
        "工具 `read`",
        '```json\n{\n  "path": "a"\n}\n```',
        "出错",
        "````\n没有 a\n```\n````",
    ]


def test_a_fence_is_longer_than_any_in_it() -> None:
    assert fenced("`````") == "``````\n`````\n``````"

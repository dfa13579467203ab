"""What the tests of step 06 say things with."""

from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from mini_agent.clock import IdFactory
from mini_agent.messages import AssistantMessage, TextContent, ToolCall, ToolResultMessage
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import SessionStore

CASES = Path(__file__).resolve().parents[2] / "cases"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def counting_ids(prefix: str = "e") -> IdFactory:
    numbers = count(1)
    return lambda: f"{prefix}{next(numbers)}"


def started(store: SessionStore, *, new_id: IdFactory | None = None) -> Session:
    return Session.start(store, "s1", new_id=new_id or counting_ids(), now=lambda: NOW)


def reopened(store: SessionStore, prefix: str = "r") -> Session:
    return Session.open(store, new_id=counting_ids(prefix), now=lambda: NOW)


def said(text: str) -> AssistantMessage:
    return AssistantMessage(content=(TextContent(text=text),))


def called(*ids: str) -> AssistantMessage:
    """Return an answer with these calls; "a" and "a-2" both read the file a."""
    return AssistantMessage(
        content=tuple(ToolCall(id=name, name="read", arguments={"path": name[0]}) for name in ids)
    )


def called_with(arguments: dict[str, Any]) -> AssistantMessage:
    return AssistantMessage(content=(ToolCall(id="t1", name="read", arguments=arguments),))


def result(call_id: str, text: str = "ok") -> ToolResultMessage:
    return ToolResultMessage(
        tool_call_id=call_id, tool_name="read", content=(TextContent(text=text),)
    )

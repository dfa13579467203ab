"""A conversation as Markdown, to read or to pass on."""

import json
import re
from collections.abc import Iterator
from typing import assert_never

from ..messages import (
    AssistantMessage,
    Message,
    ToolResultMessage,
    UserMessage,
    message_text,
    tool_calls,
)
from ..sessions.session import Session

FENCE = re.compile(r"`{3,}")


def as_markdown(session: Session) -> str:
    """Return the branch on which `session` stands: who said what, the calls, the results."""
    header = session.header
    folder = f"，{header.working_folder}" if header.working_folder else ""
    parts = [f"# 会话 {header.id}", f"{header.created_at}{folder}"]
    for message in session.messages():
        parts += _parts_of(message)
    return "\n\n".join(parts)


def _parts_of(message: Message) -> Iterator[str]:
    text = message_text(message).rstrip("\n")
    match message:
        case UserMessage():
            yield f"## 你\n\n{text}"
        case AssistantMessage():
            yield f"## 助手\n\n{text}".rstrip()
            for call in tool_calls(message):
                shown = json.dumps(call.arguments, ensure_ascii=False, indent=2)
                yield f"工具 `{call.name}`\n\n{fenced(call.malformed or shown, 'json')}"
            if message.error_message:
                yield f"（出错：{message.error_message}）"
        case ToolResultMessage():
            yield f"{'出错' if message.is_error else '结果'}\n\n{fenced(text)}"
        case _:
            assert_never(message)


def fenced(text: str, language: str = "") -> str:
    """Return `text` in a fence that nothing in it can close."""
    longest = max(FENCE.findall(text), key=len, default="``")
    return f"{longest}`{language}\n{text}\n{longest}`"

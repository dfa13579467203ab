"""The vocabulary of a conversation: content blocks, messages, and the context of a model call.

Not here: tool calls and their results (step 04), why an answer ended (step 03).
"""

from dataclasses import dataclass, field
from typing import Literal

# Frozen: what was said stays said. Slots: no field comes into being by a typo.


@dataclass(frozen=True, slots=True, kw_only=True)
class TextContent:
    """A block of plain text."""

    type: Literal["text"] = "text"
    text: str


ContentBlock = TextContent
"""Whatever an assistant message may hold. An alias, because step 04 lets it grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What the user said. It holds text and nothing else, in this step and in all later ones."""

    role: Literal["user"] = "user"
    content: tuple[TextContent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What the model said."""

    role: Literal["assistant"] = "assistant"
    content: tuple[ContentBlock, ...]


Message = UserMessage | AssistantMessage
"""One message of a conversation. Its class tells which kind; on a disk or a wire `role` does."""


@dataclass(slots=True, kw_only=True)
class Context:
    """All that a model gets to see in one call. A model has no other memory.

    The one value here that changes: its owner appends to `messages` as things
    are said. Nobody else writes to it.
    """

    system_prompt: str | None = None
    """Standing instructions, sent ahead of the messages. None: there are none."""

    messages: list[Message] = field(default_factory=list)


def user_text(text: str) -> UserMessage:
    """Return a user message of one text block."""
    return UserMessage(content=(TextContent(text=text),))


def message_text(message: Message) -> str:
    """Return the text blocks of a message, joined without a separator."""
    return "".join(block.text for block in message.content if isinstance(block, TextContent))

"""The vocabulary of a conversation: content blocks, messages, and the context of a model call.

Not here: tool calls and their results (step 04), why an answer ended (step 03).
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """The base of every value that will reach a disk or a wire: checked, and unchangeable."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TextContent(Frozen):
    """A block of plain text."""

    type: Literal["text"] = "text"
    text: str


ContentBlock = TextContent
"""Whatever an assistant message may hold. An alias, because step 04 lets it grow."""


class UserMessage(Frozen):
    """What the user said. It holds text and nothing else, in this step and in all later ones."""

    role: Literal["user"] = "user"
    content: tuple[TextContent, ...]


class AssistantMessage(Frozen):
    """What the model said."""

    role: Literal["assistant"] = "assistant"
    content: tuple[ContentBlock, ...]


Message = Annotated[UserMessage | AssistantMessage, Field(discriminator="role")]
"""One message of a conversation; `role` tells which kind."""


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

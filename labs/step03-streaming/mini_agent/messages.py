"""The vocabulary of a conversation: content blocks, messages, and the context of a model call.

Not here: tool calls and their results (step 04).
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


StopReason = Literal["stop", "length", "refusal", "error", "aborted"]
"""Why an answer ended: it was complete, it hit the model's limit of length, the model
declined, something failed, or the user stopped it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a model call cost, in tokens."""

    input_tokens: int
    output_tokens: int

    cached_tokens: int = 0
    """Those of the input that the provider still knew; they cost less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What the model said, all of it or as much as arrived."""

    role: Literal["assistant"] = "assistant"
    content: tuple[ContentBlock, ...]
    stop_reason: StopReason = "stop"

    error_message: str | None = None
    """What went wrong, in words for the user; None unless `stop_reason` is "error"."""

    usage: Usage | None = None
    """None: the model did not say."""


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

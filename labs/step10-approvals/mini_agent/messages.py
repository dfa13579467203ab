"""The vocabulary of a conversation: content blocks, messages, and the context of a model call.

Not here: the tools themselves. A model only gets to see what they are like.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

# Frozen: what was said stays said. Slots: no field comes into being by a typo.

JsonObject = dict[str, Any]
"""A JSON object, as `json.loads` returns it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextContent:
    """A block of plain text."""

    type: Literal["text"] = "text"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingContent:
    """What a model thought before it spoke. No part of the answer; some models want it back."""

    type: Literal["thinking"] = "thinking"
    text: str
    """As much of it as the provider lets us see."""

    payload: JsonObject = field(default_factory=dict)
    """What the provider wants to see again, unchanged. Nobody else looks into it."""

    provider: str = ""
    model: str = ""
    """Who thought it: the payload goes back to the same model of the same provider only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A block with which the model asks for a tool to be run."""

    type: Literal["tool_call"] = "tool_call"
    id: str
    """Ties the result to the call. Unique in a history: the loop sees to that."""

    name: str
    arguments: JsonObject = field(default_factory=dict)

    malformed: str | None = None
    """What the model sent as arguments, if it is not a JSON object. Such a call is never run."""


ContentBlock = TextContent | ThinkingContent | ToolCall
"""Whatever an assistant message may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What the user said. It holds text and nothing else, in this step and in all later ones."""

    role: Literal["user"] = "user"
    content: tuple[TextContent, ...]


StopReason = Literal["stop", "tool_use", "length", "refusal", "error", "aborted"]
"""Why an answer ended: it was complete, it waits for its tool calls, it hit the model's
limit of length, the model declined, something failed, or the user stopped it."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultMessage:
    """What became of one tool call. It is a message, so the model gets to see it."""

    role: Literal["tool_result"] = "tool_result"
    tool_call_id: str
    tool_name: str
    content: tuple[TextContent, ...]
    is_error: bool = False

    details: str | None = None
    """What the user sees in place of the content; the model never does. None: the content."""


Message = UserMessage | AssistantMessage | ToolResultMessage
"""One message of a conversation. Its class tells which kind; on a disk or a wire `role` does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What a model is told about a tool that it may call."""

    name: str
    description: str
    parameters: JsonObject
    """The JSON schema of its arguments, which are an object."""


@dataclass(slots=True, kw_only=True)
class Context:
    """All that a model gets to see in one call. A model has no other memory.

    The one value here that changes: its owner, and the loop that works for it,
    append to `messages` as things happen. Nobody else writes to it.
    """

    system_prompt: str | None = None
    """Standing instructions, sent ahead of the messages. None: there are none."""

    tools: tuple[ToolSpec, ...] = ()
    """What the model may call."""

    messages: list[Message] = field(default_factory=list)


def user_text(text: str) -> UserMessage:
    """Return a user message of one text block."""
    return UserMessage(content=(TextContent(text=text),))


def message_text(message: Message) -> str:
    """Return the text blocks of a message, joined without a separator."""
    return "".join(block.text for block in message.content if isinstance(block, TextContent))


def tool_calls(message: Message) -> tuple[ToolCall, ...]:
    """Return the tool calls of a message, in order. Only an assistant message can have any."""
    return tuple(block for block in message.content if isinstance(block, ToolCall))

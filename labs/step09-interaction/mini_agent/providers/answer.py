"""An answer under way: what has arrived of it, and the message that it makes.

Both providers fill in this form; they differ in how they read the wire.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from ..messages import (
    AssistantMessage,
    ContentBlock,
    JsonObject,
    StopReason,
    TextContent,
    ThinkingContent,
    ToolCall,
    Usage,
)
from ..stream import StreamEvent, TextDelta, ThinkingDelta, ToolCallEnd, ToolCallStart
from .text import parse_arguments, whole_characters

Events = tuple[StreamEvent, ...]
B = TypeVar("B", bound="Builder")


@dataclass(slots=True, kw_only=True)
class TextBuilder:
    """A block of text, growing."""

    delta: ClassVar[Callable[..., StreamEvent]] = TextDelta
    """The event that tells of a piece."""

    pieces: list[str] = field(default_factory=list)

    half: str = ""
    """The first half of a character, if a piece ended with it."""

    def add(self, piece: str) -> Events:
        """Take the next piece, and return the event that tells of it, if there is one."""
        whole, self.half = whole_characters(self.half + piece)
        if not whole:
            return ()
        self.pieces.append(whole)
        return (type(self).delta(text=whole),)

    @property
    def text(self) -> str:
        """All of it so far."""
        return "".join(self.pieces)


@dataclass(slots=True, kw_only=True)
class ThinkingBuilder(TextBuilder):
    """What a model thinks, growing."""

    delta: ClassVar[Callable[..., StreamEvent]] = ThinkingDelta

    payload: JsonObject = field(default_factory=dict)
    """What the provider wants to see again. Empty: it broke off, or there is nothing to return."""

    signature: str = ""
    """What has arrived of the provider's seal, which makes the payload complete."""


@dataclass(slots=True, kw_only=True)
class CallBuilder:
    """A tool call, growing. Its arguments are a text until the end."""

    id: str

    name: str = ""
    """Some servers say it later than the id. The user hears of the call when it has a name."""

    pieces: list[str] = field(default_factory=list)

    if_empty: str = "{}"
    """The arguments, if no piece of them ever comes."""

    payload: JsonObject = field(default_factory=dict)
    """What the provider wants to see again beside this call."""

    started: bool = False
    call: ToolCall | None = None
    """None: it is not complete."""

    def start(self) -> Events:
        """Return the event that tells of it, once."""
        if self.started:
            return ()
        self.started = True
        return (ToolCallStart(id=self.id, name=self.name),)

    def end(self) -> Events:
        """Read the arguments, once and strictly. No event if that has been done before."""
        if self.call is not None:
            return ()
        text, _ = whole_characters("".join(self.pieces))
        text = text if text.strip() else self.if_empty
        arguments = parse_arguments(text)
        malformed = text if arguments is None else None
        self.call = ToolCall(
            id=self.id, name=self.name, arguments=arguments or {}, malformed=malformed
        )
        return (*self.start(), ToolCallEnd(call=self.call))


Builder = TextBuilder | CallBuilder


@dataclass(slots=True, kw_only=True)
class MessageBuilder:
    """What has arrived of an answer."""

    provider: str = ""
    model: str = ""
    """Who answers. What it thinks goes back to nobody else."""

    blocks: list[Builder] = field(default_factory=list)
    """In the order of their starts."""

    growing: dict[object, Builder] = field(default_factory=dict)
    """The same, by the key under which the provider sends their pieces."""

    stop_reason: StopReason | None = None
    """None: the server has not said, or it has in words that we do not know."""

    raw_stop_reason: str | None = None
    """The stop reason in the server's own words."""

    usage: Usage | None = None

    complete: bool = False
    """The provider's own end marker has come. Nothing after it counts."""

    may_end: bool = False
    """All has been said; if the stream ends now, it only lacks its end marker."""

    def start_text(self, key: object) -> TextBuilder:
        """Add a block of text. Its pieces will tell of it."""
        return self._start(key, TextBuilder())

    def start_thinking(self, key: object) -> ThinkingBuilder:
        """Add a block of what the model thinks. Its pieces will tell of it."""
        return self._start(key, ThinkingBuilder())

    def add_text(self, key: object, piece: str) -> Events:
        """Add to the text that grows under `key`, if none has begun after it.

        Else a new block begins: so the blocks stand in the order in which the user saw them.
        """
        text = self.growing.get(key)
        shown = [block for block in self.blocks if type(block) is TextBuilder]
        if type(text) is not TextBuilder or text is not shown[-1]:
            text = self.start_text(key)
        return text.add(piece)

    def add_thinking(self, key: object, piece: str) -> Events:
        """Add to what the model thinks, under `key`."""
        thinking = self.growing.get(key)
        if not isinstance(thinking, ThinkingBuilder):
            thinking = self.start_thinking(key)
        return thinking.add(piece)

    def start_call(self, key: object, call: CallBuilder) -> CallBuilder:
        """Add a tool call."""
        call.id, call.name = whole_characters(call.id)[0], whole_characters(call.name)[0]
        return self._start(key, call)

    def end_calls(self) -> Events:
        """End all tool calls that have not ended yet."""
        calls = [block for block in self.blocks if isinstance(block, CallBuilder)]
        return tuple(event for call in calls for event in call.end())

    @property
    def is_visible(self) -> bool:
        """Whether the user has got to see something of it."""
        return any(isinstance(block, CallBuilder) or block.pieces for block in self.blocks)

    def message(
        self, stop_reason: StopReason, *, error_message: str | None = None
    ) -> AssistantMessage:
        """Return what has arrived, as a message. A tool call that broke off is left out."""
        return AssistantMessage(
            content=tuple(content for block in self.blocks for content in self._content_of(block)),
            stop_reason=stop_reason,
            error_message=error_message,
            usage=self.usage,
        )

    def _start(self, key: object, block: B) -> B:
        self.blocks.append(block)
        self.growing[key] = block
        return block

    def _content_of(self, block: Builder) -> Iterator[ContentBlock]:
        match block:
            case CallBuilder(call=None):
                return
            case CallBuilder(call=ToolCall() as call, payload=payload):
                if payload:
                    yield self._thought("", payload)
                yield call
            case ThinkingBuilder(payload=payload):
                if block.text or payload:
                    yield self._thought(block.text, payload)
            case TextBuilder():
                if block.text:
                    yield TextContent(text=block.text)

    def _thought(self, text: str, payload: JsonObject) -> ThinkingContent:
        return ThinkingContent(text=text, payload=payload, provider=self.provider, model=self.model)

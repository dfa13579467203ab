"""An answer under way: what has arrived of it, and the message that it makes.

Both providers fill in this form; they differ in how they read the wire.
"""

from dataclasses import dataclass, field

from ..messages import AssistantMessage, ContentBlock, StopReason, TextContent, ToolCall, Usage
from ..stream import StreamEvent, TextDelta, ToolCallEnd, ToolCallStart
from .text import parse_arguments, whole_characters

Events = tuple[StreamEvent, ...]


@dataclass(slots=True, kw_only=True)
class TextBuilder:
    """A block of text, growing."""

    pieces: list[str] = field(default_factory=list)

    half: str = ""
    """The first half of a character, if a piece ended with it."""

    def add(self, piece: str) -> Events:
        """Take the next piece, and return the event that tells of it, if there is one."""
        whole, self.half = whole_characters(self.half + piece)
        if not whole:
            return ()
        self.pieces.append(whole)
        return (TextDelta(text=whole),)


@dataclass(slots=True, kw_only=True)
class CallBuilder:
    """A tool call, growing. Its arguments are a text until the end."""

    id: str
    name: str
    pieces: list[str] = field(default_factory=list)

    if_empty: str = "{}"
    """The arguments, if no piece of them ever comes."""

    call: ToolCall | None = None
    """None: it is not complete."""

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
        return (ToolCallEnd(call=self.call),)


@dataclass(slots=True, kw_only=True)
class MessageBuilder:
    """What has arrived of an answer."""

    blocks: list[TextBuilder | CallBuilder] = field(default_factory=list)
    """In the order of their starts."""

    growing: dict[object, TextBuilder | CallBuilder] = field(default_factory=dict)
    """The same, by the key under which the provider sends their pieces."""

    stop_reason: StopReason | None = None
    """None: the server has not said, or it has in words that we do not know."""

    raw_stop_reason: str | None = None
    """The stop reason in the server's own words."""

    usage: Usage | None = None

    complete: bool = False
    """The provider's own end marker has come. Nothing after it counts."""

    def start_text(self, key: object) -> TextBuilder:
        """Add a block of text. Its pieces will tell of it."""
        text = TextBuilder()
        self.blocks.append(text)
        self.growing[key] = text
        return text

    def start_call(self, key: object, call: CallBuilder) -> Events:
        """Add a tool call, and return the event that tells of it."""
        call.id, call.name = whole_characters(call.id)[0], whole_characters(call.name)[0]
        self.blocks.append(call)
        self.growing[key] = call
        return (ToolCallStart(id=call.id, name=call.name),)

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
        blocks = (_content_of(block) for block in self.blocks)
        return AssistantMessage(
            content=tuple(block for block in blocks if block is not None),
            stop_reason=stop_reason,
            error_message=error_message,
            usage=self.usage,
        )


def _content_of(block: TextBuilder | CallBuilder) -> ContentBlock | None:
    if isinstance(block, CallBuilder):
        return block.call
    return TextContent(text="".join(block.pieces)) if block.pieces else None

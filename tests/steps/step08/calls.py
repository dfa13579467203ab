"""Call a model over HTTP, and hold what it streams to the contract."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from mini_agent.abort import AbortSignal
from mini_agent.messages import AssistantMessage, Context, message_text, tool_calls, user_text
from mini_agent.providers.create import create_model
from mini_agent.providers.retry import Timeouts
from mini_agent.sessions.entries import MessageEntry, decode, encode
from mini_agent.stream import (
    TERMINAL,
    Notice,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamFn,
    StreamOptions,
    StreamStart,
    TextDelta,
    ToolCallEnd,
    ToolCallStart,
)

from .wires import ProviderName

KEY = "sk-test-SECRET123"
NOON = 1_700_000_000.0  # a Tuesday in 2023


@dataclass(kw_only=True)
class Clock:
    """Waits for nothing, and remembers for how long it should have."""

    waits: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def timeouts(self, *, idle: float = 10.0) -> Timeouts:
        return Timeouts(connect=10.0, idle=idle, sleep=self.sleep, now=lambda: NOON)


def model_at(provider: ProviderName, address: str, timeouts: Timeouts | None = None) -> StreamFn:
    """Return the model behind a stub."""
    name = provider.upper()
    environment = {f"{name}_API_KEY": KEY, f"{name}_BASE_URL": address}
    _, model = create_model(environment, timeouts=timeouts or Clock().timeouts())
    return model


async def collect(
    model: StreamFn,
    context: Context | None = None,
    *,
    signal: AbortSignal | None = None,
    each: Callable[[StreamEvent], None] = lambda event: None,
) -> list[StreamEvent]:
    """Return the events of one call, after they have passed the check; `each` sees them live."""
    context = context or Context(messages=[user_text("你好")])
    options = StreamOptions(signal=signal or AbortSignal())
    events: list[StreamEvent] = []
    async with aclosing(model(context, options=options)) as stream:
        async for event in stream:
            events.append(event)
            each(event)
    check_contract(events)
    return events


def last(events: list[StreamEvent]) -> AssistantMessage:
    """Return the message at the end."""
    end = events[-1]
    assert isinstance(end, StreamDone | StreamError)
    return end.message


def notices(events: list[StreamEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


def check_contract(events: list[StreamEvent]) -> None:
    """Hold a whole stream to what `StreamFn` promises."""
    assert [isinstance(event, TERMINAL) for event in events] == [False] * (len(events) - 1) + [True]
    message = last(events)
    told = [event for event in events if not isinstance(event, Notice)]
    starts = [event for event in told if isinstance(event, StreamStart)]
    if isinstance(events[-1], StreamDone):
        assert message.stop_reason not in ("error", "aborted")
        assert message.error_message is None
        assert len(starts) == 1
    else:
        assert message.stop_reason in ("error", "aborted")
        assert (message.error_message is not None) == (message.stop_reason == "error")
        assert message.error_message != ""
    assert len(starts) <= 1
    if len(told) > 1:
        assert isinstance(told[0], StreamStart)

    deltas = [event.text for event in told if isinstance(event, TextDelta)]
    assert all(deltas)
    assert message_text(message) == "".join(deltas)
    assert all(block.text for block in message.content if block.type == "text")

    opened = [(event.id, event.name) for event in told if isinstance(event, ToolCallStart)]
    ended = [event.call for event in told if isinstance(event, ToolCallEnd)]
    calls = tool_calls(message)
    assert sorted(calls, key=repr) == sorted(ended, key=repr)
    order = [(call.id, call.name) for call in calls]
    assert order == [each for each in opened if each in order]
    entry = MessageEntry(id="m1", parent_id=None, message=message)
    assert decode(encode(entry)) == entry  # it can be stored

"""A model that answers from a script: same question, same answer, no network, no key.

Not here: answers by number instead of by rule. `scripted_model.py` gives those.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from .messages import AssistantMessage, Context, TextContent, ToolCall, message_text
from .playback import play
from .stream import StreamEvent, StreamFn, StreamOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeRule:
    """One line of the script."""

    match: str | None = None
    """The rule applies if the last message contains this text, case-sensitive. None: always."""

    reply: str = ""

    calls: tuple[ToolCall, ...] = ()
    """Tool calls behind the reply. Their results come back as last messages: rules chain."""

    error: str | None = None
    """What goes wrong behind the reply. None: nothing does."""

    make: "Callable[[str], FakeRule] | None" = None
    """Makes the rule that answers, out of the text that it answers. None: it is this one."""


FALLBACK = FakeRule(reply="（FakeModel 没有命中任何规则，也没有兜底规则。）")
"""What answers when no rule applies."""


def create_fake_model(rules: Sequence[FakeRule], *, delay: float = 0.0) -> StreamFn:
    """Return a model that answers by the first rule that applies to the last message.

    The order of the rules is part of their meaning: behind a rule without
    `match` no other rule is ever reached. If no rule applies, the answer is
    `FALLBACK`.

    `delay` is the time before each event, in seconds; 0 means no wait.
    """

    def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        text = message_text(context.messages[-1]) if context.messages else ""
        rule = next((rule for rule in rules if applies(rule, text)), FALLBACK)
        signal = (options or StreamOptions()).signal
        return play(answer_of(rule.make(text) if rule.make else rule), signal=signal, delay=delay)

    return stream


def applies(rule: FakeRule, text: str) -> bool:
    """Tell whether `rule` answers `text`."""
    return rule.match is None or rule.match in text


def answer_of(rule: FakeRule) -> AssistantMessage:
    """Return the message that `rule` stands for."""
    text = (TextContent(text=rule.reply),) if rule.reply else ()
    content = (*text, *rule.calls)
    if rule.error is not None:
        return AssistantMessage(content=content, stop_reason="error", error_message=rule.error)
    return AssistantMessage(content=content, stop_reason="tool_use" if rule.calls else "stop")

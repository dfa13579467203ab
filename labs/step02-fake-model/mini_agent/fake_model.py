"""A model that answers from a script: same question, same answer, no network, no key.

Not here: an answer that arrives piece by piece (step 03).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from .messages import AssistantMessage, Context, TextContent, message_text

CompleteFn = Callable[[Context], Awaitable[AssistantMessage]]
"""A model is a function: it gets the whole context and returns the next assistant message.

Whoever calls it cannot see who answers. That is the seam on which every later step stands.
"""

NO_RULE_MATCHED = "（FakeModel 没有命中任何规则，也没有兜底规则。）"


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeRule:
    """One line of the script."""

    match: str | None = None
    """The rule applies if the last message contains this text, case-sensitive. None: always."""

    reply: str


def create_fake_model(rules: Sequence[FakeRule]) -> CompleteFn:
    """Return a model that answers by the first rule that applies to the last message.

    The order of the rules is part of their meaning: behind a rule without
    `match` no other rule is ever reached. If no rule applies, the answer is
    `NO_RULE_MATCHED`.
    """

    async def complete(context: Context) -> AssistantMessage:
        text = message_text(context.messages[-1]) if context.messages else ""
        reply = next((rule.reply for rule in rules if applies(rule, text)), NO_RULE_MATCHED)
        return AssistantMessage(content=(TextContent(text=reply),))

    return complete


def applies(rule: FakeRule, text: str) -> bool:
    """Tell whether `rule` answers `text`."""
    return rule.match is None or rule.match in text

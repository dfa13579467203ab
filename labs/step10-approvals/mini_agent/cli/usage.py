"""What the model calls of a conversation have cost, in tokens."""

from collections.abc import Iterable

from ..messages import AssistantMessage, Message, Usage


def total_usage(messages: Iterable[Message]) -> Usage | None:
    """Return the sum over all answers; None: no model has said anything about it."""
    every = [one.usage for one in messages if isinstance(one, AssistantMessage) and one.usage]
    if not every:
        return None
    return Usage(
        input_tokens=sum(usage.input_tokens for usage in every),
        output_tokens=sum(usage.output_tokens for usage in every),
        cached_tokens=sum(usage.cached_tokens for usage in every),
    )


def describe_usage(messages: Iterable[Message]) -> str:
    """Return it as a line for the user; "" if nothing is known."""
    usage = total_usage(messages)
    if usage is None:
        return ""
    cached = f"（其中缓存 {usage.cached_tokens}）" if usage.cached_tokens else ""
    return f"用量：输入 {usage.input_tokens}{cached}，输出 {usage.output_tokens} 个 token"

"""Call ids tie results to calls, so they must be unique. Not every model sees to that.

Not here: results that lost their call in a history from elsewhere (step 06).
"""

from collections.abc import Iterable
from dataclasses import replace

from .messages import AssistantMessage, ContentBlock, Message, ToolCall, tool_calls


def ids_in(messages: Iterable[Message]) -> set[str]:
    """Return the ids of all calls in `messages`."""
    return {call.id for message in messages for call in tool_calls(message)}


def with_unique_ids(message: AssistantMessage, taken: set[str]) -> AssistantMessage:
    """Return `message` with call ids that are neither empty nor `taken`; now they are taken.

    A call that has to change its id is still a call: none is lost, none is merged.
    """
    content = tuple(_with_unique_id(block, taken) for block in message.content)
    if content == message.content:
        return message
    return replace(message, content=content)


def _with_unique_id(block: ContentBlock, taken: set[str]) -> ContentBlock:
    if not isinstance(block, ToolCall):
        return block
    wanted = block.id or "call"
    free, number = wanted, len(taken)
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    taken.add(free)
    return block if free == block.id else replace(block, id=free)

"""Make a history that comes from elsewhere fit to be sent: each call with its one result.

Only what is sent is repaired; the record stays as it happened. Not here: what the
loop itself adds to a history, which is well formed already.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from ..call_ids import with_unique_ids
from ..messages import (
    AssistantMessage,
    ContentBlock,
    Message,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    message_text,
    tool_calls,
)
from ..results import error_result
from ..text import replace_surrogates

NO_RESULT = (
    "没有留下结果：调用期间程序中断了，或者结果在另一条分支上。它可能没有执行，也可能已经生效。"
    "不要直接重做，先查明现在的状态。"
)

NOT_KEPT = "（会话存不下这些参数）"


def repair(messages: Sequence[Message]) -> list[Message]:
    """Return `messages` so that each call is followed by its one result, in the order of the calls.

    A call without a result gets an error in its place. A result without a call,
    or a second one for the same call, is left out. An id that comes again is made unique.
    """
    sent: list[Message] = []
    taken: set[str] = set()
    for place, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            results = _results_behind(messages, place)
            answer = with_unique_ids(message, taken)
            sent.append(answer)
            for call, renamed in zip(tool_calls(message), tool_calls(answer), strict=True):
                result = _take(results, call) or effect_unknown(call)
                sent.append(replace(result, tool_call_id=renamed.id))
        elif not isinstance(message, ToolResultMessage):  # a result comes with its call
            sent.append(message)
    return sent


def what_was_amiss(record: Sequence[Message], sent: Sequence[Message]) -> str:
    """Say what `repair` has left out of `record` and added to it; nothing if it is as it was."""
    added = _unknown_in(sent) - _unknown_in(record)
    left_out = len(_results_in(record)) + added - len(_results_in(sent))
    parts = [f"{left_out} 条结果没有对应的调用，没有发给模型"] if left_out else []
    parts += [f"{added} 个调用没有结果，补上了「效果未知」"] if added else []
    return "；".join(parts)


def open_calls(messages: Sequence[Message]) -> list[ToolCall]:
    """Return the calls of the last answer that have no result: what a crash can leave behind."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if isinstance(message, AssistantMessage):
            results = _results_behind(messages, place)
            return [call for call in tool_calls(message) if _take(results, call) is None]
    return []


def effect_unknown(call: ToolCall) -> ToolResultMessage:
    """Return the result of a call of which nobody knows whether it ran. It is never run again."""
    return error_result(call, NO_RESULT)


def storable(message: Message) -> Message:
    """Return `message` without what strict JSON cannot carry, be it what it may.

    Arguments of calls and what a provider wants back are left out; half a character becomes
    U+FFFD. So one bad message costs a part of itself, and not the rest of the conversation.
    """
    match message:
        case AssistantMessage(content=content, error_message=error):
            blocks = tuple(_storable_block(block) for block in content)
            text = None if error is None else replace_surrogates(error)
            return replace(message, content=blocks, error_message=text)
        case UserMessage(content=content):
            return replace(message, content=tuple(map(_storable_text, content)))
        case ToolResultMessage(tool_call_id=call_id, tool_name=name, content=content):
            return replace(
                message,
                tool_call_id=replace_surrogates(call_id),
                tool_name=replace_surrogates(name),
                content=tuple(map(_storable_text, content)),
                details=None,
            )
        case _:
            assert_never(message)


def _storable_text(block: TextContent) -> TextContent:
    return replace(block, text=replace_surrogates(block.text))


def _storable_block(block: ContentBlock) -> ContentBlock:
    match block:
        case TextContent():
            return _storable_text(block)
        case ThinkingContent(text=text):
            return ThinkingContent(text=replace_surrogates(text))
        case ToolCall(id=call_id, name=name):
            return ToolCall(
                id=replace_surrogates(call_id),
                name=replace_surrogates(name),
                malformed=NOT_KEPT,
            )
        case _:
            assert_never(block)


def _results_behind(messages: Sequence[Message], place: int) -> list[ToolResultMessage]:
    """Return the results between an answer and the next one: ids may come again after that."""
    results = []
    for index in range(place + 1, len(messages)):  # a slice would copy the whole rest
        message = messages[index]
        if isinstance(message, AssistantMessage):
            break
        if isinstance(message, ToolResultMessage):
            results.append(message)
    return results


def _take(results: list[ToolResultMessage], call: ToolCall) -> ToolResultMessage | None:
    """Take the first result of `call` out of `results`: an id may be there twice."""
    for result in results:
        if result.tool_call_id == call.id:
            results.remove(result)
            return result
    return None


def _results_in(messages: Sequence[Message]) -> list[ToolResultMessage]:
    return [message for message in messages if isinstance(message, ToolResultMessage)]


def _unknown_in(messages: Sequence[Message]) -> int:
    return sum(message_text(result) == NO_RESULT for result in _results_in(messages))

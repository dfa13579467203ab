"""What the model is told about its calls: each one gets a result, whatever became of it."""

import json
from dataclasses import dataclass

from .messages import TextContent, ToolCall, ToolResultMessage, message_text
from .text import replace_surrogates

NO_OUTPUT = "（没有输出）"
NEVER_STARTED = "没有执行：还没轮到它，这一轮就结束了。"
INTERRUPTED = "已中止：它已经开始执行，做了多少不得而知。"
CUT_OFF = "没有执行：回答达到了长度上限，调用可能不完整。请重新发出；内容太长就分几次。"
CHANGED = "（参数被改过，实际执行的是 {arguments}）"
MALFORMED = "没有执行：参数不是 JSON 对象。收到的是：{received}"
WITHHELD = "工具已经执行，但它的结果没有通过检查，没有留下。"
UNCHECKED = "工具已经执行，但检查它的结果时出了错，结果没有留下：{error}"
WRONG_TYPE = "工具返回了 {type}，而不是文字。"

MAX_EXCERPT = 200
"""Characters of a malformed argument text that the model gets to see again."""


class ToolError(Exception):
    """Raised when a tool cannot do what it was asked to; the model gets to read the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a tool brings back, if a text for the model is not all."""

    text: str

    details: str | None = None
    """What the user sees in place of the text. None: the text."""


def check_arguments(call: ToolCall) -> None:
    """Raise `ToolError` if the arguments of `call` are not even an object."""
    if call.malformed is not None:
        raise ToolError(MALFORMED.format(received=call.malformed[:MAX_EXCERPT]))


def tool_result(call: ToolCall, output: object) -> ToolResultMessage:
    """Return the result of a call that went well.

    Raises:
        ToolError: `output` is none of the three things that a tool may return.
    """
    match output:
        case ToolOutput(text=str(text), details=str() | None as details):
            return _result(call, text or NO_OUTPUT, details=details, is_error=False)
        case str() | None:
            return _result(call, output or NO_OUTPUT, details=None, is_error=False)
        case ToolOutput(text=str(), details=wrong) | ToolOutput(text=wrong) | wrong:
            raise ToolError(WRONG_TYPE.format(type=type(wrong).__name__))


def error_result(call: ToolCall, text: str) -> ToolResultMessage:
    """Return the result of a call that failed, or was not run at all."""
    return _result(call, text, details=None, is_error=True)


def result_of(call: ToolCall, result: ToolResultMessage) -> ToolResultMessage:
    """Return `result`, if it is one of `call`; else it would tear the history apart.

    Raises:
        ValueError: it is not.
    """
    if (result.tool_call_id, result.tool_name) != (call.id, call.name):
        raise ValueError("a hook returned the result of another call")
    return result


def naming_arguments(result: ToolResultMessage, ran: ToolCall) -> ToolResultMessage:
    """Return `result` with a line in front that says with which arguments its call `ran`.

    The message above it shows what the model wanted. Whoever reads the record, the model too,
    has to see what was done.
    """
    line = CHANGED.format(arguments=json.dumps(ran.arguments, ensure_ascii=False))
    details = None if result.details is None else f"{line}\n{result.details}"
    return _result(
        ran, f"{line}\n{message_text(result)}", details=details, is_error=result.is_error
    )


def describe(error: BaseException) -> str:
    """Say what went wrong in a tool: no stack, no path of this machine, and never nothing."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # a task group wraps what one of its tasks raised
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, ToolError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _result(call: ToolCall, text: str, *, details: str | None, is_error: bool) -> ToolResultMessage:
    return ToolResultMessage(
        tool_call_id=call.id,
        tool_name=call.name,
        content=(TextContent(text=replace_surrogates(text)),),
        details=None if details is None else replace_surrogates(details),
        is_error=is_error,
    )

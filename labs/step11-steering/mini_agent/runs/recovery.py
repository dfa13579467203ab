"""After a crash: calls without a result get one, out of what the log knows about them."""

from collections.abc import Collection

from ..messages import ToolCall, ToolResultMessage
from ..results import error_result, tool_result
from ..sessions.repair import effect_unknown, open_calls
from ..text import one_line
from .ask import REQUEST_USER_INPUT, WAITING
from .events import PlanRevised, UserInputRequested
from .log import RunLog
from .update_plan import UPDATE_PLAN

ONLY_LOOKED = "没有留下结果：程序中断了。这个调用只是读，需要就再来一次。"
NOT_BEGUN = "没有执行：程序还没有开始做就中断了。"
DONE = "已经执行完，但程序中断了，结果没有留下。不要重做。"
FAILED = "执行时报了错，但程序中断了，错误没有留下。先查明现在的状态。"
REVISED = "计划已经改好，现在是第 {version} 版；程序随后中断了。"
NOT_REVISED = "计划没有改：程序中断了。需要就再改一次。"
NOT_ASKED = "没有问出去：程序中断了。需要就再问一次。"


def settle_open_calls(log: RunLog, *, looking: Collection[str]) -> list[str]:
    """Store a result for each call that a crash left without one; return notices for the user.

    `looking` names the tools that only look: those can simply be called again.

    Raises:
        SessionError: it could not be stored.
    """
    notices = []
    for call in open_calls(log.session.messages()):
        result = _result_of(call, log, looking)
        log.session.add_message(result)
        if result == effect_unknown(call):
            notices.append(f"（上次中断时 {one_line(call.name)} 还没有结果，它的效果未知）")
    return notices


def _result_of(call: ToolCall, log: RunLog, looking: Collection[str]) -> ToolResultMessage:
    if call.name in looking:
        return error_result(call, ONLY_LOOKED)
    # What has happened since the model was called: it can be no other question, no other plan.
    news = log.current.news if log.current is not None else ()
    if call.name == REQUEST_USER_INPUT:
        for event in news:
            if isinstance(event, UserInputRequested):
                return tool_result(call, WAITING.format(id=event.request.id))
        return error_result(call, NOT_ASKED)
    if call.name == UPDATE_PLAN:
        for event in news:
            if isinstance(event, PlanRevised):
                return tool_result(call, REVISED.format(version=event.plan.version))
        return error_result(call, NOT_REVISED)
    return _effect_of(call, log)


def _effect_of(call: ToolCall, log: RunLog) -> ToolResultMessage:
    """Return what the log knows of a call that may have changed something."""
    if log.current is None:  # a conversation of before there were runs
        return effect_unknown(call)
    effect = next((one for one in reversed(log.current.effects) if one.id == call.id), None)
    if effect is None:
        return error_result(call, NOT_BEGUN)
    match effect.outcome:
        case "unknown":
            return effect_unknown(call)
        case "done":
            return tool_result(call, DONE)
        case "error":
            return error_result(call, FAILED)

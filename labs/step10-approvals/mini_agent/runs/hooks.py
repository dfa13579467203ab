"""Where the run takes part in the loop: its own hooks, around those of the extensions."""

from dataclasses import replace

from ..hooks import LoopHooks
from ..messages import AssistantMessage, ToolCall, ToolResultMessage, tool_calls
from .ask import REQUEST_USER_INPUT
from .log import RunLog
from .permissions import Permissions

MIXED = (
    "invalid_model_output：request_user_input 要单独调用，同一轮里不能有别的调用。"
    "这一轮什么也没有执行，请重来。"
)


def run_hooks(log: RunLog, inner: LoopHooks, permissions: Permissions) -> LoopHooks:
    """Return the hooks of the run of `log`, with `inner` inside of them."""

    async def after_message(message: AssistantMessage) -> str | None:
        """Refuse a turn in which a question stands beside anything else."""
        permissions.begin_turn()
        names = [call.name for call in tool_calls(message)]
        if REQUEST_USER_INPUT in names and len(names) > 1:
            return MIXED
        return await inner.after_message(message) if inner.after_message else None

    async def before_call(call: ToolCall) -> ToolCall | ToolResultMessage:
        """Let a question pass: it changes nothing, so no gate has a say in it.

        All others go by the gates of the extensions first: what they make of a call is what
        the user is asked about.
        """
        if call.name == REQUEST_USER_INPUT:
            return call
        passed = call if inner.before_call is None else await inner.before_call(call)
        return permissions.before_call(passed) if isinstance(passed, ToolCall) else passed

    async def stop_after_turn(
        message: AssistantMessage, results: tuple[ToolResultMessage, ...]
    ) -> str | None:
        """End the turn at which the run began to wait."""
        if log.state.status == "waiting":
            return log.state.stop_reason
        return None

    return replace(
        inner,
        after_message=after_message,
        before_call=before_call,
        stop_after_turn=stop_after_turn,
    )

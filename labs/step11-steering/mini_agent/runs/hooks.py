"""Where the run takes part in the loop: its own hooks, around those of the extensions."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..hooks import LoopHooks
from ..messages import (
    AssistantMessage,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    tool_calls,
    user_text,
)
from .ask import REQUEST_USER_INPUT
from .briefing import briefing
from .log import RunLog
from .permissions import Permissions
from .update_plan import UPDATE_PLAN

MIXED = (
    "invalid_model_output：request_user_input 要单独调用，同一轮里不能有别的调用。"
    "这一轮什么也没有执行，请重来。"
)


def run_hooks(
    log: RunLog, inner: LoopHooks, permissions: Permissions, take_in: Callable[[], None]
) -> LoopHooks:
    """Return the hooks of the run of `log`, with `inner` inside of them.

    `take_in` puts on record what the user has said meanwhile.
    """

    async def after_message(message: AssistantMessage) -> str | None:
        """Refuse a turn in which a question stands beside anything else."""
        permissions.begin_turn()
        names = [call.name for call in tool_calls(message)]
        if REQUEST_USER_INPUT in names and len(names) > 1:
            return MIXED
        return await inner.after_message(message) if inner.after_message else None

    async def before_call(call: ToolCall) -> ToolCall | ToolResultMessage:
        """Let a question and a plan pass: they change nothing, so no gate has a say in them.

        All others go by the gates of the extensions first: what they make of a call is what
        the user is asked about.
        """
        if call.name in (REQUEST_USER_INPUT, UPDATE_PLAN):
            return call
        passed = call if inner.before_call is None else await inner.before_call(call)
        return permissions.before_call(passed) if isinstance(passed, ToolCall) else passed

    async def stop_after_turn(
        message: AssistantMessage, results: tuple[ToolResultMessage, ...]
    ) -> str | None:
        """End the turn at which the run began to wait, or was cancelled."""
        take_in()
        if log.state.status != "running":
            return log.state.stop_reason
        return None

    async def steering() -> Sequence[UserMessage]:
        """Return what the user has said meanwhile."""
        text = briefing(log.state)
        return () if text is None else (user_text(text),)

    return replace(
        inner,
        steering=steering,
        after_message=after_message,
        before_call=before_call,
        stop_after_turn=stop_after_turn,
    )

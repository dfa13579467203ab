"""Before any tool starts: which calls of a message may run, and with which arguments.

The hooks decide, and whoever cannot decide has said no. The message itself stays as the
model sent it.
"""

from .errors import FOREIGN_ERRORS, is_outer_cancellation
from .execution import Batch
from .hooks import consult
from .messages import AssistantMessage, ToolCall, ToolResultMessage
from .results import describe, error_result


async def preflight(message: AssistantMessage, batch: Batch) -> None:
    """Ask the hooks about the calls of `message`, one after the other.

    Afterwards those that must not run have their result in `batch`, and the others
    their final arguments. Nothing leaves but a cancellation from outside, and Ctrl-C.
    """
    refusal = await _refusal(message, batch)
    for call in batch.calls:
        if refusal is not None:
            batch.answer(call, error_result(call, refusal))
        elif batch.hooks.before_call is not None:
            await _preflight_call(call, batch)


async def _refusal(message: AssistantMessage, batch: Batch) -> str | None:
    try:
        return await consult(batch.hooks.after_message, message, signal=batch.signal)
    except FOREIGN_ERRORS as error:  # the border of a hook: it could not say yes
        if is_outer_cancellation(error):
            raise
        return describe(error)


async def _preflight_call(call: ToolCall, batch: Batch) -> None:
    try:
        fitting = batch.tools.check(call)
    except Exception as error:  # noqa: BLE001  # a border: what does not fit is never run
        batch.outcomes[call.id] = error_result(call, describe(error))
        return
    try:
        answer = await consult(batch.hooks.before_call, fitting, signal=batch.signal)
        match answer:
            case ToolCall(id=call.id, name=call.name):
                batch.final[call.id] = batch.tools.check(answer)
                if answer.arguments != fitting.arguments:
                    batch.changed.add(call.id)
            case ToolResultMessage():
                batch.answer(call, answer)
            case _ if not batch.signal.aborted:
                raise ValueError("a hook answered with something else than this call")
    except FOREIGN_ERRORS as error:  # the border of a hook: it could not say yes
        if is_outer_cancellation(error):
            raise
        batch.answer(call, error_result(call, describe(error)))

"""From what extensions answer to what the loop does: the rules, one for each hook.

A gate that fails has said no. Not here: those that only observe (`observers.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..hooks import LoopHooks
from ..messages import (
    AssistantMessage,
    JsonObject,
    TextContent,
    ToolCall,
    ToolResultMessage,
)
from ..results import ToolError, error_result
from .events import AfterCall, AfterMessage, BeforeCall, Block, ChangeArguments, ChangeResult
from .handlers import Handler, HandlerFailed
from .registry import Extensions

BLOCKED = "没有执行：扩展 {name} 不允许。{reason}"
NO_REASON = "它没有说明原因。"
GATE_FAILED = "没有执行：扩展 {name} 检查时出了错，按不允许处理。"
INVALID_CHANGE = "扩展 {name} 改了参数，而改过的不合要求。{error}"
NEVER_AGREED = "没有执行：扩展对参数改来改去，没有定下来。"
RESULT_FAILED = "扩展 {name} 出了错"

MAX_QUESTIONS = 100
"""How often gates are asked about one call, until it is clear that they will never agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The no of a gate."""

    text: str
    """For the model to read."""


class ExtensionHooks:
    """The hooks of all extensions together."""

    def __init__(self, extensions: Extensions, *, check: Callable[[ToolCall], ToolCall]) -> None:
        """`check` is that of the `Toolset`: arguments that a gate has changed must fit, too."""
        self._extensions = extensions
        self._check = check

    def loop_hooks(self) -> LoopHooks:
        """Return the hooks for the loop; where there is no extension, there is no hook."""
        if not self._extensions.names:
            return LoopHooks()
        return LoopHooks(
            after_message=self.after_message,
            before_call=self.before_call,
            after_call=self.after_call,
        )

    async def after_message(self, message: AssistantMessage) -> str | None:
        """Return why no call of `message` may run: the first one that says no decides."""
        for gate in self._extensions.in_turn(AfterMessage):
            answer = await self._ask_gate(gate, AfterMessage(message=message))
            if isinstance(answer, Refused):
                return answer.text
        return None

    async def before_call(self, call: ToolCall) -> ToolCall | ToolResultMessage:
        """Let `call` pass when every gate has seen it with the arguments that will run."""
        seen: dict[Handler, ToolCall] = {}
        for _ in range(MAX_QUESTIONS):
            gates = self._extensions.handlers(BeforeCall)
            # `is`: a change makes another call, and then all gates have to see that one, those
            # before it as well: what they let pass was not what will run. See chapter 07.
            gate = next((gate for gate in gates if seen.get(gate) is not call), None)
            if gate is None:
                return call
            seen[gate] = call
            answer: Refused | ChangeArguments | ToolCall | None
            answer = await self._ask_gate(gate, BeforeCall(call=call))
            if isinstance(answer, ChangeArguments):
                answer = self._changed(call, answer.arguments, by=gate.extension)
            match answer:
                case Refused(text=text):
                    return error_result(call, text)
                case ToolCall() if answer.arguments != call.arguments:
                    call = answer
        return error_result(call, NEVER_AGREED)

    async def after_call(self, call: ToolCall, result: ToolResultMessage) -> ToolResultMessage:
        """Return what all of them together have made of `result`.

        Raises:
            ToolError: one of them failed, and so nobody knows what it would have taken out.
        """
        for handler in self._extensions.in_turn(AfterCall):
            try:
                answer = await self._extensions.ask(handler, AfterCall(call=call, result=result))
            except HandlerFailed:
                raise ToolError(RESULT_FAILED.format(name=handler.extension)) from None
            if isinstance(answer, ChangeResult):
                result = _changed_result(result, answer)
        return result

    async def _ask_gate(self, gate: Handler, event: object) -> Refused | ChangeArguments | None:
        """Return the answer of `gate`. One that fails has refused."""
        try:
            answer = await self._extensions.ask(gate, event)
        except HandlerFailed:
            return Refused(text=GATE_FAILED.format(name=gate.extension))
        match answer:
            case Block(reason=reason):
                text = BLOCKED.format(name=gate.extension, reason=reason or NO_REASON)
                return Refused(text=text)
            case ChangeArguments():
                return answer
        return None

    def _changed(self, call: ToolCall, arguments: JsonObject, *, by: str) -> ToolCall | Refused:
        try:
            return self._check(replace(call, arguments=arguments))
        except ToolError as error:
            return Refused(text=INVALID_CHANGE.format(name=by, error=error))


def _changed_result(result: ToolResultMessage, change: ChangeResult) -> ToolResultMessage:
    is_error = result.is_error if change.is_error is None else change.is_error
    content = (TextContent(text=change.text),)
    return replace(result, content=content, is_error=is_error, details=None)

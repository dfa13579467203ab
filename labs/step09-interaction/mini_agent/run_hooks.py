"""Where the run takes part in the loop: its own hooks, around those of the extensions."""

from collections.abc import Callable, Collection, Sequence

from .abort import AbortSignal
from .clarification import normal_form, objection
from .execution import ToolExecutor
from .hooks import LoopHooks
from .interaction import wait_for_user_input
from .messages import AssistantMessage, ToolCall, ToolResultMessage, UserMessage, tool_calls
from .results import ToolOutput, error_result, tool_result
from .run_desk import RunDesk
from .run_events import KIND
from .run_permissions import RunPermissions
from .run_plan import update_plan
from .run_tools import REQUEST_USER_INPUT, UPDATE_PLAN, plan_args, request_args
from .session_entries import CustomEntry, MessageEntry
from .tools.workspace import Workspace
from .user_input import RequestKind

MIXED = (
    "invalid_model_output：request_user_input 要单独调用，同一轮里不能有别的调用。"
    "这一轮什么也没有执行，请重来。"
)
WAITING = "waiting {id}"

STOP_REASONS: dict[RequestKind, str] = {
    "clarification": "user_input_required",
    "approval": "approval_required",
    "manual_reconciliation": "user_input_required",
}


class RunHooks:
    """The hooks of one run."""

    def __init__(
        self,
        desk: RunDesk,
        *,
        inner: LoopHooks,
        permissions: RunPermissions,
        read_only: Collection[str],
        workspace: Workspace | None,
        said_meanwhile: Callable[[], Sequence[UserMessage]],
    ) -> None:
        """Stand around `inner`. `read_only` names the tools with which the model can look."""
        self._desk = desk
        self._inner = inner
        self._permissions = permissions
        self._read_only = read_only
        self._workspace = workspace
        self._said_meanwhile = said_meanwhile

    def loop_hooks(self) -> LoopHooks:
        """Return the hooks for the loop."""
        return LoopHooks(
            after_message=self.after_message,
            before_call=self.before_call,
            after_call=self._inner.after_call,
            steering=self.steering,
            stop_after_turn=self.stop_after_turn,
        )

    def executor(self) -> ToolExecutor:
        """Return what runs the calls that have passed."""

        async def execute(
            call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
        ) -> ToolOutput | str | None:
            if call.name == UPDATE_PLAN:
                return update_plan(self._desk, plan_args(call), workspace=self._workspace)
            return await self._permissions.execute(call, signal=signal, on_update=on_update)

        return execute

    async def after_message(self, message: AssistantMessage) -> str | None:
        """Refuse a turn in which a question stands beside anything else."""
        names = [call.name for call in tool_calls(message)]
        if REQUEST_USER_INPUT in names and len(names) > 1:
            return MIXED
        return await self._inner.after_message(message) if self._inner.after_message else None

    async def before_call(self, call: ToolCall) -> ToolCall | ToolResultMessage:
        """Deal with the reserved tools here; ask the gates about all others."""
        if call.name == REQUEST_USER_INPUT:
            return self._ask(call)
        if call.name == UPDATE_PLAN:
            return call
        if (no := self._permissions.objection(call)) is not None:
            return error_result(call, no)
        return await self._inner.before_call(call) if self._inner.before_call else call

    async def steering(self) -> Sequence[UserMessage]:
        """Return what came from another terminal, and what extensions have to say."""
        said = list(self._said_meanwhile())
        if self._inner.steering is not None:
            said.extend(await self._inner.steering())
        return said

    async def stop_after_turn(
        self, message: AssistantMessage, results: tuple[ToolResultMessage, ...]
    ) -> str | None:
        """End the turn at which the run began to wait."""
        pending = self._desk.state.pending_user_input
        if pending is not None:
            return STOP_REASONS[pending.kind]
        inner = self._inner.stop_after_turn
        return await inner(message, results) if inner is not None else None

    def _ask(self, call: ToolCall) -> ToolResultMessage:
        args = request_args(call)
        no = objection(
            args, self._desk.state, checked=self._checked(), can_check=bool(self._read_only)
        )
        if no is not None:
            return error_result(call, no)
        request = self._desk.new_request(
            "clarification", question=args.question.strip(), reason=args.reason.strip()
        )
        self._desk.change(
            wait_for_user_input,
            request,
            decision=normal_form(args.decision),
            now=self._desk.now(),
        )
        return tool_result(call, WAITING.format(id=request.id))

    def _checked(self) -> set[str]:
        """Return the ids of what read-only tools have brought back since the run began."""
        found: set[str] = set()
        for entry in self._desk.session.entries():
            match entry:
                case CustomEntry(kind=kind, data={"event": {"type": "run_started"}}) if (
                    kind == KIND
                ):
                    found.clear()
                case MessageEntry(message=ToolResultMessage() as result) if (
                    result.tool_name in self._read_only and not result.is_error
                ):
                    found.add(result.tool_call_id)
        return found

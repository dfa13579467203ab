"""Side effects of a run: asked about if a gate wants that, on record before they happen.

An approval is looked up twice: when the gate asks, so that the user is asked only if there is
none, and right before the tool runs, because the file may be another one by then.
"""

from collections.abc import Callable, Collection

from .abort import AbortSignal
from .approvals import Action, action_of, denied, usable
from .briefing import shown
from .execution import ToolExecutor
from .file_state import digest_of, folder_of
from .interaction import wait_for_user_input
from .messages import ToolCall, ToolResultMessage
from .results import ToolError, ToolOutput, error_result
from .run_desk import RunDesk
from .run_events import EffectEnded, EffectStarted
from .run_fold import record
from .run_state import unsettled
from .tools.workspace import Workspace

WAITS = "approval_required：没有执行，正在等用户审批 {id}。批准之后请原样再发一次。"
ONE_AT_A_TIME = "user_input_already_pending：没有执行，{id} 还在等用户。有了结果再发。"
DENIED = "没有执行：用户拒绝过这个操作。不要再提，换一个办法，或者说明做不了。"
STALE = "没有执行：批准是给另一个状态的（文件或参数变了，或者已经用掉）。请原样再发，重新审批。"
NOT_NOW = "没有执行：运行正在等用户。有了结果再发。"
UNSETTLED = "没有执行：目标变了，先用 update_plan 说明旧改动的去留：{ids}"


class RunPermissions:
    """Stands between a run and the tools that change something."""

    def __init__(
        self,
        desk: RunDesk,
        *,
        execute: ToolExecutor,
        changing: Collection[str],
        workspace: Workspace | None,
    ) -> None:
        """Guard `execute`; the tools named in `changing` are those with side effects."""
        self._desk = desk
        self._execute = execute
        self._changing = changing
        self._workspace = workspace
        self._need_approval: set[str] = set()
        """Ids of calls that a gate lets pass on the strength of an approval only."""

    def objection(self, call: ToolCall) -> str | None:
        """Return why `call` cannot run in this state of the run, whatever a gate says."""
        open_effects = unsettled(self._desk.state)
        if call.name in self._changing and open_effects:
            return UNSETTLED.format(ids="、".join(effect.id for effect in open_effects))
        return None

    async def approval(self, call: ToolCall, reason: str) -> ToolCall | ToolResultMessage:
        """Let `call` pass if the user has approved it; if he has yet to be asked, ask him."""
        state = self._desk.state
        action = self._action(call)
        if usable(state.approvals, action.digest):
            self._need_approval.add(call.id)
            return call
        if denied(state.approvals, action.digest, goal_version=state.goal_version):
            return error_result(call, DENIED)
        if state.pending_user_input is not None:
            return error_result(call, ONE_AT_A_TIME.format(id=state.pending_user_input.id))
        question = f"允许执行 {call.name} {shown(action.arguments)} 吗？"
        request = self._desk.new_request("approval", question=question, reason=reason)
        self._desk.change(wait_for_user_input, request, action=action, now=self._desk.now())
        return error_result(call, WAITS.format(id=request.id))

    async def execute(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        """Run `call`. What it may change is on record before, and that it has ended, after.

        Raises:
            ToolError: the approval does not fit any more, or the run waits for the user.
            Exception: whatever the tool raises.
        """
        if call.name not in self._changing and call.id not in self._need_approval:
            return await self._execute(call, signal=signal, on_update=on_update)
        self._start(call)
        try:
            output = await self._execute(call, signal=signal, on_update=on_update)
        except Exception:
            self._end(call, is_error=True)
            raise
        # An abort leaves without an end on record: how far the tool has come, nobody knows.
        self._end(call, is_error=False)
        return output

    def _start(self, call: ToolCall) -> None:
        state = self._desk.state
        if state.status != "running":
            raise ToolError(NOT_NOW)
        action = self._action(call)
        approval = None
        if call.id in self._need_approval:
            approval = usable(state.approvals, action.digest)
            if approval is None:
                raise ToolError(STALE)
        event = EffectStarted(
            effect_id=call.id, action=action, approval_id=approval.id if approval else None
        )
        self._desk.change(record, event, now=self._desk.now())

    def _end(self, call: ToolCall, *, is_error: bool) -> None:
        event = EffectEnded(effect_id=call.id, is_error=is_error)
        self._desk.change(record, event, now=self._desk.now())

    def _action(self, call: ToolCall) -> Action:
        """Return what `call` would do to the file as it is now."""
        path = call.arguments.get("path")
        content: str | None = None
        if self._workspace is not None and isinstance(path, str):
            content = digest_of(self._workspace, path) or "absent"
        return action_of(call, working_folder=folder_of(self._workspace), content=content)

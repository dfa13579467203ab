"""Side effects of a run: asked about where the policy wants that, on record before they happen.

An approval is looked up twice: before the turn runs, so that the user is asked only if there is
none, and right before the tool runs, because the file may be another one by then.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace

from ..abort import AbortSignal
from ..agent_events import (
    AgentEnd,
    AgentEvent,
    AgentStart,
    ToolExecutionEnd,
    ToolExecutionStart,
)
from ..execution import Batch, Toolset
from ..hooks import LoopHooks
from ..messages import ToolCall, ToolResultMessage, message_text
from ..results import NEVER_STARTED, ToolError, ToolOutput, error_result
from ..tools.workspace import Workspace
from .approvals import (
    Action,
    Approval,
    action_of,
    call_of,
    denied,
    usable,
    with_preview,
)
from .events import ApprovalUsed, EffectEnded, EffectStarted
from .interaction import wait_for_user_input
from .log import RunLog
from .policy import Policy

REFUSED = "没有执行：权限规则不允许 {tool} {about}。换一个办法，或者说明做不了。"
DENIED = "没有执行：用户拒绝了这个操作。{reason}不要再提，换一个办法，或者说明做不了。"
WAITS = "没有执行：在等用户审批 {id}。批准以后程序会照记录执行，不用再发。"
STALE = "没有执行：批准是给另一个状态的，文件后来变了。看看现在的样子，再决定要不要重发。"

AfterCall = Callable[[ToolCall, ToolResultMessage], Awaitable[ToolResultMessage]]


@dataclass(slots=True, kw_only=True)
class Permissions:
    """Stands between a run and the tools that change something."""

    log: RunLog
    policy: Policy
    tools: Toolset
    workspace: Workspace | None
    exempt: Collection[str]
    """Tools that change nothing but the run itself."""

    ask_user: Callable[[], None]
    """Asks the user about what is pending, if there is anybody. Otherwise the run waits."""

    _turn: list[Action] = field(default_factory=list)
    """What the turn wants to change, in its order."""

    _must_ask: bool = False
    _approved: set[str] = field(default_factory=set)
    """Ids of calls that need an approval."""

    def begin_turn(self) -> None:
        """Forget the turn before."""
        self._turn, self._must_ask = [], False

    def changes(self, tool: str) -> bool:
        """Tell whether a tool may change something."""
        return tool in self.tools.sequential and tool not in self.exempt

    def before_call(self, call: ToolCall) -> ToolCall | ToolResultMessage:
        """Refuse `call`, or let it pass; whether it has to be approved, `execute` will see.

        Raises:
            ToolError: it could not be done as things are.
        """
        state = self.log.state
        changing = self.changes(call.name)
        try:
            action = action_of(call, self.workspace, with_content=changing)
        except ToolError:
            if changing:
                raise
            return call  # a look at what is not there: the tool says it best
        folder = state.working_folder
        match self.policy.verdict(action, folder, changing=changing, granted=state.granted):
            case "deny":
                return error_result(call, REFUSED.format(tool=call.name, about=action.about))
            case "ask":
                action = self._action(call)
                no = denied(state.approvals, action.digest)
                if no is not None:
                    return error_result(call, DENIED.format(reason=_reason(no)))
                action = with_preview(action, self.workspace)
                self._approved.add(call.id)
                self._must_ask |= usable(state.approvals, action.digest) is None
        if changing or call.id in self._approved:
            self._turn.append(action)
        return call

    async def execute(
        self, call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        """Run `call`. What it may change is on record before, and that it has ended, after.

        Raises:
            ToolError: it is not approved, or not as things are now.
            Exception: whatever the tool raises.
        """
        if self._must_ask:  # all calls of the turn have been looked at by now
            self._must_ask = False
            self._ask()
        if not self.changes(call.name) and call.id not in self._approved:
            return await self.tools.execute(call, signal=signal, on_update=on_update)
        self._start(call)
        try:
            output = await self.tools.execute(call, signal=signal, on_update=on_update)
        except (Exception, SystemExit):
            self._end(call, signal, is_error=True)
            raise
        self._end(call, signal, is_error=False)
        return output

    def _end(self, call: ToolCall, signal: AbortSignal, *, is_error: bool) -> None:
        """Put on record that the tool has come back by itself.

        After an abort there is no end on record: how far the tool had come, nobody knows.
        """
        if not signal.aborted:
            self.log.record(EffectEnded(effect_id=call.id, is_error=is_error))

    def _ask(self) -> None:
        """Ask the user about the whole turn at once; the question is on record first."""
        actions = tuple(self._turn)
        request = self.log.new_request(
            "approval",
            question=f"允许执行这 {len(actions)} 个操作吗？",
            reason="权限规则没有说它们可以直接执行。",
        )
        now = self.log.clock()
        self.log.save(wait_for_user_input(self.log.state, request, now=now, actions=actions))
        self._approved |= {action.call_id for action in actions}
        self.ask_user()

    def _start(self, call: ToolCall) -> None:
        state = self.log.state
        if state.pending_user_input is not None:
            raise ToolError(WAITS.format(id=state.pending_user_input.id))
        action = self._action(call)
        if (no := denied(state.approvals, action.digest)) is not None:
            raise ToolError(DENIED.format(reason=_reason(no)))
        approval = usable(state.approvals, action.digest) if call.id in self._approved else None
        if call.id in self._approved and approval is None:
            raise ToolError(STALE)
        started = EffectStarted(
            effect_id=call.id,
            tool=action.tool,
            about=action.about,
            approval_id=approval.id if approval is not None else None,
        )
        self.log.record(started)

    def _action(self, call: ToolCall) -> Action:
        return action_of(call, self.workspace)

    async def run_due(
        self, *, after_call: AfterCall | None, signal: AbortSignal
    ) -> AsyncGenerator[AgentEvent, None]:
        """Run what is approved and has not been done, from the record: no model is asked again."""
        hooks = LoopHooks(after_call=after_call)
        tools = replace(self.tools, execute=self.execute)
        yield AgentStart()
        for approval in self.log.state.due:
            if signal.aborted:
                break
            call = call_of(approval.action)
            self._approved.add(call.id)
            yield ToolExecutionStart(call=call)
            batch = Batch(calls=(call,), tools=tools, signal=signal, hooks=hooks)
            await batch.run()
            has_begun = call.id in batch.outcomes
            (result,) = batch.settle(unstarted=NEVER_STARTED)
            if has_begun:
                used = ApprovalUsed(approval_id=approval.id, report=message_text(result))
                self.log.record(used)
            yield ToolExecutionEnd(call=call, result=result)
        yield AgentEnd(reason="aborted" if signal.aborted else "completed")


def _reason(approval: Approval) -> str:
    return f"理由：{approval.reason}。" if approval.reason else ""

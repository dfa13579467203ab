"""The agent loop of a run: model, tools and hooks, each with what the run has to add to it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace

from .abort import AbortSignal
from .agent_events import AgentEnd, AgentEvent
from .agent_loop import run_agent_loop
from .execution import NO_TOOLS, Toolset
from .extension_hooks import ExtensionHooks
from .extensions import Extensions
from .messages import Context, UserMessage
from .run_desk import RunDesk
from .run_events import ModelCalled, RunEnded
from .run_fold import record
from .run_hooks import RunHooks
from .run_permissions import RunPermissions
from .run_tools import RESERVED, UPDATE_PLAN, checking_run_tools
from .stream import StreamEvent, StreamFn, StreamOptions
from .tools.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What a run works with."""

    model: StreamFn
    extensions: Extensions
    tools: Toolset = NO_TOOLS
    """Those that are not `sequential` are taken to be read-only."""

    workspace: Workspace | None = None


def loop_of_run(
    desk: RunDesk,
    context: Context,
    *,
    equipment: Equipment,
    signal: AbortSignal,
    said_meanwhile: Callable[[], Sequence[UserMessage]],
) -> AsyncGenerator[AgentEvent, None]:
    """Return the loop that works at the current run, within what is left of its budget."""
    permissions = RunPermissions(
        desk,
        execute=equipment.tools.execute,
        changing=equipment.tools.sequential,
        workspace=equipment.workspace,
    )
    gates = ExtensionHooks(
        equipment.extensions, check=equipment.tools.check, approval=permissions.approval
    )
    changing = {UPDATE_PLAN, *equipment.tools.sequential}
    hooks = RunHooks(
        desk,
        inner=gates.loop_hooks(),
        permissions=permissions,
        read_only={spec.name for spec in context.tools} - changing - RESERVED,
        workspace=equipment.workspace,
        said_meanwhile=said_meanwhile,
    )
    return run_agent_loop(
        context,
        model=counting(equipment.model, desk),
        tools=replace(
            equipment.tools,
            execute=hooks.executor(),
            check=checking_run_tools(equipment.tools.check),
            sequential=changing,
        ),
        hooks=hooks.loop_hooks(),
        max_turns=desk.state.budget - desk.state.model_calls,
        signal=signal,
    )


def counting(model: StreamFn, desk: RunDesk) -> StreamFn:
    """Return `model`, with each call on record before it is made: a crash gives none back."""

    def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        desk.change(record, ModelCalled(), now=desk.now())
        return model(context, options=options)

    return stream


def ended(end: AgentEnd) -> RunEnded:
    """Return what the end of the loop is for the run."""
    match end.reason:
        case "completed":
            return RunEnded(status="completed", reason="completed")
        case "stopped":  # an extension has had enough
            return RunEnded(status="completed", reason=end.detail or "stopped")
        case "turn_limit":
            return RunEnded(status="failed", reason="budget_exhausted")
        case "error":
            return RunEnded(status="failed", reason=f"error：{end.detail}")
        case "truncated" | "empty" | "refused" | "aborted":
            return RunEnded(status="failed", reason=end.reason)

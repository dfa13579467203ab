"""The agent loop of a run: model, tools and hooks, each with what the run has to add to it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..abort import AbortSignal
from ..agent_events import AgentEnd, AgentEvent
from ..agent_loop import run_agent_loop
from ..clock import Clock, IdFactory, random_id, utc_now
from ..execution import NO_TOOLS, Toolset
from ..extensions.gates import ExtensionHooks
from ..extensions.loader import LoadedFile
from ..extensions.registry import Extensions
from ..messages import Context
from ..stream import StreamEvent, StreamFn, StreamOptions
from ..tools.workspace import Workspace
from .events import ModelCalled, RunEnded
from .hooks import run_hooks
from .log import RunLog
from .permissions import Permissions
from .policy import Policy
from .state import AgentState
from .user_input import Approve, Deny, Steering

BUDGET = 50
"""Model calls per run. Real work takes more of them than toys do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """How runs are begun and resumed in this process."""

    model: str = "fake"
    """The name of the model: the same for the same model, in every process."""

    extensions: tuple[LoadedFile, ...] = ()
    """What has been loaded."""

    budget: int = BUDGET

    answer_within: int | None = None
    """Seconds that a request waits. None: for ever."""

    policy: Policy = field(default_factory=Policy)

    force: bool = False
    """Go on although the folder, the model or an extension is another one than before."""

    inboxes: Path | None = None
    """The folder with the inboxes. None: no other process can say anything."""

    clock: Clock = utc_now
    new_id: IdFactory = random_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDeps:
    """What a run works with."""

    model: StreamFn
    extensions: Extensions
    tools: Toolset = NO_TOOLS
    workspace: Workspace | None = None

    ask_user: Callable[[AgentState], Approve | Deny | None] | None = None
    """Asks the user about a pending approval while the turn waits; it answers None if the user
    will say later. None: there is nobody to ask."""

    typed: Callable[[], Sequence[Steering]] = tuple
    """Returns what the user has typed since the last time, while the run works."""


def loop_of_run(
    context: Context,
    *,
    permissions: Permissions,
    deps: RunDeps,
    signal: AbortSignal,
    take_in: Callable[[], None],
) -> AsyncGenerator[AgentEvent, None]:
    """Return the loop that works at the current run, within what is left of its budget."""
    log = permissions.log
    gates = ExtensionHooks(deps.extensions, check=deps.tools.check)
    return run_agent_loop(
        context,
        model=counting(deps.model, log),
        tools=replace(deps.tools, execute=permissions.execute),
        hooks=run_hooks(log, gates.loop_hooks(), permissions, take_in),
        max_turns=log.state.budget - log.state.model_calls,
        signal=signal,
    )


def counting(model: StreamFn, log: RunLog) -> StreamFn:
    """Return `model`, with each call on record before it is made: a crash gives none back."""

    def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        log.record(ModelCalled())
        return model(context, options=options)

    return stream


def ended(end: AgentEnd, state: AgentState) -> RunEnded:
    """Return what the end of the loop is for the run.

    Done is only what the model calls done, and about which the plan does not say otherwise.
    """
    match end.reason:
        case "completed" if state.plan.open_steps:
            steps = "、".join(step.id for step in state.plan.open_steps)
            return RunEnded(status="failed", reason=f"plan_open：{steps}")
        case "completed":
            return RunEnded(status="completed", reason="completed")
        case "turn_limit":
            return RunEnded(status="failed", reason="budget_exhausted")
        case "error":
            return RunEnded(status="failed", reason=f"error：{end.detail}")
        case "stopped" | "truncated" | "empty" | "refused" | "aborted":
            return RunEnded(status="failed", reason=end.reason)

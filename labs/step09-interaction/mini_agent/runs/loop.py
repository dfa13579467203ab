"""The agent loop of a run: model, tools and hooks, each with what the run has to add to it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

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

    force: bool = False
    """Go on although the folder, the model or an extension is another one than before."""

    clock: Clock = utc_now
    new_id: IdFactory = random_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDeps:
    """What a run works with."""

    model: StreamFn
    extensions: Extensions
    tools: Toolset = NO_TOOLS
    workspace: Workspace | None = None


def loop_of_run(
    log: RunLog, context: Context, *, deps: RunDeps, signal: AbortSignal
) -> AsyncGenerator[AgentEvent, None]:
    """Return the loop that works at the current run, within what is left of its budget."""
    gates = ExtensionHooks(deps.extensions, check=deps.tools.check)
    return run_agent_loop(
        context,
        model=counting(deps.model, log),
        tools=deps.tools,
        hooks=run_hooks(log, gates.loop_hooks()),
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


def ended(end: AgentEnd) -> RunEnded:
    """Return what the end of the loop is for the run. Done is only what the model calls done."""
    match end.reason:
        case "completed":
            return RunEnded(status="completed", reason="completed")
        case "turn_limit":
            return RunEnded(status="failed", reason="budget_exhausted")
        case "error":
            return RunEnded(status="failed", reason=f"error：{end.detail}")
        case "stopped" | "truncated" | "empty" | "refused" | "aborted":
            return RunEnded(status="failed", reason=end.reason)

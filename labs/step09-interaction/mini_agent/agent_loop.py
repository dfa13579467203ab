"""The agent loop: call the model, run the tools it asks for, until it asks for none.

Others take part in a run by the hooks. Not here: the rules for those who are not trusted
(`extension_hooks.py`).
"""

from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing

from .abort import AbortSignal
from .agent_events import (
    AgentEnd,
    AgentEvent,
    AgentStart,
    MessageEnd,
    MessageStart,
    ToolExecutionEnd,
    ToolExecutionStart,
    TurnEnd,
    TurnStart,
)
from .call_ids import ids_in, with_unique_ids
from .execution import Batch, ToolExecutor, show_nobody
from .hooks import LoopHooks, consult
from .messages import (
    AssistantMessage,
    Context,
    ToolCall,
    UserMessage,
    message_text,
    tool_calls,
)
from .results import CUT_OFF, NEVER_STARTED
from .screening import CheckCall, any_object, screen
from .stream import TERMINAL, StreamFn, StreamOptions

FAILED = ("error", "aborted", "refusal")
"""Stop reasons behind which nothing goes on, whatever anybody says."""


async def run_agent_loop(
    context: Context,
    *,
    model: StreamFn,
    execute: ToolExecutor,
    check: CheckCall = any_object,
    hooks: LoopHooks | None = None,
    sequential: Collection[str] = (),
    max_turns: int,
    signal: AbortSignal | None = None,
    on_update: Callable[[ToolCall, str], None] = show_nobody,
) -> AsyncGenerator[AgentEvent, None]:
    """Answer the last message of `context`, and tell as events what happens on the way.

    What the model says and what its tools bring back enters `context.messages` before
    the event that tells of it. Whoever stops listening, or is cancelled from outside,
    leaves a history in which every call has its result.

    Args:
        context: The conversation so far.
        model: Who answers.
        execute: All the tools, as one function.
        check: Tells whether the arguments of a call fit, before a hook gets to see it.
        hooks: Who else takes part.
        sequential: Names of tools that want no other beside them: a message that calls
            one of these has its calls run one by one, any other one all at once.
        max_turns: How many times the model is called at most.
        signal: Ends the run: the answer or the tools break off, and no turn follows.
        on_update: Gets the progress of a tool while it runs.

    Raises:
        RuntimeError: the model broke its contract: a stream without `done` or `error`.
    """
    hooks = hooks or LoopHooks()
    signal = signal or AbortSignal()
    options = StreamOptions(signal=signal)
    taken = ids_in(context.messages)

    yield AgentStart()
    for turn in range(1, max_turns + 1):
        yield TurnStart(turn=turn)
        yield MessageStart()
        async with aclosing(model(context, options=options)) as stream:
            async for event in stream:
                if isinstance(event, TERMINAL):
                    break
                yield event
            else:
                raise RuntimeError("the stream ended without `done` or `error`")

        message = with_unique_ids(event.message, taken)
        calls = tool_calls(message)
        batch = Batch(calls=calls, execute=execute, signal=signal, on_update=on_update, hooks=hooks)
        unstarted = CUT_OFF if message.stop_reason == "length" else NEVER_STARTED
        if calls or message_text(message):  # a model accepts no message without content
            context.messages.append(message)
        try:
            yield event
            yield MessageEnd(message=message)
            for call in calls:
                yield ToolExecutionStart(call=call)
            if message.stop_reason in ("stop", "tool_use"):
                await screen(message, batch, check=check)
                await batch.run(parallel=not any(call.name in sequential for call in calls))
        finally:
            results = batch.settle(unstarted=unstarted)
            context.messages.extend(results)
        for call, result in zip(calls, results, strict=True):
            yield ToolExecutionEnd(call=call, result=result, blocked=call.id in batch.blocked)
        yield TurnEnd(message=message, results=results)

        stop: str | None = None
        said: Sequence[UserMessage] = ()
        if message.stop_reason not in FAILED:
            stop = await consult(hooks.stop_after_turn, message, results, signal=signal)
            if stop is None and turn < max_turns:
                said = await consult(hooks.steering, signal=signal) or ()
        context.messages.extend(said)
        for line in said:
            yield MessageStart()
            yield MessageEnd(message=line)

        if end := end_of_run(message, stop=stop, more=bool(calls or said), signal=signal):
            yield end
            return
    yield AgentEnd(reason="turn_limit", detail=str(max_turns))


def end_of_run(
    message: AssistantMessage, *, stop: str | None, more: bool, signal: AbortSignal
) -> AgentEnd | None:
    """Return the end of the run, if the turn of `message` was the last one.

    `stop` is what a hook says to end it, and `more` means that the model has yet to see
    something: results, or what the user said.
    """
    match message.stop_reason:
        case "error":
            return AgentEnd(reason="error", detail=message.error_message)
        case "aborted":
            return AgentEnd(reason="aborted")
        case "refusal":
            return AgentEnd(reason="refused")
    if stop is not None:
        return AgentEnd(reason="stopped", detail=stop)
    if not more:
        return AgentEnd(reason="completed")
    return AgentEnd(reason="aborted") if signal.aborted else None

"""The agent loop: call the model, run the tools it asks for, until it asks for none.

Others take part in a run by the hooks. Not here: the rules for those who are not trusted
(`extensions/gates.py`).
"""

from collections.abc import AsyncGenerator
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
from .execution import Batch, Toolset
from .hooks import NO_HOOKS, LoopHooks
from .messages import AssistantMessage, Context, message_text, tool_calls
from .preflight import preflight
from .results import CUT_OFF, NEVER_STARTED
from .stream import TERMINAL, StreamFn, StreamOptions

MAX_CUT_ANSWERS = 3
"""Answers in a row that hit the limit of length. A model that got no further in three tries
will not in fifty, and each of them costs as many tokens as there can be."""


async def run_agent_loop(
    context: Context,
    *,
    model: StreamFn,
    tools: Toolset,
    hooks: LoopHooks = NO_HOOKS,
    max_turns: int,
    signal: AbortSignal | None = None,
) -> AsyncGenerator[AgentEvent, None]:
    """Answer the last message of `context`, and tell as events what happens on the way.

    What the model says and what its tools bring back enters `context.messages` before
    the event that tells of it. Whoever stops listening, or is cancelled from outside,
    leaves a history in which every call has its result.

    Args:
        context: The conversation so far.
        model: Who answers.
        tools: What the model may call.
        hooks: Who else takes part.
        max_turns: How many times the model is called at most.
        signal: Ends the run: the answer or the tools break off, and no turn follows.

    Raises:
        RuntimeError: the model broke its contract: a stream without `done` or `error`.
    """
    signal = signal or AbortSignal()
    taken = ids_in(context.messages)
    cut_answers = 0

    yield AgentStart()
    for turn in range(1, max_turns + 1):
        yield TurnStart(turn=turn)
        yield MessageStart()
        async with aclosing(model(context, options=StreamOptions(signal=signal))) as stream:
            async for event in stream:
                if isinstance(event, TERMINAL):
                    break
                yield event
            else:
                raise RuntimeError("the stream ended without `done` or `error`")

        message = with_unique_ids(event.message, taken)
        calls = tool_calls(message)
        batch = Batch(calls=calls, tools=tools, signal=signal, hooks=hooks)
        is_cut = message.stop_reason == "length"
        if calls or message_text(message).strip():  # a model accepts no message without content
            context.messages.append(message)
        try:
            # Whoever listens may leave at any `yield`, and a call must not be left without a
            # result: so the events stand inside of `try`. Chapter 04, "agent_loop.py".
            yield event
            yield MessageEnd(message=message)
            for call in calls:
                yield ToolExecutionStart(call=call)
            if message.stop_reason in ("stop", "tool_use"):
                await preflight(message, batch)
                await batch.run()
        finally:
            results = batch.settle(unstarted=CUT_OFF if is_cut else NEVER_STARTED)
            context.messages.extend(results)
        for call, result in zip(calls, results, strict=True):
            yield ToolExecutionEnd(call=call, result=result, blocked=call.id in batch.blocked)
        yield TurnEnd(message=message, results=results)

        cut_answers = cut_answers + 1 if is_cut else 0
        if end := end_of_run(message, cut_answers=cut_answers, signal=signal):
            yield end
            return
    yield AgentEnd(reason="turn_limit", detail=str(max_turns))


def end_of_run(
    message: AssistantMessage, *, cut_answers: int, signal: AbortSignal
) -> AgentEnd | None:
    """Return the end of the run, if the turn of `message` was the last one.

    `cut_answers` is how many answers in a row have hit the limit of length, this one included.
    """
    has_calls = bool(tool_calls(message))
    match message.stop_reason:
        case "error":
            return AgentEnd(reason="error", detail=message.error_message)
        case "aborted":
            return AgentEnd(reason="aborted")
        case "refusal":
            return AgentEnd(reason="refused")
        case "length" if not has_calls or cut_answers >= MAX_CUT_ANSWERS:
            return AgentEnd(reason="truncated", detail=str(cut_answers))
    if not has_calls:
        return AgentEnd(reason="completed" if message_text(message).strip() else "empty")
    return AgentEnd(reason="aborted") if signal.aborted else None

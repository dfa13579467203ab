"""From events to state: the same events always give the same state, at every prefix."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from pydantic import ValidationError

from . import run_changes as changes
from .plan import plan_after_constraint
from .run_events import (
    KIND,
    LOGGED,
    ApprovalDecided,
    ConstraintAdded,
    EffectEnded,
    EffectStarted,
    GoalChanged,
    ModelCalled,
    PlanRevised,
    RunCancelled,
    RunEnded,
    RunEntry,
    RunEvent,
    RunForked,
    RunMoved,
    RunResumed,
    RunStarted,
    UserInputExpired,
    UserInputReceived,
    UserInputRequested,
)
from .run_state import AgentState, transition
from .session_entries import CustomEntry, Entry
from .user_input import InputRefused


def record(state: AgentState, event: RunEvent, *, now: datetime) -> AgentState:
    """Return the state after `event`, with the event in `unsaved`.

    Raises:
        InputRefused: the event is not possible in this state.
    """
    entry = RunEntry(run_id=state.run_id, number=state.number + 1, at=now, event=event)
    return replace(apply(state, entry), unsaved=(*state.unsaved, entry))


def begin(run_id: str, event: RunStarted, *, now: datetime) -> AgentState:
    """Return the state of a new run, with its first event in `unsaved`."""
    entry = RunEntry(run_id=run_id, number=1, at=now, event=event)
    return replace(changes.started(event, entry.run_id), unsaved=(entry,))


def runs_of(entries: Iterable[Entry]) -> dict[str, AgentState | None]:
    """Return the runs of a session by id, in the order in which they began.

    None in place of a run: an event of it is missing or unknown, or not possible where it
    stands. Nobody knows then what was approved or done, so it cannot go on.
    """
    runs: dict[str, AgentState | None] = {}
    for stored in entries:
        if not isinstance(stored, CustomEntry) or stored.kind != KIND:
            continue
        run_id = stored.data.get("runId") if isinstance(stored.data, dict) else None
        try:
            entry = LOGGED.validate_json(json.dumps(stored.data))
            if not isinstance(entry, RunEntry):
                raise ValueError("no event of a run")
            runs[entry.run_id] = _after(runs, entry)
        except (ValidationError, InputRefused, ValueError):
            runs[str(run_id)] = None
    return runs


def _after(runs: Mapping[str, AgentState | None], entry: RunEntry) -> AgentState:
    if isinstance(entry.event, RunStarted):
        return changes.started(entry.event, entry.run_id)
    event = entry.event
    before = runs.get(event.from_run if isinstance(event, RunForked) else entry.run_id)
    if before is None:
        raise ValueError(f"no sound run before event {entry.number}")
    return apply(before, entry)


def apply(state: AgentState, entry: RunEntry) -> AgentState:
    """Return the state after an event.

    Raises:
        InputRefused: the event is not possible in this state.
        ValueError: the event is not the next one.
    """
    if entry.number != state.number + 1:
        raise ValueError(f"event {entry.number} cannot follow event {state.number}")
    return replace(_apply(state, entry.event, entry), number=entry.number)


def _apply(state: AgentState, event: RunEvent, entry: RunEntry) -> AgentState:  # noqa: C901  # one arm for each event
    at = entry.at
    match event:
        case RunStarted():
            raise ValueError("a run begins once")
        case RunForked():
            return changes.forked(state, entry.run_id, at)
        case RunMoved(working_folder=folder, model=model):
            return replace(state, working_folder=folder, model=model)
        case RunResumed() if state.status == "failed":
            return transition(replace(state, stop_reason=None), "running", reason="resumed", at=at)
        case RunResumed():
            return changes.running(state)
        case ModelCalled():
            return replace(changes.running(state), model_calls=state.model_calls + 1)
        case UserInputRequested():
            return changes.requested(state, event, at)
        case UserInputReceived():
            return changes.received(state, event, at)
        case UserInputExpired():
            return changes.expired(state, at)
        case ApprovalDecided():
            return changes.decided(state, event, at)
        case EffectStarted():
            return changes.effect_started(state, event, at)
        case EffectEnded(effect_id=effect_id, is_error=is_error):
            return changes.effect_ended(state, effect_id, "error" if is_error else "done")
        case PlanRevised():
            return changes.plan_revised(state, event, at)
        case ConstraintAdded(input_id=input_id, constraint=constraint):
            return replace(
                state,
                constraints=(*state.constraints, constraint),
                plan=plan_after_constraint(state.plan, constraint),
                applied_inputs=state.applied_inputs | {input_id},
            )
        case GoalChanged():
            return changes.goal_changed(state, event, at)
        case RunCancelled():
            return changes.cancelled(state, event, at)
        case RunEnded():
            return changes.ended(state, event, at)
        case _:
            assert_never(event)

"""The protocol between a run and its user, as pure functions: `(state, said, now) -> state`.

Each adds its events, or raises `InputRefused`; so a call whose result is dropped tells whether
an input would be taken. Not here: reading, writing, asking the time (`runner.py`); which
questions are good enough for the user (`clarification.py`).
"""

from datetime import datetime
from typing import assert_never

from . import events
from .approvals import Action
from .reducer import record
from .state import AgentState
from .user_input import (
    MAX_INPUT,
    Answer,
    Approve,
    Cancel,
    Command,
    Deny,
    InputRefused,
    Resume,
    UserInputAnswer,
    UserInputRequest,
    is_expired,
)

ONLY_BY_COMMAND = "在等审批，一段话不算数：只有 approve 和 deny 算"
USED_UP = "{budget} 次模型调用已经用完；先用 resume --budget N 给它更多"


def apply(state: AgentState, said: Command, *, now: datetime) -> AgentState:
    """Return the state after what the user has said.

    Raises:
        InputRefused: it cannot be taken now; the code says why.
    """
    match said:
        case Answer():
            return _answer(state, said, now=now)
        case Resume(budget=budget):
            return _resume(state, budget, now=now)
        case Approve() | Deny():
            return _decide(state, said, now=now)
        case Cancel(reason=reason):
            require_text(reason)
            pending = state.pending_user_input
            closed = pending.id if pending is not None else None
            return record(
                state, events.RunCancelled(reason=reason, closed_request_id=closed), now=now
            )
        case _:
            assert_never(said)


def wait_for_user_input(
    state: AgentState,
    request: UserInputRequest,
    *,
    now: datetime,
    decision: str | None = None,
    actions: tuple[Action, ...] = (),
) -> AgentState:
    """Let the run wait for `request`: a state, and not a function that has yet to return.

    Raises:
        InputRefused: it waits already, or is over.
    """
    event = events.UserInputRequested(request=request, decision=decision, actions=actions)
    return record(state, event, now=now)


def require_text(text: str) -> None:
    """Refuse what says nothing, and what is too long to be told whole.

    Raises:
        InputRefused: it is one of these.
    """
    if not text.strip():
        raise InputRefused("empty_user_input", "不能是空的")
    if len(text) > MAX_INPUT:
        raise InputRefused(
            "user_input_too_long",
            f"太长了：{len(text)} 个字符，最多 {MAX_INPUT}。放进文件，再说文件名",
        )


def _answer(state: AgentState, said: Answer, *, now: datetime) -> AgentState:
    pending = _expect(state, said.request_id, now=now)
    if pending.kind == "approval":
        raise InputRefused("approval_required", ONLY_BY_COMMAND)
    require_text(said.text)
    if state.budget_is_used_up:  # nobody could be told of it
        raise InputRefused("budget_exhausted", USED_UP.format(budget=state.budget))
    answer = UserInputAnswer(
        request_id=pending.id, content=_chosen(pending, said.text), received_at=now
    )
    return record(state, events.UserInputReceived(answer=answer), now=now)


def _decide(state: AgentState, said: Approve | Deny, *, now: datetime) -> AgentState:
    pending = _expect(state, said.request_id, now=now)
    if pending.kind != "approval":
        raise InputRefused("unexpected_user_input", f"{pending.id} 是一个问题：用 answer")
    if state.budget_is_used_up and not said.in_turn:
        raise InputRefused("budget_exhausted", USED_UP.format(budget=state.budget))
    reason = said.reason if isinstance(said, Deny) else ""
    if reason:
        require_text(reason)
    decided = events.ApprovalDecided(
        request_id=pending.id,
        granted=isinstance(said, Approve),
        scope=said.scope if isinstance(said, Approve) else "once",
        reason=reason,
        in_turn=said.in_turn,
    )
    return record(state, decided, now=now)


def _chosen(request: UserInputRequest, text: str) -> str:
    """Return the option whose number `text` is, else `text`."""
    number = text.strip()
    if number.isascii() and number.isdecimal() and 0 < int(number) <= len(request.options):
        return request.options[int(number) - 1]
    return text


def _resume(state: AgentState, budget: int | None, *, now: datetime) -> AgentState:
    pending = state.pending_user_input
    waits = pending is not None and not is_expired(pending, now)
    if budget is not None:
        if budget <= state.model_calls:
            text = f"已经调用了 {state.model_calls} 次，新的上限要比它大"
            raise InputRefused("budget_exhausted", text)
        if state.status not in ("completed", "cancelled"):
            state = record(state, events.BudgetRaised(budget=budget), now=now)
        if waits:
            return state  # it goes on waiting, and an answer can be used now
    if waits:
        raise InputRefused("user_input_already_pending", "它还在等用户")
    if state.budget_is_used_up and state.status not in ("completed", "cancelled"):
        raise InputRefused("budget_exhausted", USED_UP.format(budget=state.budget))
    if pending is not None:
        return record(state, events.UserInputExpired(request_id=pending.id), now=now)
    return record(state, events.RunResumed(after=state.stop_reason), now=now)


def _expect(state: AgentState, request_id: str, *, now: datetime) -> UserInputRequest:
    pending = state.pending_user_input
    if pending is None or pending.id != request_id:
        known = f"在等的是 {pending.id}" if pending else f"运行现在是 {state.status}，什么也不等"
        raise InputRefused("unexpected_user_input", f"不在等 {request_id}：{known}")
    if is_expired(pending, now):
        raise InputRefused("expired_user_input", f"{request_id} 已经过期；用 resume 不带回答接着做")
    return pending

"""What the model is told when a run goes on: all that has happened since it was last called.

It comes out of the log and nothing else, so no process can forget a part of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from . import events
from .approvals import Approval
from .plan import PlanStep
from .state import AgentState, Effect, pending_effects
from .user_input import UserInputAnswer, UserInputRequest

LIMIT = 8_000
"""Characters of what may be left out: it was told before. What is new is always told whole."""

KEPT = 95
"""From this priority on a piece is never left out."""

LEFT_OUT = "（还有 {count} 条更早的没有再写一遍，前面的对话里有）"

ANSWERED = "用户回答了：{question}\n{content}"
EXPIRED = "到期没有人回答（expired, no answer）：{question}\n自己选最稳妥的做法，并说明。"
INTERRUPTED = "程序中断过，现在接着做。"
UNKNOWN_EFFECTS = "做了多少不得而知的改动，先查明：{effects}"
APPROVED = "用户批准了 {id}，程序照记录执行了："
DENIED = "用户拒绝了 {id}，没有执行。{reason}"
NOT_BEGUN = "没有执行：程序还没有开始做就停下了。"
UNKNOWN = "已经开始，没有做完就中断了：做了多少不得而知，先查明。"
NO_REPORT = "已经做完，但结果没有留下。"
CONSTRAINED = "用户加了限制：{text}\n按它修订计划。"
OTHER_GOAL = "用户把目标改成了：{goal}\n{withdrawn}旧的计划都不作数了，先用 update_plan 重新计划。"
WITHDRAWN = "{id} 不再等了。"
RESUMED = "上一次停在：{after}。现在接着做。"

STATUS = {"pending": "未做", "in_progress": "在做", "done": "做完", "invalid": "作废"}
OUTCOME = {"unknown": "结果未知", "done": "已生效", "error": "报了错"}
DECISION = {"keep": "保留", "undo": "撤销", "manual_reconciliation": "交给人"}

SourceKind = Literal["news", "goal", "constraint", "effect", "plan", "user_input"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSource:
    """One piece of what the model is told."""

    id: str
    kind: SourceKind
    label: str
    content: str

    priority: int
    """The higher one stands first, and is left out last."""


def briefing(state: AgentState) -> str | None:
    """Return the text with which a run goes on; None: the model knows all there is to know."""
    news = [text for event in state.news if (text := _news(event, state)) is not None]
    if not news:
        return None
    return assemble(sources_of(state, news))


def sources_of(state: AgentState, news: Iterable[str]) -> tuple[ContextSource, ...]:
    """Return all there is to know about a run, piece by piece."""
    sources = [
        _source("news", "接着做。刚刚发生的事：", "\n".join(news), priority=110),
        _source("goal", f"目标（第 {state.goal_version} 版）：", state.goal, priority=100),
    ]
    if effects := pending_effects(state):
        label = "旧目标下已经发生的改动，用 update_plan 逐个说明保留、撤销还是交给人："
        sources.append(_source("effect", label, _list(map(describe_effect, effects)), priority=97))
    if state.constraints:
        sources.append(_source("constraint", "限制：", _list(state.constraints), priority=96))
    if state.plan.steps:
        label = f"计划（第 {state.plan.version} 版，{state.plan.reason}）："
        steps = _list(map(describe_step, state.plan.steps))
        sources.append(_source("plan", label, steps, priority=95))
    return (*sources, *_earlier_answers(state))


def assemble(sources: Iterable[ContextSource], limit: int = LIMIT) -> str:
    """Return the pieces as one text, highest priority first; equal ones keep their order.

    Of those below `KEPT` as many stand as fit into `limit` characters, whole: half an answer
    can say the opposite. A mark says how many do not.
    """
    pieces: list[str] = []
    room, left_out = limit, 0
    for source in sorted(sources, key=lambda source: -source.priority):
        piece = f"{source.label}\n{source.content}"
        if source.priority < KEPT:
            if len(piece) > room:
                left_out += 1
                continue
            room -= len(piece)
        pieces.append(piece)
    if left_out:
        pieces.append(LEFT_OUT.format(count=left_out))
    return "\n\n".join(pieces)


def describe_step(step: PlanStep) -> str:
    """Return a line for a step."""
    return f"[{STATUS[step.status]}] {step.id} {step.title}（验收：{step.acceptance}）"


def describe_effect(effect: Effect) -> str:
    """Return a line for a side effect."""
    decision = f"，{DECISION[effect.decision]}" if effect.decision else ""
    return f"{effect.id} {effect.tool} {effect.about}（{OUTCOME[effect.outcome]}{decision}）"


def answer_as_context_source(request: UserInputRequest, answer: UserInputAnswer) -> ContextSource:
    """Return what the model gets to know of an answer. It is information, and no permission."""
    return ContextSource(
        id=f"user-input:{answer.request_id}",
        kind="user_input",
        label=request.question,
        content=answer.content,
        priority=98,
    )


def _news(event: events.RunEvent, state: AgentState) -> str | None:  # noqa: C901  # an arm each
    """Return what the model is to know of `event`; None: nothing, or it knows."""
    match event:
        case events.UserInputReceived(answer=answer):
            source = answer_as_context_source(_request(answer.request_id, state), answer)
            return ANSWERED.format(question=source.label, content=source.content)
        case events.UserInputExpired(request_id=request_id):
            return EXPIRED.format(question=_request(request_id, state).question)
        case events.RunResumed(after=after):
            begins = INTERRUPTED if after is None else RESUMED.format(after=after)
            return begins + _unknown_effects(state)
        case events.RunMoved(working_folder=folder, model=model):
            return f"现在的文件夹是 {folder}，模型是 {model}。"
        case events.RunForked():
            return "会话另存了一份，这里是副本。"
        case events.BudgetRaised(budget=budget):
            return f"模型调用的上限现在是 {budget} 次。"
        case events.ApprovalDecided(request_id=request_id, granted=True, in_turn=in_turn):
            of_request = [one for one in state.approvals if one.request_id == request_id]
            news = [_report(one, state) for one in of_request if one.report or not in_turn]
            return "\n".join([APPROVED.format(id=request_id), *news]) if news else None
        case events.ApprovalDecided(in_turn=True):
            return None
        case events.ApprovalDecided(request_id=request_id, reason=reason):
            return DENIED.format(id=request_id, reason=f"理由：{reason}" if reason else "")
        case events.ConstraintAdded(constraint=text):
            return CONSTRAINED.format(text=text)
        case events.GoalChanged(goal=goal, withdrawn_request_id=withdrawn):
            note = "" if withdrawn is None else WITHDRAWN.format(id=withdrawn)
            return OTHER_GOAL.format(goal=goal, withdrawn=note)
        case (
            events.EffectStarted()
            | events.EffectEnded()
            | events.ApprovalUsed()
            | events.PlanRevised()
        ):
            return None
        case (
            events.RunStarted()
            | events.ModelCalled()
            | events.UserInputRequested()
            | events.RunCancelled()
            | events.RunEnded()
        ):
            return None


def _report(approval: Approval, state: AgentState) -> str:
    """Return what has become of an approved call: the log knows."""
    text = approval.report
    if text is None and approval.spent_at is None:
        text = NOT_BEGUN
    if text is None:
        effect = next(e for e in reversed(state.effects) if e.id == approval.action.call_id)
        text = UNKNOWN if effect.outcome == "unknown" else NO_REPORT
    return f"- {approval.action.tool} {approval.action.about}：{text}"


def _unknown_effects(state: AgentState) -> str:
    unknown = [f"{e.tool} {e.about}" for e in state.effects if e.outcome == "unknown"]
    return UNKNOWN_EFFECTS.format(effects="；".join(unknown)) if unknown else ""


def _earlier_answers(state: AgentState) -> list[ContextSource]:
    """Return the answers that were told before, the newest first."""
    told_now = {e.answer.request_id for e in state.news if isinstance(e, events.UserInputReceived)}
    return [
        replace(answer_as_context_source(one.request, one.answer), priority=80)
        for one in reversed(state.decisions)
        if one.answer is not None and one.request.id not in told_now
    ]


def _request(request_id: str, state: AgentState) -> UserInputRequest:
    return next(one.request for one in state.decisions if one.request.id == request_id)


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _source(kind: SourceKind, label: str, content: str, *, priority: int) -> ContextSource:
    return ContextSource(id=kind, kind=kind, label=label, content=content, priority=priority)

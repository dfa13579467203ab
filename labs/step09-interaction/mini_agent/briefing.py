"""What the model is told when a run goes on: where it stands, out of the state and nothing else."""

import json

from .context import ContextSource, SourceKind, assemble
from .plan import PlanStep
from .run_state import AgentState, Effect, unsettled

STATUS = {"pending": "未做", "in_progress": "在做", "done": "做完", "invalid": "作废"}
OUTCOME = {"unknown": "结果未知", "done": "已生效", "error": "报了错"}
DECISION = {"keep": "保留", "undo": "撤销", "manual_reconciliation": "交给人"}


def briefing(state: AgentState, news: str) -> str:
    """Return the text with which a run goes on. `news` is what has just happened."""
    return assemble(sources_of(state, news))


def sources_of(state: AgentState, news: str) -> tuple[ContextSource, ...]:
    """Return all there is to know about a run, piece by piece."""
    sources = [
        _source("news", "接着做。刚刚发生的事：", news, priority=110),
        _source("goal", f"目标（第 {state.goal_version} 版）：", state.goal, priority=100),
        *state.context_sources,
    ]
    if state.constraints:
        sources.append(_source("constraint", "限制：", _list(state.constraints), priority=96))
    if open_effects := unsettled(state):
        lines = [describe_effect(effect) for effect in open_effects]
        label = "旧目标下已经发生的改动，用 update_plan 逐个说明保留、撤销还是交给人："
        sources.append(_source("effect", label, _list(lines), priority=94))
    if state.plan.steps or state.plan.version > 1:
        label = f"计划（第 {state.plan.version} 版，{state.plan.reason}）："
        steps = [describe_step(step) for step in state.plan.steps] or ["还没有步骤"]
        sources.append(_source("plan", label, _list(steps), priority=90))
    return tuple(sources)


def describe_step(step: PlanStep) -> str:
    """Return a line for a step."""
    return f"[{STATUS[step.status]}] {step.id} {step.title}（验收：{step.acceptance}）"


def describe_effect(effect: Effect) -> str:
    """Return a line for a side effect."""
    decision = f"，{DECISION[effect.decision]}" if effect.decision else ""
    what = f"{effect.action.tool} {shown(effect.action.arguments)}"
    return f"{effect.id} {what}（{OUTCOME[effect.outcome]}{decision}）"


def shown(arguments: str, *, most: int = 200) -> str:
    """Return canonical arguments the way one reads them: characters for their escapes."""
    readable = json.dumps(json.loads(arguments), ensure_ascii=False)
    return readable if len(readable) <= most else f"{readable[:most]}…"


def _list(lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _source(kind: SourceKind, label: str, content: str, *, priority: int) -> ContextSource:
    return ContextSource(id=kind, kind=kind, label=label, content=content, priority=priority)

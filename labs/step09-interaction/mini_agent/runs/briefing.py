"""What the model is told when a run goes on: all that has happened since it was last called.

It comes out of the log and nothing else, so no process can forget a part of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from . import events
from .state import AgentState
from .user_input import UserInputAnswer, UserInputRequest

LIMIT = 8_000
"""Characters of what may be left out: it was told before. What is new is always told whole."""

KEPT = 95
"""From this priority on a piece is never left out."""

LEFT_OUT = "（还有 {count} 条更早的没有再写一遍，前面的对话里有）"

ANSWERED = "用户回答了：{question}\n{content}"
EXPIRED = "到期没有人回答（expired, no answer）：{question}\n自己选最稳妥的做法，并说明。"
INTERRUPTED = "程序中断过，现在接着做。没有结果的操作可能已经生效，先查明。"
RESUMED = "上一次停在：{after}。现在接着做。"

SourceKind = Literal["news", "goal", "user_input"]


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
    return (
        _source("news", "接着做。刚刚发生的事：", "\n".join(news), priority=110),
        _source("goal", "目标：", state.goal, priority=100),
        *_earlier_answers(state),
    )


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


def answer_as_context_source(request: UserInputRequest, answer: UserInputAnswer) -> ContextSource:
    """Return what the model gets to know of an answer. It is information, and no permission."""
    return ContextSource(
        id=f"user-input:{answer.request_id}",
        kind="user_input",
        label=request.question,
        content=answer.content,
        priority=98,
    )


def _news(event: events.RunEvent, state: AgentState) -> str | None:
    """Return what the model is to know of `event`; None: nothing, or it knows."""
    match event:
        case events.UserInputReceived(answer=answer):
            source = answer_as_context_source(_request(answer.request_id, state), answer)
            return ANSWERED.format(question=source.label, content=source.content)
        case events.UserInputExpired(request_id=request_id):
            return EXPIRED.format(question=_request(request_id, state).question)
        case events.RunResumed(after=after):
            return INTERRUPTED if after is None else RESUMED.format(after=after)
        case events.RunMoved(working_folder=folder, model=model):
            return f"现在的文件夹是 {folder}，模型是 {model}。"
        case events.RunForked():
            return "会话另存了一份，这里是副本。"
        case events.BudgetRaised(budget=budget):
            return f"模型调用的上限现在是 {budget} 次。"
        case (
            events.RunStarted()
            | events.ModelCalled()
            | events.UserInputRequested()
            | events.RunCancelled()
            | events.RunEnded()
        ):
            return None


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


def _source(kind: SourceKind, label: str, content: str, *, priority: int) -> ContextSource:
    return ContextSource(id=kind, kind=kind, label=label, content=content, priority=priority)

"""What the model is told about a run: pieces with a priority, put together within a limit."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .user_input import UserInputAnswer, UserInputRequest

LIMIT = 8_000
"""Characters of a briefing. Models take more; nobody reads more with care."""

SourceKind = Literal["news", "goal", "constraint", "plan", "effect", "user_input"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSource:
    """One piece."""

    id: str
    kind: SourceKind
    label: str
    content: str

    priority: int
    """The higher one stands first, and is dropped last."""


def assemble(sources: Iterable[ContextSource], limit: int = LIMIT) -> str:
    """Return the pieces as one text of at most `limit` characters, highest priority first.

    Pieces of the same priority keep their order. From the first one on that does not fit,
    all are dropped, whole: half a constraint can say the opposite.
    """
    text = ""
    for source in sorted(sources, key=lambda source: -source.priority):
        piece = f"{source.label}\n{source.content}"
        longer = f"{text}\n\n{piece}" if text else piece
        if len(longer) > limit:
            break
        text = longer
    return text


def answer_as_context_source(request: UserInputRequest, answer: UserInputAnswer) -> ContextSource:
    """Return what the model gets to know of an answer. It is information, and no permission."""
    return ContextSource(
        id=f"user-input:{answer.request_id}",
        kind="user_input",
        label=request.question,
        content=answer.content,
        priority=98,
    )

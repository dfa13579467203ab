"""Which model, and how it shall answer: what the user may set beside the name.

Not here: where it answers (`endpoint.py`), and which one is taken (`settings.py`).
"""

from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal, get_args

from ..messages import ThinkingContent
from .settings import BadSetting, Settings

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""How much a model shall think before it answers, in the words of both providers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model, and how it shall answer. None: as it does by itself."""

    provider: str
    name: str
    effort: Effort | None = None
    max_tokens: int | None = None
    temperature: float | None = None

    def has_thought(self, block: ThinkingContent) -> bool:
        """Tell whether this very model thought so. It gets nobody else's thoughts to see."""
        return (block.provider, block.model) == (self.provider, self.name)


def read_model(settings: Settings, *, provider: str, name: str) -> Model:
    """Return the model `name` with what `settings` say about its answers.

    Raises:
        BadSetting: one of them is no value that it could have.
    """
    return Model(
        provider=provider,
        name=name,
        effort=read_effort(settings),
        max_tokens=_whole(read_number(settings, "MINI_AGENT_MAX_TOKENS", least=1)),
        temperature=read_number(settings, "MINI_AGENT_TEMPERATURE", least=0, most=2),
    )


def read_effort(settings: Settings) -> Effort | None:
    """Return how much the model shall think.

    Raises:
        BadSetting: it is none of the words.
    """
    wanted = settings.get("MINI_AGENT_EFFORT")
    for effort in get_args(Effort):
        if wanted == effort:
            return wanted  # type: ignore[return-value]  # one of them
    if wanted:
        raise BadSetting(f"MINI_AGENT_EFFORT 只能是 {'、'.join(get_args(Effort))}。")
    return None


def read_number(settings: Settings, name: str, *, least: float, most: float = inf) -> float | None:
    """Return the number that a variable is set to, or None if it is not.

    Raises:
        BadSetting: it is no number, or not between `least` and `most`.
    """
    text = settings.get(name)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = inf
    if not isfinite(number) or not least <= number <= most:
        upto = f" 到 {most:g}" if isfinite(most) else "，或者更大"
        raise BadSetting(f"{name} 要是一个数：{least:g}{upto}。")
    return number


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)

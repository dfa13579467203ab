"""On which terms runs are begun and resumed here."""

from dataclasses import dataclass
from pathlib import Path

from .clock_and_ids import NewId, Now, random_id, utc_now

BUDGET = 50
"""Model calls per run. Real work takes more of them than toys do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is the same for all runs of a process."""

    model: str = "fake"
    """The name of the model."""

    extensions: tuple[str, ...] = ()
    budget: int = BUDGET

    answer_within: int | None = None
    """Seconds that a request waits. None: for ever."""

    insist: bool = False
    """Go on although the folder or the model is another one than before."""

    inboxes: Path | None = None
    """The folder with the inboxes. None: no other process can say anything."""

    now: Now = utc_now
    new_id: NewId = random_id

"""What happens to a run, as entries of its log. The log is all there is: no state is ever stored.

Not here: what the state is after them (`reducer.py`).
"""

import json
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, TypeAdapter
from pydantic.alias_generators import to_camel

from ..extensions.loader import LoadedFile
from .approvals import Action
from .policy import Mode
from .user_input import Scope, UserInputAnswer, UserInputRequest

KIND = "run"
"""The kind of the `custom` entries that hold them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """The run begins; it is `running`."""

    type: Literal["run_started"] = "run_started"
    goal: str
    budget: int
    """How many times the model may be called, over all processes."""

    working_folder: str
    model: str

    extensions: tuple[LoadedFile, ...] = ()
    """What took part when it began; without one of them it does not go on."""

    answer_within: int | None = None
    """Seconds that a request waits. None: for ever."""

    mode: Mode = "yolo"
    """What holds for calls that no rule names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunForked:
    """The session was copied, and with it the run. The copy is a run of its own."""

    type: Literal["run_forked"] = "run_forked"
    from_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMoved:
    """The user wants it to go on in another folder, with another model, or in another mode."""

    type: Literal["run_moved"] = "run_moved"
    working_folder: str
    model: str
    extensions: tuple[LoadedFile, ...] = ()
    mode: Mode = "yolo"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetRaised:
    """The model may be called so many times in all."""

    type: Literal["budget_raised"] = "budget_raised"
    budget: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResumed:
    """It goes on."""

    type: Literal["run_resumed"] = "run_resumed"

    after: str | None = None
    """Why it had broken off. None: its process died."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalled:
    """The model is about to be called: that costs one of the budget."""

    type: Literal["model_called"] = "model_called"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputRequested:
    """The user is asked something, and the run waits."""

    type: Literal["user_input_requested"] = "user_input_requested"
    request: UserInputRequest

    decision: str | None = None
    """What a clarification is to decide, in normal form."""

    actions: tuple[Action, ...] = ()
    """What an approval is for: all that one turn of the model wants to change, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputReceived:
    """The answer to a question."""

    type: Literal["user_input_received"] = "user_input_received"
    answer: UserInputAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputExpired:
    """Nobody answered in time, and the run goes on without."""

    type: Literal["user_input_expired"] = "user_input_expired"
    request_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDecided:
    """The answer to an approval."""

    type: Literal["approval_decided"] = "approval_decided"
    request_id: str
    granted: bool
    scope: Scope = "once"
    reason: str = ""

    in_turn: bool = False
    """The turn that asks is still there, and tells the model what comes out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectStarted:
    """Something is about to be changed. From here on nobody knows, until the end is on record."""

    type: Literal["effect_started"] = "effect_started"
    effect_id: str
    """The id of the call."""

    tool: str
    about: str

    approval_id: str | None = None
    """The approval that is used up by it. None: it needed none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded:
    """The tool has come back."""

    type: Literal["effect_ended"] = "effect_ended"
    effect_id: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalUsed:
    """An approved call was run from the record, or could not be: this came out."""

    type: Literal["approval_used"] = "approval_used"
    approval_id: str
    report: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCancelled:
    """The user wants nothing any more. What was pending is closed."""

    type: Literal["run_cancelled"] = "run_cancelled"
    reason: str
    closed_request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """It is over, or has broken off."""

    type: Literal["run_ended"] = "run_ended"
    status: Literal["completed", "failed"]
    reason: str


LifeEvent = (
    RunStarted
    | RunForked
    | RunMoved
    | BudgetRaised
    | RunResumed
    | ModelCalled
    | RunCancelled
    | RunEnded
)
WaitEvent = UserInputRequested | UserInputReceived | UserInputExpired
EffectEvent = ApprovalDecided | EffectStarted | EffectEnded | ApprovalUsed
RunEvent = LifeEvent | WaitEvent | EffectEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """An event, and where it belongs."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", strict=True, alias_generator=to_camel
    )
    """For all that an entry holds. (A `TypeAdapter` takes no config for a single dataclass.)"""

    run_id: str
    number: int
    """From 1, without a gap: a missing one could be an answer, or the end of a run."""

    at: AwareDatetime
    event: Annotated[RunEvent, Field(discriminator="type")]


ENTRY: TypeAdapter[RunEntry] = TypeAdapter(RunEntry)
"""The border between our values and the session: what passes it has been checked."""


def to_data(entry: RunEntry) -> JsonValue:
    """Return what is stored of `entry`."""
    data: JsonValue = ENTRY.dump_python(entry, mode="json", by_alias=True)
    return data


def from_data(data: JsonValue) -> RunEntry:
    """Return the entry that was stored as `data`.

    Raises:
        ValueError: it is none, or of a kind that only a later version knows.
    """
    # By way of JSON text: strict, only that may be a date or a tuple.
    return ENTRY.validate_json(json.dumps(data))

"""What happens to a run, as entries of its log. The log is all there is: no state is ever stored.

Not here: what the state is after them (`run_fold.py`).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from .approvals import Action
from .plan import TaskPlan
from .user_input import UserInputAnswer, UserInputRequest, UserSteering

KIND = "run"
"""The kind of the `custom` entries that hold them."""

EffectDecision = Literal["keep", "undo", "manual_reconciliation"]
"""What a plan for a new goal says about a side effect that has happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """The run begins; it is `running`."""

    type: Literal["run_started"] = "run_started"
    goal: str
    budget: int
    """How many times the model may be called, over all processes."""

    working_folder: str
    model: str
    extensions: tuple[str, ...] = ()
    """The files that were named for it; whoever resumes the run loads them again."""

    answer_within: int | None = None
    """Seconds that a request waits. None: for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunForked:
    """The session was copied, and with it the run. The copy is a run of its own."""

    type: Literal["run_forked"] = "run_forked"
    from_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMoved:
    """The user insists that it goes on in another folder, or with another model."""

    type: Literal["run_moved"] = "run_moved"
    working_folder: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResumed:
    """It goes on, after its process died or its model failed."""

    type: Literal["run_resumed"] = "run_resumed"


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
    """What a clarification is to decide."""

    action: Action | None = None
    """What an approval is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInputReceived:
    """The answer to a clarification, or to a manual reconciliation."""

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
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectStarted:
    """Something is about to be changed. From here on nobody knows, until the end is on record."""

    type: Literal["effect_started"] = "effect_started"
    effect_id: str
    action: Action

    approval_id: str | None = None
    """The approval that is used up by it. None: it needed none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded:
    """The tool has come back."""

    type: Literal["effect_ended"] = "effect_ended"
    effect_id: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectVerdict:
    """What becomes of one side effect."""

    effect_id: str
    decision: EffectDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRevised:
    """The model has changed the plan."""

    type: Literal["plan_revised"] = "plan_revised"
    plan: TaskPlan
    verdicts: tuple[EffectVerdict, ...] = ()

    request: UserInputRequest | None = None
    """What a person is asked to put in order. None: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintAdded:
    """The user wants something to be heeded."""

    type: Literal["constraint_added"] = "constraint_added"
    input_id: str
    constraint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChanged:
    """The user wants something else. What was pending is withdrawn."""

    type: Literal["goal_changed"] = "goal_changed"
    input_id: str
    goal: str
    withdrawn_request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCancelled:
    """The user wants nothing any more. What was pending is closed."""

    type: Literal["run_cancelled"] = "run_cancelled"
    input_id: str
    reason: str
    closed_request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """It is over, or has broken off."""

    type: Literal["run_ended"] = "run_ended"
    status: Literal["completed", "failed"]
    reason: str


RunEvent = Annotated[
    RunStarted
    | RunForked
    | RunMoved
    | RunResumed
    | ModelCalled
    | UserInputRequested
    | UserInputReceived
    | UserInputExpired
    | ApprovalDecided
    | EffectStarted
    | EffectEnded
    | PlanRevised
    | ConstraintAdded
    | GoalChanged
    | RunCancelled
    | RunEnded,
    Field(discriminator="type"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """An event, and where it belongs."""

    run_id: str
    number: int
    """From 1, without a gap: a missing one could be the use of an approval."""

    at: AwareDatetime
    event: RunEvent


Logged = RunEntry | UserSteering
"""What stands on disk: an event in the session, an input in the inbox."""

LOGGED: TypeAdapter[Logged] = TypeAdapter(
    Logged,
    config={
        "extra": "forbid",
        "strict": True,
        "alias_generator": to_camel,
        "defer_build": True,
    },
)
"""The border between our values and the disk: what passes it has been checked."""

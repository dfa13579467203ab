"""What happens to a run, as entries of its log. The log is all there is: no state is ever stored.

Not here: what the state is after them (`run_fold.py`).
"""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from .approvals import Action
from .plan import TaskPlan
from .session_entries import Record
from .user_input import UserInputAnswer, UserInputRequest

KIND = "run"
"""The kind of the `custom` entries that hold them."""

EffectDecision = Literal["keep", "undo", "manual_reconciliation"]
"""What a plan for a new goal says about a side effect that has happened."""


class RunStarted(Record):
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


class RunForked(Record):
    """The session was copied, and with it the run. The copy is a run of its own."""

    type: Literal["run_forked"] = "run_forked"
    from_run: str


class RunMoved(Record):
    """The user insists that it goes on in another folder, or with another model."""

    type: Literal["run_moved"] = "run_moved"
    working_folder: str
    model: str


class RunResumed(Record):
    """It goes on, after its process died or its model failed."""

    type: Literal["run_resumed"] = "run_resumed"


class ModelCalled(Record):
    """The model is about to be called: that costs one of the budget."""

    type: Literal["model_called"] = "model_called"


class UserInputRequested(Record):
    """The user is asked something, and the run waits."""

    type: Literal["user_input_requested"] = "user_input_requested"
    request: UserInputRequest
    decision: str | None = None
    """What a clarification is to decide."""

    action: Action | None = None
    """What an approval is for."""


class UserInputReceived(Record):
    """The answer to a clarification, or to a manual reconciliation."""

    type: Literal["user_input_received"] = "user_input_received"
    answer: UserInputAnswer


class UserInputExpired(Record):
    """Nobody answered in time, and the run goes on without."""

    type: Literal["user_input_expired"] = "user_input_expired"
    request_id: str


class ApprovalDecided(Record):
    """The answer to an approval."""

    type: Literal["approval_decided"] = "approval_decided"
    request_id: str
    granted: bool
    reason: str = ""


class EffectStarted(Record):
    """Something is about to be changed. From here on nobody knows, until the end is on record."""

    type: Literal["effect_started"] = "effect_started"
    effect_id: str
    action: Action

    approval_id: str | None = None
    """The approval that is used up by it. None: it needed none."""


class EffectEnded(Record):
    """The tool has come back."""

    type: Literal["effect_ended"] = "effect_ended"
    effect_id: str
    is_error: bool


class EffectVerdict(Record):
    """What becomes of one side effect."""

    effect_id: str
    decision: EffectDecision


class PlanRevised(Record):
    """The model has changed the plan."""

    type: Literal["plan_revised"] = "plan_revised"
    plan: TaskPlan
    verdicts: tuple[EffectVerdict, ...] = ()

    request: UserInputRequest | None = None
    """What a person is asked to put in order. None: nothing."""


class ConstraintAdded(Record):
    """The user wants something to be heeded."""

    type: Literal["constraint_added"] = "constraint_added"
    input_id: str
    constraint: str


class GoalChanged(Record):
    """The user wants something else. What was pending is withdrawn."""

    type: Literal["goal_changed"] = "goal_changed"
    input_id: str
    goal: str
    withdrawn_request_id: str | None = None


class RunCancelled(Record):
    """The user wants nothing any more. What was pending is closed."""

    type: Literal["run_cancelled"] = "run_cancelled"
    input_id: str
    reason: str
    closed_request_id: str | None = None


class RunEnded(Record):
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


class RunEntry(Record):
    """An event, and where it belongs."""

    run_id: str
    number: int
    """From 1, without a gap: a missing one could be the use of an approval."""

    at: AwareDatetime
    event: RunEvent

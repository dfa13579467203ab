"""Values of a run and of its user, and a course of events: pure, without a clock or a disk."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from conformance.support.chapters import where
from conformance.support.judge import CheckFailed, expect
from conformance.support.subject import Subject

START = datetime(2026, 1, 1, tzinfo=UTC)
RUN, ASK = "s-1", "ask-1"
QUESTION, GOAL = "用哪个名字？", "整理待办"
READ = where("interaction")


def at(seconds: float) -> datetime:
    """Return the time so many seconds after the start."""
    return START + timedelta(seconds=seconds)


class Course:
    """A run that has just begun, and what can happen to it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.refused = subject.get("user_input.InputRefused")

    def new(self) -> Any:
        """Return the state of a run that has just begun."""
        event = self.subject.get("run_events.RunStarted")(
            goal=GOAL, budget=9, working_folder="/w", model="fake"
        )
        return self.subject.get("run_fold.begin")(RUN, event, now=START)

    def request(self, name: str = ASK, *, expires: float | None = None, **others: Any) -> Any:
        """Return a request; `expires` is in seconds after the start."""
        fields: dict[str, Any] = {"kind": "clarification", "question": QUESTION, "reason": "要写"}
        return self.subject.get("user_input.UserInputRequest")(
            id=name,
            created_at=START,
            expires_at=None if expires is None else at(expires),
            **(fields | others),
        )

    def answer(self, content: str = "王芳", *, to: str = ASK) -> Any:
        """Return an answer."""
        make = self.subject.get("user_input.UserInputAnswer")
        return make(request_id=to, content=content, received_at=at(1))

    def action(self, **arguments: str) -> Any:
        """Return the action of writing a file."""
        arguments = {"path": "a", "content": "x"} | arguments
        call = self.subject.get("messages.ToolCall")(id="w", name="write", arguments=arguments)
        return self.subject.get("approvals.action_of")(call, working_folder="/w", content="1")

    def wait(self, state: Any, request: Any = None, **how: Any) -> Any:
        """Let the run wait for a request, by default for a name."""
        wait = self.subject.get("interaction.wait_for_user_input")
        return wait(state, request or self.request(), now=START, **how)

    def wait_for_approval(self, state: Any) -> Any:
        """Let the run wait for an approval."""
        return self.wait(state, self.request(kind="approval"), action=self.action())

    def reply(self, state: Any, content: str = "王芳", *, to: str = ASK, seconds: float = 1) -> Any:
        """Apply an answer."""
        apply = self.subject.get("interaction.apply_user_answer")
        return apply(state, self.answer(content, to=to), now=at(seconds))

    def steer(self, state: Any, kind: str, text: str, *, name: str = "in-1") -> Any:
        """Apply a constraint, a goal change or a cancel."""
        make = self.subject.get("user_input.UserSteering")
        steering = make(id=name, run_id=RUN, type=kind, text=text)
        return self.subject.get("interaction.apply_user_steering")(state, steering, now=at(2))

    def code(self, action: Callable[[], Any]) -> str:
        """Return the code with which `action` is refused, or "accepted"."""
        try:
            action()
        except self.refused as refusal:
            return str(refusal.code)
        return "accepted"

    def expect_refused(
        self, state: Any, action: Callable[[Any], Any], code: str, *, called: str
    ) -> None:
        """Fail the check unless `action` is refused with `code`, and `state` is as it was."""
        before = repr(state)
        came = self.code(lambda: action(state))
        expect(came == code, called=called, came=came, wanted=f"refused: {code}", read=READ)
        if repr(state) != before:
            raise CheckFailed(
                called=called, came=repr(state), wanted=f"unchanged: {before}", read=READ
            )


def shown(state: Any) -> str:
    """Return what a report shows of a state."""
    pending = state.pending_user_input
    return (
        f"{state.status}, goal {state.goal_version}: {state.goal}, constraints "
        f"{list(state.constraints)}, plan {state.plan.version}, waits for "
        f"{pending.id if pending else None}, events {kinds(state)}"
    )


def kinds(state: Any) -> list[str]:
    """Return the types of the events that have led to a state and are not stored yet."""
    return [entry.event.type for entry in state.unsaved]

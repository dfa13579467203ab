"""Drives a run: where pure decisions meet the disk, the clock and the model.

What it does is decided elsewhere: in `interaction.py` about what the user says, in
`clarification.py` about what the model asks, in `approvals.py` about what may run.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Concatenate, ParamSpec

import anyio

from .abort import AbortSignal
from .agent_events import AgentEnd, AgentEvent
from .briefing import briefing
from .conversation import Conversation
from .file_state import folder_of
from .inbox import Inbox
from .intake import take_in, unread
from .interaction import apply_user_answer, apply_user_steering, approve, deny, resume
from .messages import UserMessage, user_text
from .run_desk import RunDesk
from .run_events import RunMoved, RunStarted
from .run_fold import begin, record
from .run_loop import Equipment, ended, loop_of_run
from .run_news import APPROVED, DENIED, EXPIRED, INTERRUPTED, news_of
from .run_state import AgentState
from .run_terms import Terms
from .user_input import InputRefused, SteeringType, UserInputAnswer, UserSteering

P = ParamSpec("P")

GLANCE = 0.2
"""Seconds between two looks into the inbox while the model or a tool is at work."""

ELSEWHERE = (
    "它是在 {old_folder} 用 {old_model} 做的，现在是 {folder} 和 {model}；"
    "一定要接着做，就在命令前面加上 --anyway"
)

Show = Callable[[AsyncGenerator[AgentEvent, None]], Awaitable[AgentEnd]]
"""Shows the events of a loop to the user, and returns the last one."""


class Runner:
    """One run after the other, in one session."""

    def __init__(self, conversation: Conversation, *, equipment: Equipment, terms: Terms) -> None:
        """Take up the last run of the session where it stands, and what lies in its inbox.

        Raises:
            SessionError: something had to be written, and could not be.
        """
        self.conversation = conversation
        self.equipment = equipment
        self.desk = RunDesk(conversation.session, now=terms.now, new_id=terms.new_id)
        self._terms = terms
        self._news: str | None = None
        self.follow_session()

    def follow_session(self) -> None:
        """Take over the session that the conversation is in now; errors as above."""
        session, folder = self.conversation.session, self._terms.inboxes
        if session is not self.desk.session:
            self.desk.move_to(session)
        self._inbox = Inbox(folder, session.header.id) if folder is not None else None
        self._take_in()

    def start(self, goal: str) -> None:
        """Begin a run. It and the user's line are stored when this returns.

        Raises:
            InputRefused: there is one that is not over.
            SessionError: it could not be stored.
        """
        event = RunStarted(
            goal=goal,
            budget=self._terms.budget,
            working_folder=folder_of(self.equipment.workspace),
            model=self._terms.model,
            extensions=self._terms.extensions,
            answer_within=self._terms.answer_within,
        )
        run_id = self.desk.next_run_id()
        self.conversation.say(goal)  # first: a list of sessions shows how a session begins
        self.desk.save(begin(run_id, event, now=self.desk.now()))
        self._news = None

    def answer(self, request_id: str, text: str) -> None:
        """Take an answer; see `apply_user_answer`. It is stored when this returns."""
        now = self.desk.now()
        answer = UserInputAnswer(request_id=request_id, content=text, received_at=now)
        self._change_here(apply_user_answer, answer, now=now)
        self._news = "用户回答了问题。"

    def approve(self, request_id: str) -> None:
        """Allow the pending action; see `interaction.approve`."""
        self._change_here(approve, request_id, now=self.desk.now())
        self._news = APPROVED.format(id=request_id)

    def deny(self, request_id: str, reason: str = "") -> None:
        """Refuse the pending action; see `interaction.deny`."""
        self._change_here(deny, request_id, now=self.desk.now(), reason=reason)
        self._news = DENIED.format(id=request_id, reason=reason.strip() or "没有说")

    def resume(self) -> None:
        """Go on where the run stands; see `interaction.resume`."""
        expired = self.desk.state.pending_user_input
        self._change_here(resume, now=self.desk.now())
        self._news = INTERRUPTED
        if expired is not None:
            self._news = EXPIRED.format(id=expired.id, question=expired.question)

    def steer(self, type_: SteeringType, text: str) -> None:
        """Take a constraint, another goal, or a cancel; see `apply_user_steering`."""
        run_id = self.desk.state.run_id
        steering = UserSteering(id=self.desk.new_id(), run_id=run_id, type=type_, text=text)
        self.desk.change(apply_user_steering, steering, now=self.desk.now())
        self._news = news_of([steering])

    async def work(self, *, signal: AbortSignal, show: Show) -> None:
        """Work until the run waits or is over; `show` gets the events.

        Raises:
            SessionError: something could not be stored. The run stays as it is on disk.
        """
        if self._news is not None:
            self.conversation.say(self._brief(self._news))
            self._news = None
        while True:
            end = await self._work_once(signal, show)
            news = self._take_in()
            if news is None or not self._can_go_on(end):
                break
            self.conversation.say(self._brief(news))
        if self.desk.state.status == "running":
            self.desk.change(record, ended(end), now=self.desk.now())

    async def _work_once(self, signal: AbortSignal, show: Show) -> AgentEnd:
        """Let the loop run, and beside it somebody who watches for a cancel."""
        loop = loop_of_run(
            self.desk,
            self.conversation.context,
            equipment=self.equipment,
            signal=signal,
            said_meanwhile=self._said_meanwhile,
        )
        async with anyio.create_task_group() as beside:
            beside.start_soon(self._watch, signal)
            end = await show(self.conversation.storing(loop))
            beside.cancel_scope.cancel()
        return end

    async def _watch(self, signal: AbortSignal) -> None:
        while not self._cancel_waits():  # noqa: ASYNC110  # nobody sets an event
            await anyio.sleep(GLANCE)
        signal.abort()

    def _said_meanwhile(self) -> list[UserMessage]:
        """Take in what was said during the turn. A cancel stays in the inbox: `_watch` sees it."""
        if self._cancel_waits():
            return []
        news = self._take_in()
        return [] if news is None else [user_text(self._brief(news))]

    def _cancel_waits(self) -> bool:
        return any(line.type == "cancel" for line in unread(self.desk, self._inbox))

    def _take_in(self) -> str | None:
        return news_of(take_in(self.desk, self._inbox))

    def _can_go_on(self, end: AgentEnd) -> bool:
        state = self.desk.state
        return (
            state.status == "running"
            and end.reason in ("completed", "stopped")
            and state.model_calls < state.budget
        )

    def _brief(self, news: str) -> str:
        return briefing(self.desk.state, news)

    def _change_here(
        self,
        function: Callable[Concatenate[AgentState, P], AgentState],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Change the state, if the run may go on here.

        Raises:
            InputRefused: folder or model is another one and the user does not insist; or the
                change is not possible. Nothing was written.
            SessionError: it could not be stored.
        """
        self.desk.save(function(self._moved_here(self.desk.state), *args, **kwargs))

    def _moved_here(self, state: AgentState) -> AgentState:
        folder, model = folder_of(self.equipment.workspace), self._terms.model
        if (state.working_folder, state.model) == (folder, model):
            return state
        if not self._terms.insist:
            text = ELSEWHERE.format(
                old_folder=state.working_folder, old_model=state.model, folder=folder, model=model
            )
            raise InputRefused("run_elsewhere", text)
        moved = RunMoved(working_folder=folder, model=model)
        return record(state, moved, now=self.desk.now())

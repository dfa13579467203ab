"""Drives a run: where pure decisions meet the disk, the clock and the model.

What it does is decided elsewhere: in `interaction.py` about what the user says, in
`clarification.py` about what the model asks.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable

import anyio

from ..abort import AbortSignal
from ..agent_events import AgentEnd, AgentEvent
from ..extensions.gates import ExtensionHooks
from ..sessions.conversation import Conversation
from ..text import one_line, replace_surrogates
from ..tools.workspace import Workspace
from .ask import REQUEST_USER_INPUT
from .briefing import briefing
from .events import ConstraintAdded, GoalChanged, RunMoved, RunStarted
from .inbox import Inbox, describe_steering
from .interaction import apply, require_text
from .log import RunLog
from .loop import RunConfig, RunDeps, ended, loop_of_run
from .permissions import Permissions
from .policy import BadPolicy, rule_for
from .reducer import begin, record
from .state import AgentState
from .update_plan import UPDATE_PLAN
from .user_input import Approve, Cancel, Command, Constraint, GoalChange, InputRefused

ELSEWHERE = (
    "它是在 {old.working_folder} 用 {old.model} 做的，现在是 {folder} 和 {model}；"
    "一定要接着做，就在命令前面加上 --force"
)
MISSING = (
    "扩展 {files} 没有加载，或者内容变了，缺了它就不做；一定要接着做，就在命令前面加上 --force"
)

Show = Callable[[AsyncGenerator[AgentEvent, None]], Awaitable[AgentEnd]]
"""Shows the events of a loop to the user, and returns the last one."""


class Runner:
    """One run after the other, in one session."""

    def __init__(
        self,
        conversation: Conversation,
        *,
        deps: RunDeps,
        config: RunConfig,
        log: RunLog | None = None,
    ) -> None:
        """Take up the last run of the session where it stands.

        `log` is that of the session, if there is one already: tools may hold it, too.

        Raises:
            SessionError: something had to be written, and could not be.
        """
        self.conversation = conversation
        self.deps = deps
        self.config = config
        self.policy = config.policy
        self.log = log or RunLog(conversation.session, clock=config.clock, new_id=config.new_id)
        self._inbox: Inbox | None = None
        self.follow_session()

    def follow_session(self) -> None:
        """Take over the session that the conversation is in now; errors as above."""
        if self.conversation.session is not self.log.session:
            self.log.move_to(self.conversation.session)
        if (folder := self.config.inboxes) is not None:
            self._inbox = Inbox(folder, self.log.session.header.id)
        self.take_in()

    def take_in(self) -> None:
        """Put on record what other processes have said to the run.

        Raises:
            SessionError: it could not be stored.
        """
        for said in self._inbox.take_in(self.log) if self._inbox is not None else ():
            self.deps.extensions.context.notify(f"（收到：{describe_steering(said)}）")

    def start(self, goal: str) -> None:
        """Begin a run. It and the user's line are stored when this returns.

        Raises:
            InputRefused: there is one that is not over, or the goal is too long.
            SessionError: it could not be stored.
        """
        self.take_in()
        require_text(goal)
        event = RunStarted(
            goal=replace_surrogates(goal),
            budget=self.config.budget,
            working_folder=folder_of(self.deps.workspace),
            model=self.config.model,
            extensions=self.config.extensions,
            answer_within=self.config.answer_within,
            mode=self.policy.mode,
        )
        run_id = self.log.next_run_id()
        self.conversation.say(goal)  # first: a list of sessions shows how a session begins
        self.log.save(begin(run_id, event, now=self.log.clock()))

    def tell(self, said: Command) -> None:
        """Take what the user says to the run. It is stored when this returns.

        Raises:
            InputRefused: it is not possible now, or not here. Nothing was written.
            SessionError: it could not be stored.
        """
        self.take_in()
        state = self.log.state
        if not isinstance(said, Cancel | Constraint | GoalChange):  # those need no equipment
            state = self._moved_here(state)
        self.log.save(apply(state, said, now=self.log.clock()))
        if isinstance(said, Approve) and said.scope == "always":
            self._keep_for_always(state)

    async def work(self, *, signal: AbortSignal, show: Show) -> None:
        """Work until the run waits or is over; `show` gets the events.

        Raises:
            SessionError: something could not be stored. The run stays as it is on disk.
        """
        permissions = self._permissions()
        if self.log.state.due:
            gates = ExtensionHooks(self.deps.extensions, check=self.deps.tools.check)
            after_call = gates.loop_hooks().after_call
            end = await show(permissions.run_due(after_call=after_call, signal=signal))
            if end.reason == "aborted":
                self.log.record(ended(end, self.log.state))
                return
        while True:
            if (text := briefing(self.log.state)) is not None:
                self.conversation.say(text)
            end = await self._work_once(permissions, signal=signal, show=show)
            self.take_in()
            if end.reason != "completed" or not self._has_more_to_say():
                break
        if self.log.state.status == "running":
            self.log.record(ended(end, self.log.state))

    async def _work_once(
        self, permissions: Permissions, *, signal: AbortSignal, show: Show
    ) -> AgentEnd:
        """Let the loop run, and beside it somebody who watches for a cancel."""
        loop = loop_of_run(
            self.conversation.context,
            permissions=permissions,
            deps=self.deps,
            signal=signal,
            take_in=self._take_in_all,
        )
        async with anyio.create_task_group() as beside:
            if self._inbox is not None:
                beside.start_soon(self._inbox.abort_at_cancel, self.log, signal)
            end = await show(self.conversation.storing(loop))
            beside.cancel_scope.cancel()
        return end

    def _take_in_all(self) -> None:
        """Take in what was said elsewhere, and what was typed here while the run worked."""
        self.take_in()
        if self.log.state.status == "running":  # else it was typed before what it waits for
            for said in self.deps.typed():
                try:
                    self.log.save(apply(self.log.state, said, now=self.log.clock()))
                except InputRefused as refusal:
                    self.deps.extensions.context.notify(f"（{refusal}）")

    def _has_more_to_say(self) -> bool:
        """Tell whether the user has changed the course since the model was last called."""
        state = self.log.state
        if state.status != "running" or state.budget_is_used_up:
            return False
        return any(isinstance(event, ConstraintAdded | GoalChanged) for event in state.news)

    def _permissions(self) -> Permissions:
        return Permissions(
            log=self.log,
            policy=self.policy,
            tools=self.deps.tools,
            workspace=self.deps.workspace,
            exempt={REQUEST_USER_INPUT, UPDATE_PLAN},
            ask_user=self._ask_in_turn,
        )

    def _ask_in_turn(self) -> None:
        """Ask the user about what is pending, if there is anybody, and take the answer."""
        said = self.deps.ask_user(self.log.state) if self.deps.ask_user is not None else None
        if said is not None:
            self.tell(said)

    def _keep_for_always(self, asked: AgentState) -> None:
        """Keep what the user has allowed for good, in the file of the user."""
        notify = self.deps.extensions.context.notify
        rules = [rule_for(action, asked.working_folder) for action in asked.pending_actions]
        try:
            self.policy = self.policy.keep(rules)
        except (OSError, BadPolicy) as error:  # it stays allowed for the run
            notify(f"（没有记住：{error}）")
            return
        for action in asked.pending_actions:
            notify(f"（在这个文件夹里以后都允许：{one_line(f'{action.tool} {action.about}')}）")

    def _moved_here(self, state: AgentState) -> AgentState:
        """Return the state with what has to be on record before it goes on here.

        Raises:
            InputRefused: folder, model or extensions are others, and the user does not insist.
        """
        folder, model = folder_of(self.deps.workspace), self.config.model
        missing = [file for file in state.extensions if file not in self.config.extensions]
        is_here = (state.working_folder, state.model) == (folder, model)
        if is_here and not missing and state.mode == self.policy.mode:
            return state
        if not (is_here and not missing) and not self.config.force:
            text = MISSING.format(files="、".join(file.path for file in missing))
            if not is_here:
                text = ELSEWHERE.format(old=state, folder=folder, model=model)
            raise InputRefused("run_elsewhere", text)
        moved = RunMoved(
            working_folder=folder,
            model=model,
            extensions=self.config.extensions,
            mode=self.policy.mode,
        )
        return record(state, moved, now=self.log.clock())


def folder_of(workspace: Workspace | None) -> str:
    """Return where tools work, as text; "" if there is no such place."""
    return "" if workspace is None else replace_surrogates(str(workspace.root))

"""The loop around the agent: read a line, let the run have it, print what the agent does.

Not here: where the lines come from. That is all in which the two entries differ.
"""

from collections.abc import AsyncGenerator, Callable

import anyio

from .agent_events import AgentEnd, AgentEvent
from .cli.assembly import Surroundings, create_runner
from .cli.commands import run_builtin
from .cli.describe import describe_end, describe_run, describe_waiting
from .cli.keyboard import drop_typed_ahead
from .cli.model_command import change_model
from .cli.output import show_run
from .cli.verbs import SLASH, said_plainly, said_with_slash
from .ctrl_c import ctrl_c_aborts
from .errors import leaves
from .execution import NO_TOOLS, Toolset
from .extensions.events import Handled, SessionStart, StartReason
from .extensions.input import take_input
from .extensions.observers import observed, tell
from .messages import Context
from .render import warn
from .runs.runner import Runner
from .runs.user_input import InputRefused
from .sessions.conversation import Conversation
from .sessions.entries import SessionError
from .sessions.session import Session
from .sessions.store import MemoryStore
from .stream import StreamFn
from .text import escape_controls


def run_shell(
    ask: Callable[[str], str | None],
    model: StreamFn,
    *,
    conversation: Conversation | None = None,
    tools: Toolset = NO_TOOLS,
    surroundings: Surroundings | None = None,
    notify: Callable[[str], None] = warn,
) -> None:
    """Hold a conversation until `/exit` or the end of input, then say how long it was.

    `ask` shows a prompt and returns the next line, or None when there is no more.
    `/exit` is the only line the shell understands; a blank line is no message and
    is passed over; every other line is a command, or goes to the run. Ctrl-C ends its
    work, not the conversation. `conversation` is what was said and is known before the first
    line, and it is closed at the end; by default it is empty, kept in memory and forgotten.
    Notices go to `notify`; the progress of `tools` is shown.
    """
    if conversation is None:
        forgotten = Session.start(MemoryStore(), "memory")
        conversation = Conversation(forgotten, Context(), notify=notify)
    surroundings = surroundings or Surroundings()
    runner = create_runner(model, conversation, tools, surroundings)
    shell = Shell(runner, surroundings, notify)

    shell.begin()
    while (line := shell.next_line(ask)) is not None and line.strip() != "/exit":
        if line.strip():
            try:
                shell.answer(line)
            except* (SessionError, InputRefused) as trouble:  # out of a turn it comes in a group
                for error in leaves(trouble):
                    notify(f"（{escape_controls(str(error))}）")
            print()

    print(f"再见。（本次对话共 {len(conversation.context.messages)} 条消息）")
    conversation.session.close()


class Shell:
    """What becomes of a line, and of the run that it speaks to."""

    def __init__(
        self, runner: Runner, surroundings: Surroundings, notify: Callable[[str], None]
    ) -> None:
        self._runner = runner
        self._conversation = runner.conversation
        self._extensions = runner.deps.extensions
        self._at_terminal = surroundings.at_terminal
        self._has_keyboard = surroundings.has_keyboard
        self._choose_named = surroundings.choose_named
        self._output = surroundings.output
        self._program = surroundings.program
        self._notify = notify
        self._shown: str | None = None
        """The id of the request that has stood on the screen at a prompt."""

    def begin(self) -> None:
        """Tell extensions and the user where the session stands."""
        session = self._conversation.session
        anyio.run(self._start, "resumed" if session.entries() else "new")
        for run_id in self._runner.log.damaged:
            self._notify(f"（运行 {run_id} 的记录损坏了，不能接着用）")
        if waiting := self._waiting():
            print(f"{waiting}\n")

    def next_line(self, ask: Callable[[str], str | None]) -> str | None:
        """Return the next line. What was typed before a question was there is none."""
        state = self._runner.log.current
        pending = state.pending_user_input if state is not None else None
        if pending is not None and pending.id != self._shown and self._has_keyboard:
            self._shown = pending.id
            drop_typed_ahead(self._notify)
        return ask("你> ")

    def answer(self, line: str) -> None:
        """Deal with a line of the user.

        Raises:
            InputRefused: the run cannot take it.
            SessionError: it could not be stored.
        """
        name, _, text = line.strip().partition(" ")
        if name.startswith("/") and name[1:] in SLASH:
            self._speak(name[1:], text.strip())
            return
        if name == "/model":
            print(escape_controls(change_model(self._runner, text.strip(), self._choose_named)))
            return
        session, leaf_id = self._conversation.session, self._conversation.session.leaf_id
        state = self._runner.log.current
        is_open = state is not None and state.is_open
        told = run_builtin(line, self._conversation, self._extensions, run_is_open=is_open)
        if told is None:
            anyio.run(self._take_turn, line)
            return
        print(escape_controls(told))
        if (session, leaf_id) != (self._conversation.session, self._conversation.session.leaf_id):
            self._runner.follow_session()
            anyio.run(self._start, "moved")

    def _speak(self, name: str, text: str) -> None:
        """Say something to the run with a slash command."""
        log = self._runner.log
        if name == "status":
            print(describe_run(log.state, program=self._program))
            return
        self._runner.tell(said_with_slash(name, text, log.state))
        if log.state.status == "running":
            anyio.run(self._take_turn, None)
        else:
            print(describe_end(log.state, program=self._program, now=log.clock()))

    async def _take_turn(self, line: str | None) -> None:
        """Let the run have `line`, and let it work. None: it knows all."""
        async with ctrl_c_aborts() as signal:
            if line is not None:
                said = await take_input(line, self._extensions, signal=signal)
                if isinstance(said, Handled):
                    print(escape_controls(said.text), end="\n" if said.text else "")
                    return
                state = self._runner.log.current
                command = said_plainly(said, state, at_terminal=self._at_terminal)
                if command is None:
                    self._runner.start(said)
                else:
                    self._runner.tell(command)

            async def show(run: AsyncGenerator[AgentEvent, None]) -> AgentEnd:
                watched = observed(run, self._extensions, signal=signal)
                return await show_run(watched, self._output, notify=self._notify)

            await self._runner.work(signal=signal, show=show)
        if waiting := self._waiting():
            print(waiting)

    async def _start(self, reason: StartReason) -> None:
        self._extensions.context.session = self._conversation.session
        async with ctrl_c_aborts() as signal:
            await tell(SessionStart(reason=reason), self._extensions, signal=signal)

    def _waiting(self) -> str:
        state = self._runner.log.current
        if state is None:
            return ""
        return describe_waiting(state, program=self._program, in_shell=self._at_terminal)

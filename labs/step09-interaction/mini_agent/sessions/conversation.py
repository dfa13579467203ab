"""The history that a model is shown, and the session that remembers it: kept in step.

Not here: what a line of the user means (`shell.py`, `cli/session_commands.py`).
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from ..agent_events import AgentEvent
from ..messages import Context, user_text
from ..text import one_line, replace_surrogates
from .entries import Unstorable
from .repair import effect_unknown, open_calls, repair, storable, what_was_amiss
from .session import Session

LEFT_OUT = "（一条消息里有会话存不下的内容，这部分没有留下）"


class Conversation:
    """Both together: what enters the one is in the other before anything else happens."""

    def __init__(
        self, session: Session, context: Context, *, notify: Callable[[str], None]
    ) -> None:
        """Put the history of `session` into `context`; `notify` tells the user what is amiss.

        Raises:
            SessionError: something had to be stored and could not be.
        """
        self.session = session
        self.context = context
        self._notify = notify
        self._stored = 0
        """How many messages of the context are on record, as they are or repaired."""

        already_said = list(context.messages)
        self._take_in()
        context.messages.extend(already_said)  # stored with whatever comes next

    def move_to(self, entry_id: str | None) -> None:
        """Go on behind another entry of the session; see `Session.move_to`."""
        self.store_new()
        self.session.move_to(entry_id)
        self._take_in()

    def fork(self) -> None:
        """Go on in a copy of the session, and let go of the original."""
        self.store_new()
        copy = self.session.fork()
        self.session.close()
        self.session = copy
        self._take_in()

    def say(self, line: str) -> None:
        """Add what the user says. It is safe when this returns.

        Raises:
            SessionError: it could not be stored, and was not said.
        """
        self.store_new()
        message = user_text(replace_surrogates(line))
        self.session.add_message(message)
        self.context.messages.append(message)
        self._stored += 1

    def store_new(self) -> None:
        """Store what has entered the history since the last time."""
        messages = self.context.messages
        while self._stored < len(messages):
            try:
                self.session.add_message(messages[self._stored])
            except Unstorable:  # else nothing after it could be stored either
                messages[self._stored] = storable(messages[self._stored])
                self.session.add_message(messages[self._stored])
                self._notify(LEFT_OUT)
            self._stored += 1

    async def storing(
        self, run: AsyncGenerator[AgentEvent, None]
    ) -> AsyncGenerator[AgentEvent, None]:
        """Pass the events of `run` on, each after what it tells of has been stored.

        So a call is on the disk before its tool runs, and a result before anyone sees it.
        """
        try:
            async with aclosing(run):
                async for event in run:
                    self.store_new()
                    yield event
        finally:
            self.store_new()

    def _take_in(self) -> None:
        """Show the model the branch that the session is on now, repaired.

        Calls that a crash left without a result get one, and it is stored: so they are
        reported once, and never run again.
        """
        record = self.session.messages()
        for call in open_calls(record):
            record.append(self.session.add_message(effect_unknown(call)).message)
            self._notify(f"（上次中断时 {one_line(call.name)} 还没有结果，它的效果未知）")
        sent = repair(record)
        if amiss := what_was_amiss(record, sent):
            self._notify(f"（会话记录不完整：{amiss}）")
        self.context.messages[:] = sent
        self._stored = len(self.context.messages)

"""A run of the agent loop of the package under test, with a model and tools of the suite's own."""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from anyio import create_task_group, sleep_forever, wait_all_tasks_blocked

from conformance.support import judge
from conformance.support.history import fault_in_history, in_words
from conformance.support.judge import Observed
from conformance.support.model import Call, Says, Script
from conformance.support.subject import Subject


@dataclass(frozen=True)
class ToolUse:
    """What a tool gets when it is run."""

    call: Any
    signal: Any
    on_update: Callable[[str], None]


class ToolTable:
    """An executor that looks a call up in a table, and remembers what it ran.

    A tool may return its output or an awaitable of it. One that is not in the table
    says its own name and the id of its call.
    """

    def __init__(self, table: Mapping[str, Callable[[ToolUse], Any]] | None = None) -> None:
        self._table = table or {}
        self.begun: list[str] = []
        """The ids of the calls that were taken up, in that order."""

        self.ended: list[str] = []
        """The ids of those that are over, however they ended."""

    async def __call__(self, call: Any, /, *, signal: Any, on_update: Callable[[str], None]) -> Any:
        """Run a call."""
        self.begun.append(call.id)
        try:
            output = self._table.get(call.name, _echo)(ToolUse(call, signal, on_update))
            return await output if isawaitable(output) else output
        finally:
            self.ended.append(call.id)


NO_TEXTS: Mapping[str, Any] = {
    "a set": {"b", "a"},
    "bytes": b"\xff",
    "an int": 7,
    "NaN": float("nan"),
    "a dict": {"text": "好"},
    "an object": object(),
}
"""What a tool may return although it should return a text, by name."""


def _echo(use: ToolUse) -> str:
    return f"{use.call.name} {use.call.id}"


def toolset(
    subject: Subject,
    execute: Callable[..., Any],
    *,
    sequential: Collection[str] = (),
    check: Callable[[Any], Any] | None = None,
    on_update: Callable[[Any, str], None] | None = None,
) -> Any:
    """Return tools as the one value that the package's loop and shell take."""
    given = {"sequential": sequential, "check": check, "on_update": on_update}
    chosen = {name: value for name, value in given.items() if value}
    return subject.get("execution.Toolset")(execute=execute, **chosen)


AGENT_EVENTS = (
    *("AgentStart", "TurnStart", "MessageStart", "MessageEnd"),
    *("ToolExecutionStart", "ToolExecutionEnd", "TurnEnd", "AgentEnd"),
)
"""The classes in `agent_events.py`."""


class Run(Observed):
    """One line of the user, a model that answers by a script, and what came of it."""

    def __init__(
        self,
        subject: Subject,
        *says: Says,
        tools: Mapping[str, Callable[[ToolUse], Any]] | None = None,
        max_turns: int = 9,
        sequential: Collection[str] = (),
        check: Callable[[Any], Any] | None = None,
        hooks: Any = None,
        model: Any = None,
    ) -> None:
        self.subject = subject
        self.script = Script(subject, says)
        self.tools = ToolTable(tools)
        self.signal = subject.get("abort.AbortSignal")()
        self.context = subject.get("messages.Context")(
            messages=[subject.get("messages.user_text")("开始")]
        )
        self.events: list[Any] = []
        self.updates: list[tuple[str, str]] = []
        """The progress that was shown: the id of a call, and a text."""

        self._model = model or self.script
        self._max_turns = max_turns
        self._how = {
            "tools": toolset(
                subject,
                self.tools,
                sequential=sequential,
                check=check,
                on_update=lambda call, text: self.updates.append((call.id, text)),
            ),
            **({"hooks": hooks} if hooks else {}),
        }
        self.called = _called(says, max_turns, sequential)
        self._names = {subject.get(f"agent_events.{name}"): name for name in AGENT_EVENTS}

    def start(self) -> AsyncGenerator[Any, None]:
        """Begin the run."""
        run: AsyncGenerator[Any, None] = self.subject.get("agent_loop.run_agent_loop")(
            self.context,
            model=self._model,
            signal=self.signal,
            max_turns=self._max_turns,
            **self._how,
        )
        return run

    async def play(self, on_event: Callable[[str, Any], None] = lambda name, event: None) -> None:
        """Take all events; `on_event` sees each, with its name, before the next one is due."""
        with judge.in_time(self.subject.patience, called=self.called):
            async with aclosing(self.start()) as run:
                async for event in run:
                    self.events.append(event)
                    on_event(self.name_of(event), event)
        self.expect_closed()

    async def play_until_stuck(self, then: Callable[[], None]) -> None:
        """Take all events in a task of its own; when nothing moves any more, do something."""
        async with create_task_group() as group:
            group.start_soon(self.play)
            await wait_all_tasks_blocked()
            then()

    def name_of(self, event: Any) -> str:
        """Return the name of the class in `agent_events.py`, or that of the event's own class."""
        return self._names.get(type(event), type(event).__name__)

    @property
    def named_events(self) -> list[tuple[str, Any]]:
        """The events, each with its name."""
        return [(self.name_of(event), event) for event in self.events]

    @property
    def last(self) -> Any:
        """The last event; None, if there was none."""
        return self.events[-1] if self.events else None

    @property
    def end(self) -> str:
        """The reason with which the run has ended."""
        return str(getattr(self.last, "reason", "none: the last event is no AgentEnd"))

    @property
    def results(self) -> list[Any]:
        """The tool results in the history."""
        return [message for message in self.context.messages if message.role == "tool_result"]

    @property
    def history(self) -> list[str]:
        """The history in words."""
        return in_words(self.context.messages)

    def outcome(self) -> str:
        """Return the history."""
        return "\n".join(self.history)

    def expect_closed(self) -> None:
        """Fail the check unless all streams of the model are closed."""
        self.holds(
            self.script.open == 0,
            came="a stream of the model that was left open",
            wanted="a stream that is closed once nobody reads it: `async with aclosing(...)`",
        )

    def expect_whole(self, *, reason: str = "") -> None:
        """Fail the check unless a model would accept the history, and the run ended like this."""
        fault = fault_in_history(self.context.messages)
        ended = not reason or self.end == reason
        self.holds(
            not fault and ended,
            came="\n".join([fault, *([] if ended else [f"the reason {self.end}"]), *self.history]),
            wanted=f"{f'the reason {reason}, and ' if reason else ''}a result for each call",
        )

    def expect_history(self, *wanted: str) -> None:
        """Fail the check unless this is the history behind the user's line, in words."""
        self.same("\n".join(self.history[1:]), "\n".join(wanted))


def _called(says: Sequence[Says], max_turns: int, sequential: Collection[str]) -> str:
    options = f", max_turns={max_turns}" + (f", sequential: {sequential}" if sequential else "")
    said = "; then ".join([*map(str, says[:4]), *(["..."] if len(says) > 4 else [])])
    return f"run_agent_loop(context, model=..., tools...{options}); the model says {said}"


def stuck_run(subject: Subject, *, sequential: bool) -> Run:
    """Return a run that never ends by itself: of three calls the second and the third wait.

    With `sequential` the third one never begins, because the second never ends.
    """

    async def hang(use: ToolUse) -> None:
        await sleep_forever()

    says = Says(Call("t1"), Call("t2", "hang"), Call("t3", "hang"))
    names = {"hang"} if sequential else ()
    return Run(subject, says, Says("好"), tools={"hang": hang}, sequential=names)

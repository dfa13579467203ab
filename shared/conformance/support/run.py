"""A run of the agent loop of the package under test, with a model and tools of the suite's own."""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from anyio import create_task_group, sleep_forever, wait_all_tasks_blocked

from conformance.support.history import fault_in, in_words
from conformance.support.judge import expect
from conformance.support.model import Call, Says, Script
from conformance.support.patience import in_time
from conformance.support.subject import Subject
from conformance.support.tools import Tools, Use

AGENT_EVENTS = (
    *("AgentStart", "TurnStart", "MessageStart", "MessageEnd"),
    *("ToolExecutionStart", "ToolExecutionEnd", "TurnEnd", "AgentEnd"),
)
"""The classes in `agent_events.py`."""


class Run:
    """One line of the user, a model that answers by a script, and what came of it."""

    def __init__(
        self,
        subject: Subject,
        *says: Says,
        read: str,
        tools: Mapping[str, Callable[[Use], Any]] | None = None,
        max_turns: int = 9,
        sequential: Collection[str] = (),
        model: Any = None,
        others: Mapping[str, Any] | None = None,
    ) -> None:
        """Prepare it. `others` are arguments of the loop that are not named here."""
        self.subject = subject
        self.read = read
        self.script = Script(subject, says)
        self.tools = Tools(tools)
        self.signal = subject.get("abort.AbortSignal")()
        self.context = subject.get("messages.Context")(
            messages=[subject.get("messages.user_text")("开始")]
        )
        self.events: list[Any] = []
        self.updates: list[tuple[str, str]] = []
        """The progress that was shown: the id of a call, and a text."""

        self._model = model or self.script
        self._how = {"max_turns": max_turns, **({"sequential": sequential} if sequential else {})}
        self.called = _called(says, self._how)
        self._others = others or {}
        self._names = {subject.get(f"agent_events.{name}"): name for name in AGENT_EVENTS}

    def start(self) -> AsyncGenerator[Any, None]:
        """Begin the run."""
        run: AsyncGenerator[Any, None] = self.subject.get("agent_loop.run_agent_loop")(
            self.context,
            model=self._model,
            execute=self.tools,
            signal=self.signal,
            on_update=lambda call, text: self.updates.append((call.id, text)),
            **self._how,
            **self._others,
        )
        return run

    async def play(self, on_event: Callable[[str, Any], None] = lambda name, event: None) -> None:
        """Take all events; `on_event` sees each, with its name, before the next one is due."""
        with in_time(self.subject, called=self.called, read=self.read):
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

    def expect(self, truth: object, *, wanted: str, came: object = None) -> None:
        """Fail the check unless `truth` holds; what came is by default the history."""
        shown = "\n".join(self.history) if came is None else came
        expect(truth, called=self.called, came=shown, wanted=wanted, read=self.read)

    def expect_closed(self) -> None:
        """Fail the check unless all streams of the model are closed."""
        self.expect(
            self.script.open == 0,
            came="a stream of the model that was left open",
            wanted="a stream that is closed once nobody reads it: `async with aclosing(...)`",
        )

    def expect_whole(self, *, reason: str = "") -> None:
        """Fail the check unless a model would accept the history, and the run ended like this."""
        fault = fault_in(self.context.messages)
        ended = not reason or self.end == reason
        self.expect(
            not fault and ended,
            came="\n".join([fault, *([] if ended else [f"the reason {self.end}"]), *self.history]),
            wanted=f"{f'the reason {reason}, and ' if reason else ''}a result for each call",
        )

    def expect_history(self, *wanted: str) -> None:
        """Fail the check unless this is the history behind the user's line, in words."""
        self.expect(self.history[1:] == list(wanted), wanted="\n".join(wanted))


def _called(says: Sequence[Says], how: Mapping[str, Any]) -> str:
    options = "".join(f", {name}={value!r}" for name, value in how.items())
    said = "; then ".join([*map(str, says[:4]), *(["..."] if len(says) > 4 else [])])
    return f"run_agent_loop(context, model=..., execute=...{options}); the model says {said}"


def stuck_run(subject: Subject, *, read: str, sequential: bool) -> Run:
    """Return a run that never ends by itself: of three calls the second and the third wait.

    With `sequential` the third one never begins, because the second never ends.
    """

    async def hang(use: Use) -> None:
        await sleep_forever()

    says = Says(Call("t1"), Call("t2", "hang"), Call("t3", "hang"))
    names = {"hang"} if sequential else ()
    return Run(subject, says, Says("好"), read=read, tools={"hang": hang}, sequential=names)

"""An answer on its way to the screen, for the typewriter of the package under test.

In step 03 that renders the stream of one answer, from step 04 on a run in which the answer
stands. What the user sees of the answer is the same.
"""

import io
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.history import text_of
from conformance.support.judge import Observed
from conformance.support.model import Says
from conformance.support.subject import Subject


class Screen(io.StringIO):
    """Standard output as a user sees it: what has not been flushed is not there yet.

    With `room`, the reader goes away when so many characters have been written.
    """

    def __init__(self, *, room: int | None = None) -> None:
        super().__init__()
        self.shown = ""
        self._room = room

    def write(self, text: str) -> int:
        """Take a text, or fail as a closed pipe does."""
        written = super().write(text)
        if self._room is not None and self.tell() > self._room:
            raise BrokenPipeError(32, "Broken pipe")
        return written

    def flush(self) -> None:
        """Show all that was written."""
        self.shown = self.getvalue()


@dataclass(frozen=True)
class Note:
    """A notice between two pieces of an answer."""

    text: str


@dataclass(frozen=True)
class Aside:
    """A piece of what the model thinks, from step 04 on."""

    text: str


class RenderedAnswer(Observed):
    """An answer that looks at the screen whenever its next piece is asked for."""

    def __init__(
        self, subject: Subject, says: Says, *pieces: str | Note | Aside, room: int | None = None
    ) -> None:
        self._subject = subject
        self._pieces = pieces
        self.message = says.of(subject)
        self.screen = Screen(room=room)
        self.shown: list[str] = []
        """What stood on the screen behind each piece."""

        self.closed = False
        """The generator is at its end, or was closed."""

        self.called = f"rendering {', '.join(map(repr, pieces[:5])) or 'no piece'}, then {says}"

    async def render(self, monkeypatch: pytest.MonkeyPatch, **how: Any) -> Any:
        """Render it on its screen, and return what comes of it."""
        renderer, events = self._renderer()
        limit = judge.in_time(self._subject.patience, called=self.called)
        with limit, monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", self.screen)
            came = await renderer(events, **how)
        self.holds(
            self.closed,
            came="a stream that was left open",
            wanted="a stream that is closed once nobody reads it: `async with aclosing(...)`",
        )
        return came

    @property
    def end(self) -> Any:
        """What rendering it has to return: the message, or the end of the run."""
        if self._subject.step.number == 3:
            return self.message
        stop_reason = self.message.stop_reason
        answered = "completed" if text_of(self.message).strip() else "empty"
        reasons = {"stop": answered, "length": "truncated", "refusal": "refused"}
        return self._event("agent_events.AgentEnd", reason=reasons.get(stop_reason, stop_reason))

    def _renderer(self) -> tuple[Any, AsyncGenerator[Any, None]]:
        if self._subject.step.number == 3:
            return self._subject.get("render.render_stream"), self._stream()
        return self._subject.get("render.render_run"), self._run()

    async def _stream(self) -> AsyncGenerator[Any, None]:
        try:
            yield self._event("stream.StreamStart")
            for piece in self._pieces:
                if isinstance(piece, Note):
                    yield self._event("stream.Notice", text=piece.text)
                elif isinstance(piece, Aside):
                    yield self._event("stream.ThinkingDelta", text=piece.text)
                else:
                    yield self._event("stream.TextDelta", text=piece)
                self.shown.append(self.screen.shown)
            failed = self.message.stop_reason in ("error", "aborted")
            end = "stream.StreamError" if failed else "stream.StreamDone"
            yield self._event(end, message=self.message)
        finally:
            self.closed = True

    async def _run(self) -> AsyncGenerator[Any, None]:
        yield self._event("agent_events.AgentStart")
        yield self._event("agent_events.TurnStart", turn=1)
        yield self._event("agent_events.MessageStart")
        async with aclosing(self._stream()) as stream:
            async for event in stream:
                yield event
        yield self._event("agent_events.MessageEnd", message=self.message)
        yield self._event("agent_events.TurnEnd", message=self.message, results=())
        yield self.end

    def _event(self, name: str, /, **fields: Any) -> Any:
        return self._subject.get(name)(**fields)

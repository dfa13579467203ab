"""An answer on its way to the screen, for the typewriter of the package under test.

In step 03 that renders the stream of one answer, from step 04 on a run in which the answer
stands. What the user sees of the answer is the same.
"""

import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support.chapters import where
from conformance.support.judge import expect
from conformance.support.model import Says
from conformance.support.patience import in_time
from conformance.support.screens import Screen
from conformance.support.subject import Subject


@dataclass(frozen=True)
class Note:
    """A notice between two pieces of an answer."""

    text: str


class Answer:
    """An answer that looks at the screen whenever its next piece is asked for."""

    def __init__(
        self, subject: Subject, says: Says, *pieces: str | Note, room: int | None = None
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
        limit = in_time(self._subject, called=self.called, read=where("typewriter"))
        with limit, monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", self.screen)
            came = await renderer(events, **how)
        expect(
            self.closed,
            called=self.called,
            came="a stream that was left open",
            wanted="a stream that is closed once nobody reads it: `async with aclosing(...)`",
            read=where("typewriter"),
        )
        return came

    @property
    def end(self) -> Any:
        """What rendering it has to return: the message, or the end of the run."""
        if self._subject.step.number == 3:
            return self.message
        stop_reason = self.message.stop_reason
        reason = {"stop": "completed", "length": "completed", "refusal": "refused"}
        return self._event("agent_events.AgentEnd", reason=reason.get(stop_reason, stop_reason))

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

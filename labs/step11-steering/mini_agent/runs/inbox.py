"""What other processes have to say to a run that is held: a file that only grows.

Not here: that whoever holds the run takes it in (`runner.py`).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import anyio
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from ..abort import AbortSignal
from ..sessions.disk import append_safely, make_folder
from ..sessions.entries import SessionError
from ..text import one_line
from .interaction import apply
from .log import RunLog
from .user_input import Cancel, Constraint, GoalChange, InputRefused, Steering


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """One thing said, and to which run."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", strict=True, alias_generator=to_camel
    )
    run_id: str
    said: Annotated[Steering, Field(discriminator="type")]


POLL_INTERVAL = 0.2
"""Seconds between two looks into the inbox while the model or a tool is at work."""

LINE: TypeAdapter[Posted] = TypeAdapter(Posted)
"""The border between our values and the lines of an inbox."""


class Inbox:
    """The inbox of a session."""

    def __init__(self, folder: Path, session_id: str) -> None:
        """Stand beside the file of the session. The file of the inbox need not exist."""
        self._path = folder / f"{session_id}.inbox"
        self._read = 0
        """Bytes."""

        self._posted: list[Posted] = []
        self._refused: set[str] = set()

    def post(self, posted: Posted) -> None:
        """Add a line. It is on disk when this returns.

        Raises:
            SessionError: it could not be written.
        """
        # The line end in front parts it from half a line of somebody who died in a write.
        line = b"\n" + LINE.dump_json(posted, by_alias=True) + b"\n"
        try:
            make_folder(self._path.parent)
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                append_safely(file, line)
            finally:
                os.close(file)
        except OSError as error:
            raise SessionError(f"收件箱写不了：{error.strerror or error}") from error

    def unread(self, log: RunLog) -> Iterator[Steering]:
        """Yield what has been said to the current run and has been neither taken nor refused."""
        self._read_on()
        for posted in self._posted if log.current is not None else ():
            known = log.state.taken_inputs | self._refused
            if posted.run_id == log.state.run_id and posted.said.id not in known:
                yield posted.said

    def take_in(self, log: RunLog) -> list[Steering]:
        """Apply all of that, oldest first, and return it. What cannot be applied is passed over.

        Raises:
            SessionError: it could not be stored.
        """
        applied = []
        for said in self.unread(log):
            try:
                log.save(apply(log.state, said, now=log.clock()))
            except InputRefused:
                self._refused.add(said.id)  # the run is over, or it says nothing
                continue
            applied.append(said)
        return applied

    async def abort_at_cancel(self, log: RunLog, signal: AbortSignal) -> None:
        """Abort the work when another process wants the run cancelled; it need not wait a turn."""
        while not any(isinstance(said, Cancel) for said in self.unread(log)):  # noqa: ASYNC110
            await anyio.sleep(POLL_INTERVAL)
        signal.abort()

    def _read_on(self) -> None:
        """Take in what has been added since the last time. A line that is no input is no input."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                whole, end, _ = file.read().rpartition(b"\n")
        except (FileNotFoundError, NotADirectoryError):  # nobody could have posted anything
            return
        except OSError as error:
            raise SessionError(f"收件箱读不了：{error.strerror or error}") from error
        self._read += len(whole) + len(end)
        for line in filter(None, whole.split(b"\n")):
            try:
                self._posted.append(LINE.validate_json(line))
            except ValidationError:
                continue  # half a line


def describe_steering(said: Steering) -> str:
    """Return a line for what was said to a run unasked."""
    match said:
        case Cancel(reason=reason):
            return f"取消，{one_line(reason)}"
        case Constraint(text=text):
            return f"限制，{one_line(text)}"
        case GoalChange(goal=goal):
            return f"新的目标，{one_line(goal)}"

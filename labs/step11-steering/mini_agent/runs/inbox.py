"""What other processes have to say to a run that is held: a file that only grows.

Not here: that whoever holds the run takes it in (`runner.py`).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from ..disk import append_safely, make_folder
from ..session_entries import SessionError
from .interaction import apply
from .log import RunLog
from .user_input import InputRefused, Steering


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """One thing said, and to which run."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", strict=True, alias_generator=to_camel
    )
    run_id: str
    said: Annotated[Steering, Field(discriminator="type")]


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
        """Yield what has been said to the current run and is not on record as taken in."""
        self._read_on()
        run_id = log.current.run_id if log.current is not None else None
        for posted in self._posted:
            if posted.run_id == run_id and posted.said.id not in log.state.taken_inputs:
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
                continue  # the run is over
            applied.append(said)
        return applied

    def _read_on(self) -> None:
        """Take in what has been added since the last time. A line that is no input is no input."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                whole, end, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise SessionError(f"收件箱读不了：{error.strerror or error}") from error
        self._read += len(whole) + len(end)
        for line in filter(None, whole.split(b"\n")):
            try:
                self._posted.append(LINE.validate_json(line))
            except ValidationError:
                continue  # half a line

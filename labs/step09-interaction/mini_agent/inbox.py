"""What other processes have to say to a run whose session is locked: a file that only grows.

Not here: what becomes of it. Whoever works at the run takes it in, and has it on record then.
"""

import os
from pathlib import Path

from pydantic import ValidationError

from .disk import append_safely, make_folder
from .run_events import LOGGED
from .session_entries import SessionError
from .user_input import UserSteering


class Inbox:
    """The inbox of a session."""

    def __init__(self, folder: Path, session_id: str) -> None:
        """Stand beside the file of the session. The file of the inbox need not exist."""
        self._path = folder / f"{session_id}.inbox"
        self._read = 0
        """Bytes."""

        self._lines: list[UserSteering] = []

    def post(self, steering: UserSteering) -> None:
        """Add a line. It is on disk when this returns.

        Raises:
            SessionError: it could not be written.
        """
        try:
            make_folder(self._path.parent)
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                append_safely(file, LOGGED.dump_json(steering, by_alias=True) + b"\n")
            finally:
                os.close(file)
        except OSError as error:
            raise SessionError(f"收件箱写不了：{error.strerror or error}") from error

    def lines(self, run_id: str) -> list[UserSteering]:
        """Return all that was ever said to a run, oldest first."""
        self._read_on()
        return [line for line in self._lines if line.run_id == run_id]

    def _read_on(self) -> None:
        """Take in what has been added since the last time. A line that is no input is no input."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                whole, end, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return
        self._read += len(whole) + len(end)
        for line in whole.split(b"\n"):
            try:
                said = LOGGED.validate_json(line)
            except ValidationError:
                continue  # half a line of somebody who died, with the next one stuck to it
            if isinstance(said, UserSteering):
                self._lines.append(said)

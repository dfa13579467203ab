"""Stores of the package under test, and the lines of a session as the suite writes them."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.support.subject import OUT_OF_THE_WAY, Subject
from lab.programs import clean_environment, run_program

GUEST = "conformance.support.programs.sessions"

HEADER: dict[str, Any] = {
    "type": "session",
    "version": 1,
    "id": "s1",
    "createdAt": "2026-01-01T00:00:00Z",
}


def line(**fields: Any) -> bytes:
    """Return a line of a session file."""
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def said(entry_id: str, parent_id: str | None, text: str, *, role: str = "user") -> bytes:
    """Return the line of a message."""
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    return line(type="message", id=entry_id, parentId=parent_id, message=message)


class ReopenableStore:
    """A store of either kind, which can be left and come back to."""

    def __init__(self, subject: Subject, kind: str, folder: Path) -> None:
        self._subject = subject
        self._kind = kind
        self.path = folder / "deep" / "s1.jsonl"
        self.store = self._made()

    def put(self, lines: bytes) -> None:
        """Let it hold these bytes, from before anybody opened it."""
        self.store.close()
        self.path.parent.mkdir()
        self.path.write_bytes(lines)
        self.store = self._made(lines)

    def come_back(self) -> Any:
        """Close the store, and return one that holds what it held."""
        lines = b"".join(self.store.read())
        self.store.close()
        self.store = self._made(lines)
        return self.store

    def _made(self, lines: bytes = b"") -> Any:
        if self._kind == "FileStore":
            return self._subject.get("sessions.file.FileStore")(self.path)
        return self._subject.get("sessions.store.MemoryStore")(lines)


def conversation_of(subject: Subject, session: Any, *, notify: Callable[[str], None]) -> Any:
    """Return what `run_shell` takes as its `conversation`, at its beginning or its last word."""
    conversation = subject.get("sessions.conversation.Conversation")
    return conversation(session, subject.get("messages.Context")(), notify=notify)


def killed_writer(subject: Subject, path: Path, *, after: int) -> list[bytes]:
    """Let a process store lines until it is killed; return those that it said were stored."""
    with tempfile.TemporaryDirectory(prefix="lab-") as scratch:
        process = subprocess.Popen(
            [sys.executable, *OUT_OF_THE_WAY, "-m", GUEST, "write", str(path)],
            cwd=subject.folder,
            env=clean_environment(Path(scratch)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        with process, process.stdout as stored:
            lines = [stored.readline() for _ in range(after)]
            process.kill()
            return [said for said in [*lines, *stored.readlines()] if said.endswith(b"\n")]


def opened_elsewhere(subject: Subject, path: Path) -> str:
    """Let another process open a file for writing; return the name of the error, or "no error"."""
    finished = run_program(
        subject.folder,
        GUEST,
        arguments=("open", str(path)),
        options=OUT_OF_THE_WAY,
        timeout=subject.patience,
    )
    return finished.stdout.decode().strip() or subject.transcript(finished)

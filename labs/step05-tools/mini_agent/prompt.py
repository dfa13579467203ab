"""The prompt of a conversation: several lines in one message, and what was typed before.

Not here: how a line is read (`console.py`), and what becomes of a message (`shell.py`).
"""

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from .attachments import AttachmentError, path_of, with_attachments
from .text import escape_controls

Ask: TypeAlias = Callable[[str], str | None]

MAX_HISTORY, MAX_LENGTH = 1_000, 10_000
"""Messages that come back the next time, and characters of one that does."""


def at_prompt(
    ask: Ask, folder: Path, *, commands: Collection[str] = (), notify: Callable[[str], None]
) -> Ask:
    r"""Return what asks for a message, where `ask` asks for a line.

    `@name` puts a file of `folder` behind the message. If that fails, `notify` says why, nothing
    is sent, and the next message is asked for. At a terminal a line that ends in `\` goes on in
    the next one, Alt-Enter begins a new one, what is pasted is one message, messages are kept for
    the next time, and Tab completes names of files and of `commands`.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        _bind_keys(folder, commands)
        ask = _remembering(_going_on(ask), history_file(os.environ, Path.home()))

    def asked(prompt: str) -> str | None:
        while (message := ask(prompt)) is not None:
            try:
                return with_attachments(message, folder)
            except AttachmentError as error:
                notify(f"（没有发出：{escape_controls(str(error))}）")
        return None

    return asked


def _going_on(ask: Ask) -> Ask:
    def asked(prompt: str) -> str | None:
        lines: list[str] = []
        while (line := ask("... " if lines else prompt)) is not None:
            if not line.endswith("\\"):
                return "\n".join([*lines, line])
            lines.append(line[:-1])
        return asked(prompt) if lines else None  # who leaves in the middle takes it back

    return asked


def _bind_keys(folder: Path, commands: Collection[str]) -> None:
    import readline  # noqa: PLC0415  # only who sits at a terminal waits for it

    readline.parse_and_bind("set enable-bracketed-paste on")  # Python switches it off
    readline.parse_and_bind(r'"\e\C-m": "\C-v\C-j"')  # Alt-Enter: a line break, taken as it is
    readline.parse_and_bind("tab: complete")
    readline.set_completer_delims(" \t\n")
    readline.set_completer(completer(folder, commands))


def completer(folder: Path, commands: Collection[str]) -> Callable[[str, int], str | None]:
    """Return what readline calls for one completion of a word after the other, from 0 on."""

    def complete(word: str, number: int) -> str | None:
        return next((each for at, each in enumerate(found(word)) if at == number), None)

    def found(word: str) -> Iterator[str]:
        before, at, path = word.rpartition("@")
        parent, slash, beginning = path.rpartition("/")
        if at:
            for each in sorted(path_of(parent + slash, folder).glob("*")):
                hidden = each.name.startswith(".") and not beginning
                if each.name.startswith(beginning) and not hidden:
                    yield f"{before}@{parent}{slash}{each.name}{'/' if each.is_dir() else ''}"
        elif word.startswith("/"):
            yield from (f"/{name}" for name in sorted(commands) if name.startswith(word[1:]))

    return complete


def _remembering(ask: Ask, file: Path) -> Ask:
    import readline  # noqa: PLC0415

    readline.set_auto_history(False)  # what answers a question is no message
    for message in remembered(file):
        readline.add_history(message)

    def asked(prompt: str) -> str | None:
        message = ask(prompt)
        if message is not None and message.strip():
            readline.add_history(message)
            remember(file, message)
        return message

    return asked


def history_file(environment: Mapping[str, str], home: Path) -> Path:
    """Return where messages are kept: under the XDG state folder, by default ~/.local/state."""
    state = Path(environment.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():  # unset, or not what the XDG specification allows
        state = home / ".local" / "state"
    return state / "mini-agent" / "history"


def remembered(file: Path) -> list[str]:
    """Return the last messages in `file`, each on a line as JSON. A damaged line is passed over."""
    messages: deque[str] = deque(maxlen=MAX_HISTORY)
    try:
        with file.open("rb") as lines:
            for line in lines:
                try:
                    message = json.loads(line)
                except ValueError:
                    continue
                if isinstance(message, str) and "\0" not in message:
                    messages.append(message)
    except OSError:
        return []
    return list(messages)


def remember(file: Path, message: str) -> None:
    """Add a message to `file`, which only its owner may read. Where that fails, it is left."""
    if len(message) > MAX_LENGTH:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        number = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as lines:
            lines.write(f"{json.dumps(message, ensure_ascii=False)}\n")
    except OSError:
        return

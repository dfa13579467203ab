"""Files that a message names: `@notes.md` puts the text of the file behind the message.

Not here: reading for the model (`tools/read.py`). The user may name any file of his own.
"""

import re
from pathlib import Path

from .results import ToolError
from .tools.text_file import decode

MAX_SIZE = 200_000
"""Bytes that a message may take in. The agent reads longer files with `read`, piece by piece."""

NAMED = re.compile(r"""(?<![\w.+@`"'-])@(?:"([^"\n]+)"|([^\s@`"']+))""", re.ASCII)
"""`@name` or `@"a name"`. The end of an e-mail address is none, nor is what is quoted."""

BEHIND = re.compile(r"[，。；：！？、,;:)）]")
"""What goes on with the sentence, and may stand behind a name without a space."""

PATH = re.compile(r"[\w~+-]*[./][\w./~+-]*")
"""What must be meant as a path, whether there is such a file or not."""


class AttachmentError(Exception):
    """A file that was named cannot be put in. The text is for the user."""


def with_attachments(message: str, folder: Path) -> str:
    """Return `message`, and behind it the text of each file that it names, relative to `folder`.

    A word without `.` and `/` names a file only if there is one: `@staticmethod` stays what it is.
    So does any name in a message of several lines, which may be a program. A line that begins
    with `/` is a command and stays as it is.

    Raises:
        AttachmentError: a file is missing, is no UTF-8 text, or is too long.
    """
    if message.startswith("/"):
        return message
    texts: dict[str, str] = {}
    for found in NAMED.finditer(message):
        name = found[1] or found[2]
        short = name if found[1] else BEHIND.split(name)[0].rstrip(".")
        there = [each for each in (name, short) if each and _exists(path_of(each, folder))]
        if there:
            texts[there[0]] = _read(there[0], path_of(there[0], folder))
        elif "\n" not in message and (found[1] or PATH.fullmatch(short)):
            raise AttachmentError(f"没有 {short} 这个文件。不是文件名的话，就写成 `@{short}`")
    if sum(len(text.encode()) for text in texts.values()) > MAX_SIZE:
        raise AttachmentError(f"这些文件加起来太长：最多 {MAX_SIZE} 字节")
    parts = [f'<file path="{name}">\n{text}\n</file>' for name, text in texts.items()]
    return "\n\n".join([message, *parts])


def path_of(name: str, folder: Path) -> Path:
    """Return the path that a name means: relative to `folder`, with `~` for a home."""
    try:
        return folder / Path(name).expanduser()
    except RuntimeError:  # ~nobody: there is no such user
        return folder / name


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long for a name, or a null character
        return False


def _read(name: str, path: Path) -> str:
    if not path.is_file():  # a folder; or a pipe, which might never end
        raise AttachmentError(f"{name} 不是普通文件")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise AttachmentError(f"读不了 {name}：{error.strerror}") from None
    if len(data) > MAX_SIZE:
        raise AttachmentError(f"{name} 太长：最多 {MAX_SIZE} 字节。可以让 agent 自己去读")
    try:
        return decode(data.removeprefix(b"\xef\xbb\xbf"), name, size=len(data)).rstrip("\n")
    except ToolError as error:
        raise AttachmentError(str(error)) from None

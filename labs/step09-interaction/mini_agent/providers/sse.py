"""Server-sent events: from the bytes of a response to pairs of a name and its data.

The format is that of the HTML standard (WHATWG), section 9.2.

A stream of lines: `event: NAME`, `data: TEXT` (several of these make one text of several
lines), and an empty line that ends the event. A line that begins with a colon is a
comment, which servers send to keep the connection alive.
"""

import codecs
import json
import re
from collections.abc import Iterator

from .failures import Failure

LINE_END = re.compile(r"\r\n|\n|\r")
"""All three of the standard. Not `splitlines`: it would cut at U+2028, which JSON may well hold."""

MAX_EVENT = 8 * 1024 * 1024
"""Characters of one event. Some servers send all arguments of a call, a whole file, in one."""


class EventDecoder:
    """Decodes one stream. How its bytes are cut into chunks makes no difference."""

    def __init__(self) -> None:
        # "-sig" drops a byte order mark. A decoder that remembers: chunks cut characters.
        self._text = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line: list[str] = []  # pieces, joined once: adding them up would take ever longer
        self._ended_by_cr = False
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[tuple[str, str]]:
        """Yield the events that `chunk` completes, as (name, data). Without data there is none.

        An event that has no name of its own is a "message".

        Raises:
            Failure: an event is too long to be one.
        """
        text = self._text.decode(chunk)
        if self._ended_by_cr and text:
            text = text.removeprefix("\n")  # the other half of the line end before it
        self._ended_by_cr = text.endswith("\r") if text else self._ended_by_cr
        first, *others = LINE_END.split(text)
        self._collect(first)
        for piece in others:
            yield from self._end_line()
            self._collect(piece)

    def end(self) -> Iterator[tuple[str, str]]:
        """Yield the event that only lacks its empty line, if its data is whole.

        The standard drops it. But nothing is missing of it, and a gateway that forgets the last
        line is no reason to throw an answer away. What was cut off is not whole.
        """
        if self._line:
            yield from self._end_line()
        if self._data and is_whole("\n".join(self._data)):
            yield from self._end_line()

    def _collect(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > MAX_EVENT:
            raise Failure(f"服务器发来的一个事件超过 {MAX_EVENT // 2**20} MiB，不再读下去")
        if piece:
            self._line.append(piece)

    def _end_line(self) -> Iterator[tuple[str, str]]:
        line = "".join(self._line)
        self._line = []
        if line:
            self._read(line)
            return
        if self._data:
            yield self._name or "message", "\n".join(self._data)
        self._name, self._data, self._size = "", [], 0

    def _read(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        else:  # a comment, or what we do not know: it is no part of the event
            self._size -= len(line)


def is_whole(data: str) -> bool:
    """Tell whether this is all of an event's data: JSON, or OpenAI's own last word."""
    if data.strip() == "[DONE]":
        return True
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True

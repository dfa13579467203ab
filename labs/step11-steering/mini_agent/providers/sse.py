"""Server-sent events: from the bytes of a response to pairs of a name and its data.

The format is that of the HTML standard (WHATWG), section 9.2.

A stream of lines: `event: NAME`, `data: TEXT` (several of these make one text of several
lines), and an empty line that ends the event. A line that begins with a colon is a
comment, which servers send to keep the connection alive.
"""

import codecs
from collections.abc import Iterator


class EventDecoder:
    """Decodes one stream. How its bytes are cut into chunks makes no difference."""

    def __init__(self) -> None:
        # "-sig" drops a byte order mark. A decoder that remembers: chunks cut characters.
        self._text = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[tuple[str, str]]:
        """Yield the events that `chunk` completes, as (name, data). Without data there is none.

        An event that has no name of its own is a "message". One that is not complete when
        the stream ends is never yielded.
        """
        # Not `splitlines`: it would cut at U+2028, which JSON may well hold.
        *lines, self._rest = (self._rest + self._text.decode(chunk)).split("\n")
        for line in lines:
            line = line.removesuffix("\r")
            if line:
                self._read(line)
                continue
            if self._data:
                yield self._name or "message", "\n".join(self._data)
            self._name, self._data = "", []

    def _read(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value

"""Server-sent events: from bytes, however they are cut, to pairs of a name and its data."""

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject

pytestmark = read("decode")

STREAM = (
    "\ufeff: a comment\r\nevent: ping\ndata: {}\n\n"
    "data: 一\rdata:二\r\n\r\ndata: 3\u2028 4\nid: 5\n\nevent: nothing\n\n"
).encode()

EVENTS = [("ping", "{}"), ("message", "一\n二"), ("message", "3\u2028 4")]


def test_events(subject: Subject) -> None:
    """However its bytes are cut, a stream gives the same events; comments and ids are none."""
    for size in (1, 2, 5, len(STREAM)):
        decoder = subject.get("providers.sse.EventDecoder")()
        chunks = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]
        came = [event for chunk in chunks for event in decoder.feed(chunk)]
        judge.holds(
            came == EVENTS,
            called=f"EventDecoder().feed, {size} bytes at a time, {STREAM.decode()!r}",
            came=came,
            wanted=str(EVENTS),
        )


def test_end(subject: Subject) -> None:
    """At the end an event whose data is whole counts, and one that was cut off does not."""
    for data, wanted in (('{"a": 1}', [("message", '{"a": 1}')]), ('{"a": ', []), ("[DONE]", None)):
        decoder = subject.get("providers.sse.EventDecoder")()
        came = [*decoder.feed(f"data: {data}".encode()), *decoder.end()]
        judge.holds(
            came == ([("message", data)] if wanted is None else wanted),
            called=f"feed(b'data: {data}'), then end()",
            came=came,
            wanted="the event if its data is whole, else nothing",
        )

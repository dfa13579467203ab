"""The decoder of server-sent events, byte by byte."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mini_agent.providers.sse import EventDecoder

TABLE = {
    "one": (b"event: a\ndata: x\n\n", [("a", "x")]),
    "no-name": (b"data: x\n\n", [("message", "x")]),
    "name-behind": (b"data: x\nevent: a\n\n", [("a", "x")]),
    "names-do-not-stay": (b"event: a\ndata: x\n\ndata: y\n\n", [("a", "x"), ("message", "y")]),
    "several-lines": (b"data: x\ndata: y\ndata:\n\n", [("message", "x\ny\n")]),
    "empty-data": (b"data\n\ndata:\n\n", [("message", ""), ("message", "")]),
    "no-data": (b"event: a\n\nretry: 5\n\nid: 7\n\n\n\n", []),
    "no-space": (b"data:x\n\n", [("message", "x")]),
    "two-spaces": (b"data:  x \n\n", [("message", " x ")]),
    "colons": (b"data: a: b\n\n", [("message", "a: b")]),
    "comments": (b": hello\n:\ndata: x\n: more\n\n", [("message", "x")]),
    "crlf": (b"event: a\r\ndata: x\r\n\r\n", [("a", "x")]),
    "bom": (b"\xef\xbb\xbfdata: x\n\n", [("message", "x")]),
    "second-bom": (b"data: x\n\n\xef\xbb\xbfdata: y\n\n", [("message", "x")]),
    "line-separators": (
        "data: a\u2028b\u0085c\x0bd\n\n".encode(),
        [("message", "a\u2028b\u0085c\x0bd")],
    ),
    "not-complete": (b"data: x\n\ndata: y\n", [("message", "x")]),
    "unknown-fields": (b"what: a\nno colon\ndata: x\n\n", [("message", "x")]),
}


def decode(chunks: list[bytes]) -> list[tuple[str, str]]:
    decoder = EventDecoder()
    return [event for chunk in chunks for event in decoder.feed(chunk)]


@pytest.mark.parametrize("name", TABLE)
def test_what_comes_out(name: str) -> None:
    wire, events = TABLE[name]
    assert decode([wire]) == events
    assert decode([bytes([byte]) for byte in wire]) == events


PARTS = [b"data: ", b"event: a", b"\n", b"\n\n", b"\r\n", b":", "好🎉".encode(), b"\xff"]


@given(
    parts=st.lists(st.sampled_from(PARTS) | st.binary(max_size=3)),
    cuts=st.lists(st.integers(0, 80)),
)
def test_chunks_make_no_difference(parts: list[bytes], cuts: list[int]) -> None:
    wire = b"".join(parts)
    edges = sorted({0, len(wire), *(min(cut, len(wire)) for cut in cuts)})
    assert decode([wire[start:end] for start, end in pairwise(edges)]) == decode([wire])

"""A server on loopback that sends 20,000 text deltas, as both providers would."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

COUNT = 20_000
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


def anthropic_events() -> bytes:
    """Return the answer as Anthropic's Messages API sends it."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    text, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "好的 "}
    events: list[tuple[str, dict[str, object]]] = [
        ("message_start", {"message": {"usage": usage}}),
        ("content_block_start", {"index": 0, "content_block": text}),
        *[("content_block_delta", {"index": 0, "delta": delta})] * COUNT,
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn"}}),
        ("message_stop", {}),
    ]
    return "".join(
        f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in events
    ).encode()


def openai_events() -> bytes:
    """Return the answer as Chat Completions sends it."""
    piece = {"choices": [{"index": 0, "delta": {"content": "好的 "}, "finish_reason": None}]}
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    lines = "".join(f"data: {json.dumps(event)}\n\n" for event in [*[piece] * COUNT, end])
    return lines.encode() + b"data: [DONE]\n\n"


@contextmanager
def serving(body: bytes) -> Iterator[str]:
    """Send `body` to whoever asks; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_serve, args=(server, HEAD + body), daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def _serve(server: socket.socket, answer: bytes) -> None:
    with suppress(OSError):  # the listening socket was closed: the end
        while True:
            client, _ = server.accept()
            with client, suppress(OSError):
                _read_request(client)
                client.sendall(answer)


def _read_request(client: socket.socket) -> None:
    """Read all of a request: what is left unread resets the connection at its end."""
    with client.makefile("rb") as request:
        length = 0
        while (line := request.readline().lower()) not in (b"\r\n", b""):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        request.read(length)

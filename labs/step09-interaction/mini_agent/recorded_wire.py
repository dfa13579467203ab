"""A server that plays recorded answers: a provider's wire without a provider.

For the demo, and for whoever wants to see what a model's answer looks like on its way.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import TCPServer
from threading import Thread

RECORDINGS = Path(__file__).parent / "recordings"


@contextmanager
def recorded_wire(names: Sequence[str]) -> Iterator[str]:
    """Play the recordings `names`, one per request, in order; yield the address for it.

    It listens on this machine only, at a free port. A request too many is refused.
    """
    answers = iter([(RECORDINGS / name).read_bytes() for name in names])

    class Player(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that the base class calls
            self.rfile.read(int(self.headers["content-length"]))
            answer = next(answers, None)
            self.send_response(200 if answer is not None else 404)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as in the base
            pass  # the base class would write to stderr

    # Not `HTTPServer`: it asks the network for this machine's name.
    with TCPServer(("127.0.0.1", 0), Player) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))  # seconds until it sees the end
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()

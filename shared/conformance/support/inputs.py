"""What may come through a pipe, and has to be answered without a surprise."""

from collections.abc import Sequence

from conformance.support.transcript import EXIT


def lines_of(script: Sequence[str]) -> bytes:
    """Return what one would have to type to say the lines of `script`."""
    return "".join(f"{line}\n" for line in script).encode()


HELLO = "你好"
LONG = "长" * 1_000_000
NEVER = "不应出现"

TYPED = {
    "nothing": b"",
    "a line": lines_of([HELLO]),
    "a line without its end": HELLO.encode(),
    "CRLF, and lines after /exit": f"{HELLO}\r\n{EXIT}\r\n{NEVER}\r\n".encode(),
    "a byte order mark": b"\xef\xbb\xbf" + lines_of([EXIT]),
    "blank lines": lines_of(["", "   ", HELLO]),
    "a million characters": lines_of([LONG]),
    "spaces around /exit": lines_of([HELLO, f"  {EXIT}  ", NEVER]),
    "bytes that are not UTF-8": b"\xff\xfe \xe4\xbd\n",
    "no line, but bytes that are not UTF-8": b"\xe4\xbd",
}
"""What a pipe may bring, by name."""

"""Programs on a pipe: what may come through it, and where they have to say the same."""

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from io import FileIO

from conformance.support.transcript import EXIT
from lab.programs import Finished


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

NO_COERCION = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""Where Python cannot even name its own packages, if the path of the checkout is not ASCII."""

ENCODINGS: Mapping[str, Mapping[str, str]] = {
    "C locale": {"LC_ALL": "C"},
    **({"C locale, no coercion": NO_COERCION} if sys.prefix.isascii() else {}),
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "gbk": {"PYTHONIOENCODING": "gbk"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "utf-8:strict": {"PYTHONIOENCODING": "utf-8:strict"},
}
"""Where Python would read and write something else than UTF-8."""

ELSEWHERE: Mapping[str, str] = {
    "PYTHONHASHSEED": "4711",
    "TZ": "Pacific/Chatham",
    "TERM": "dumb",
    "COLUMNS": "20",
    "NO_COLOR": "1",
}
"""Another order of sets, another time zone, a narrow terminal without colours."""

ENVIRONMENTS: Mapping[str, Mapping[str, str]] = {**ENCODINGS, "elsewhere": ELSEWHERE}
"""All that a demo's output may not depend on, by name."""

STRICT_ENCODING = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
"""Options for Python under which a file that is opened without an encoding is an error."""


def typed_before(command: str, environment: Mapping[str, str]) -> str:
    """Return the command with its variables in front, as one would type it."""
    return " ".join([*(f"{name}={value}" for name, value in environment.items()), command])


def before_a_reader_of_one_line(run: Callable[..., Finished], *, typed: bytes) -> Finished:
    """Run a program as in `program | head -1`; `typed` reaches it when the reader has left."""
    from_program, to_reader = os.pipe()
    from_user, to_program = os.pipe()

    def read_one_line() -> None:
        with os.fdopen(from_program, "rb") as output:
            output.readline()
        with suppress(BrokenPipeError), os.fdopen(to_program, "wb") as keyboard:
            keyboard.write(typed)

    reader = threading.Thread(target=read_one_line)
    reader.start()
    try:
        with closing(FileIO(from_user)) as stdin, closing(FileIO(to_reader, "w")) as stdout:
            return run(stdin=stdin, stdout=stdout, environment={"PYTHONUNBUFFERED": "1"})
    finally:
        reader.join()


def before_no_reader(run: Callable[..., Finished], *, typed: bytes) -> Finished:
    """Run a program as in `program | true`: nobody has ever read."""
    unread, to_nobody = os.pipe()
    os.close(unread)
    with closing(FileIO(to_nobody, "w")) as stdout:
        return run(stdin=typed, stdout=stdout)


WAYS_TO_LEAVE = {"| head -1": before_a_reader_of_one_line, "| true": before_no_reader}

"""Readers of a program's output that go away: `program | head -1`, `program | true`."""

import os
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from io import FileIO

from lab.programs import Finished


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

"""Run a program and listen to it; whatever happens, leave nothing of it running."""

import os
import signal as signals
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Literal

import anyio
from anyio.abc import Process

from ..abort import AbortSignal
from .listener import Listener

MAX_OUTPUT_BYTES = 1024 * 1024 * 1024
"""Bytes of output by which a program is taken to be out of control."""

QUIET_INTERVAL = 0.1
"""Seconds without output after the end of a program, until no more is expected."""

KILL_TIMEOUT = 1.0
"""Seconds after SIGKILL until a program is given up: the kernel may hold it in a wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far a program may go."""

    seconds: float
    output_bytes: int = MAX_OUTPUT_BYTES
    quiet_interval: float = QUIET_INTERVAL
    """Seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended."""

    how: Literal["exited", "timeout", "aborted", "flood"]

    exit_code: int | None
    """Negative: the number of the signal that ended it. None: not even SIGKILL did."""


async def run_command(
    command: Sequence[str | bytes],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits,
    signal: AbortSignal,
    on_output: Callable[[bytes], None],
) -> Ended:
    """Run `command` until it ends, goes beyond a limit, or the user aborts.

    It gets no input and no terminal. It leads a group of processes, and at the end the
    whole group is killed: what it put in the background ends with it. Only what leaves
    the group on purpose (`setsid`) stays.

    Args:
        command: The program and its arguments.
        folder: The working folder.
        environment: All of it; nothing is inherited.
        limits: How far it may go.
        signal: Its abort ends the program at once.
        on_output: Gets what is printed on either stream, in the order in which it comes.

    Raises:
        OSError: it could not be started.
    """
    with _pipe() as (reader, writer):
        with anyio.CancelScope(shield=True):  # half started, nobody would know whom to kill
            process = await _start(command, folder, environment, writer)
        writer.close()  # the output ends when nobody can write to it, and we could
        listener = Listener(
            process,
            reader,
            say=on_output,
            max_bytes=limits.output_bytes,
            quiet_interval=limits.quiet_interval,
        )
        finished = False
        try:
            with anyio.move_on_after(limits.seconds), signal.scope():
                await listener.listen()
                finished = True
        except anyio.get_cancelled_exc_class():
            if not signal.aborted:  # it comes from outside, and we are to go
                raise
        finally:
            await _end(process)
        listener.take()  # its last words
    if listener.flooded:
        return Ended(how="flood", exit_code=process.returncode)
    if finished:
        return Ended(how="exited", exit_code=process.returncode)
    return Ended(how="aborted" if signal.aborted else "timeout", exit_code=process.returncode)


@contextmanager
def _pipe() -> Iterator[tuple[FileIO, FileIO]]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with FileIO(reading, "r") as reader, FileIO(writing, "w") as writer:
        yield reader, writer


async def _start(
    command: Sequence[str | bytes], folder: Path, environment: Mapping[str, str], output: FileIO
) -> Process:
    return await anyio.open_process(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


async def _end(process: Process) -> None:
    """Kill the program and all in its group, and wait until it is dead."""
    # The group may be empty (ProcessLookupError), or all in it dead (macOS: PermissionError).
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signals.SIGKILL)
    with anyio.move_on_after(KILL_TIMEOUT, shield=True):
        await process.wait()

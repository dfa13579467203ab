"""A real terminal with a program on it, and nothing left running when it is closed.

Not here: which keys are pressed and what the screen has to show (`lab.practice.terminal`,
`conformance.support.terminal`), and pipes, which `lab.programs` feeds.
"""

import contextlib
import os
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pexpect

from lab.programs import clean_environment


@contextmanager
def on_terminal(
    command: Sequence[str],
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    timeout: float,
) -> Iterator["pexpect.spawn[str]"]:
    """Start a command on a new terminal, in a clean environment; end it and all that it started.

    Args:
        command: The program and its arguments.
        folder: It becomes the working folder.
        environment: Variables on top of the clean environment.
        timeout: Seconds that `expect` waits, where it is not told otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="lab-terminal-") as scratch:
        child: pexpect.spawn[str] = pexpect.spawn(
            command[0],
            list(command[1:]),
            cwd=str(folder),
            env={**clean_environment(Path(scratch)), **(environment or {})},
            encoding="utf-8",
            codec_errors="backslashreplace",
            timeout=timeout,
        )
        child.delaybeforesend = None  # it would wait before it types
        try:
            yield child
        finally:
            _kill(child)


def _kill(child: "pexpect.spawn[str]") -> None:
    """End whatever is still running on the terminal, and close it."""
    assert child.pid is not None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    if child.isalive():
        child.wait()
    child.ptyproc.delayafterclose = 0  # type: ignore[attr-defined]  # types-pexpect lacks it
    child.close()

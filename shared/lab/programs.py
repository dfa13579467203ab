"""Run the programs of a step from outside, as a user or a pipe would.

One process per step, working folder = the step: nine packages share one import
name and are never loaded into one process.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

DEMO = "mini_agent.demo"
CHAT = "mini_agent"

FLOOD = 64 * 1024 * 1024
"""Bytes of output after which a program is taken to be out of control, and killed."""

NO_MODEL = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "MINI_AGENT_MODEL")
"""Variables that are set to nothing, which wins over a `.env` file: no run here may cost money."""

LEADING_AWAY = ("PYTHONHOME", "PYTHONPATH", "PYTHONSAFEPATH")
"""Variables of a user under which Python finds other packages, or not the one in its folder."""

START = """\
import runpy, sys
called, folder, module = sys.argv[1:4]
sys.argv[:] = [called, *sys.argv[4:]]
sys.path.insert(0, folder)
runpy.run_module(module, run_name="__main__")
"""
"""Runs the module that the third argument names, of the package in the folder of the second; the
first is what the program is to think that it was called by. Said in arguments and not in a
variable, it reaches no program that the agent starts."""

GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A program that has ended, or was ended."""

    command: str
    """What ran, as one would type it in the step's folder."""

    exit_code: int
    """Negative: the number of the signal that ended it, as `subprocess` has it."""

    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    flooded: bool = False
    left_behind: tuple[str, ...] = ()
    """Files that it left in the scratch folder (its home and its temporary folder)."""

    @property
    def ended_by_itself(self) -> bool:
        """Neither the time limit nor the output limit had to end it."""
        return not (self.timed_out or self.flooded)


def run_program(
    folder: Path,
    module: str,
    *,
    stdin: bytes | IO[bytes] = b"",
    stdout: IO[bytes] | None = None,
    environment: Mapping[str, str | None] | None = None,
    options: Sequence[str] = (),
    arguments: Sequence[str] = (),
    guarded: bool = False,
    timeout: float = 20.0,
) -> Finished:
    """Run `python -m module` in `folder`, in a clean environment, and wait for its end.

    Args:
        folder: The step's folder; it becomes the working folder.
        module: `DEMO` or `CHAT`, mostly.
        stdin: What the program reads, or a file to read it from.
        stdout: Where its output goes; None collects it through a pipe.
        environment: Variables on top of the clean environment. None: without this one.
        options: Options for the interpreter itself.
        arguments: Arguments for the program.
        guarded: Refuse writes outside the scratch folder and connections beyond
            loopback; the refusal stands on standard error, with `guard.REFUSED` before it.
        timeout: Seconds until the program and all that it started are killed.
    """
    target = ["-P", str(GUARD), module] if guarded else ["-m", module]
    with tempfile.TemporaryDirectory(prefix="lab-") as scratch:
        process = subprocess.Popen(
            [sys.executable, *options, *target, *arguments],
            cwd=folder,
            env=_without_none({**clean_environment(Path(scratch)), **(environment or {})}),
            stdin=subprocess.PIPE if isinstance(stdin, bytes) else stdin,
            stdout=stdout or subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        out, err, timed_out, flooded = _collect(process, stdin, timeout)
        return Finished(
            command=" ".join(["python", *options, "-m", module, *arguments]),
            exit_code=process.returncode,
            stdout=out,
            stderr=err,
            timed_out=timed_out,
            flooded=flooded,
            left_behind=_files_below(Path(scratch)),
        )


def become(
    package: Path, module: str, *arguments: str, called: str, working_folder: Path | None = None
) -> NoReturn:
    """Turn this process into `python -m module` of the step in `package`.

    It gets this process's streams, keys and exit code. The folder where it is started stays the
    working folder, unless another one is given; nothing that lies there can be imported. `called`
    is what one types to start it, for the commands that it shows.
    """
    if working_folder:
        os.chdir(working_folder)
    sys.stdout.flush()
    kept = {name: value for name, value in os.environ.items() if name not in LEADING_AWAY}
    environment = {**kept, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-c", START, called, str(package), module, *arguments]
    os.execve(sys.executable, command, environment)


def clean_environment(scratch: Path) -> dict[str, str]:
    """Return an environment without keys, settings or a user's folders.

    `scratch` becomes the home; the temporary folder is `scratch/tmp`.
    """
    (scratch / "tmp").mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {
        **kept,
        "HOME": str(scratch),
        "TMPDIR": str(scratch / "tmp"),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(NO_MODEL, ""),
    }


def _without_none(environment: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if value is not None}


def _collect(  # noqa: C901  # one process, its three pipes and their threads
    process: subprocess.Popen[bytes], stdin: bytes | IO[bytes], timeout: float
) -> tuple[bytes, bytes, bool, bool]:
    """Feed and drain `process`; return output, errors, and whether a limit had to end it."""
    out, err, flooded = bytearray(), bytearray(), threading.Event()

    def drain(pipe: IO[bytes], into: bytearray) -> None:
        while chunk := os.read(pipe.fileno(), 65536):
            into.extend(chunk)
            if len(into) > FLOOD:
                flooded.set()
                kill_group(process)
                return

    def feed(pipe: IO[bytes], data: bytes) -> None:
        # It may leave before it has read everything, as after /exit.
        with contextlib.suppress(BrokenPipeError), pipe:
            pipe.write(data)

    threads = []
    if process.stdin and isinstance(stdin, bytes):
        threads.append(threading.Thread(target=feed, args=(process.stdin, stdin), daemon=True))
    for pipe, into in ((process.stdout, out), (process.stderr, err)):
        if pipe:
            threads.append(threading.Thread(target=drain, args=(pipe, into), daemon=True))
    for thread in threads:
        thread.start()
    try:
        process.wait(timeout)
        timed_out = False
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:  # also after a Ctrl-C, and whatever it left running
        kill_group(process)
    process.wait()
    for thread in threads:
        thread.join(timeout=5)
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()
    return bytes(out), bytes(err), timed_out, flooded.is_set()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill `process` and everything in its process group. A dead one is left in peace."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _files_below(folder: Path) -> tuple[str, ...]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return tuple(sorted(name for name in names if name != "tmp"))

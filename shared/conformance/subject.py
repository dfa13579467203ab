"""The folder under test: its programs from outside, its package from inside."""

import importlib
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from lab.contract import Step, surface
from lab.programs import CHAT, DEMO, Finished, run_program

from conformance.failure import CheckFailed, PartMissing


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A folder, and the step that it is held to."""

    step: Step
    folder: Path

    def demo(self, **how: Any) -> Finished:
        """Run the scripted entry, guarded; options as in `run_program`."""
        return self._run(DEMO, guarded=True, **how)

    def chat(self, stdin: bytes | IO[bytes] = b"", **how: Any) -> Finished:
        """Run the interactive entry on a pipe; options as in `run_program`."""
        return self._run(CHAT, stdin=stdin, **how)

    def _run(self, module: str, **how: Any) -> Finished:
        file = "demo.py" if module == DEMO else "__main__.py"
        if not (self.folder / "mini_agent" / file).is_file():
            raise PartMissing(f"mini_agent/{file}")
        return run_program(self.folder, module, **how)

    def get(self, name: str) -> Any:
        """Return what "module.name" stands for in the package under test.

        Raises:
            PartMissing: the module or the name is not there yet.
            CheckFailed: importing it failed, or it came from another folder.
            LookupError: the name is not on the step's surface; a fault of the suite.
        """
        if name not in surface(self.step):
            raise LookupError(f"{name!r} is not on the surface of {self.step.id}")
        module_name, attribute = name.split(".", maxsplit=1)
        module = self._module(module_name)
        if not hasattr(module, attribute):
            raise PartMissing(f"mini_agent/{module_name}.py: {attribute}")
        return getattr(module, attribute)

    def _module(self, name: str) -> Any:
        if not self._has(name):
            raise PartMissing(f"mini_agent/{name}.py")
        if str(self.folder) not in sys.path:
            sys.path.insert(0, str(self.folder))
        try:
            module = importlib.import_module(f"mini_agent.{name}")
        except (Exception, SystemExit) as error:  # whatever a learner's module may do on loading
            raise CheckFailed(
                called=f"import mini_agent.{name}",
                came=where_it_broke(error, self.folder),
                wanted="a module that can be imported",
                read=f"the place named above, and labs/{self.step.id}/README.md",
            ) from error
        file = Path(str(module.__file__)).resolve()
        if not file.is_relative_to(self.folder.resolve()):
            raise LookupError(f"mini_agent was loaded from {file}, not from {self.folder}")
        return module

    def _has(self, name: str) -> bool:
        package = self.folder / "mini_agent"
        return (package / f"{name}.py").is_file() or (package / name / "__init__.py").is_file()


def where_it_broke(error: BaseException, folder: Path) -> str:
    """Return the error and the learner's own lines that led to it: no frames of anyone else."""
    frames = [
        f"{Path(frame.filename).resolve().relative_to(folder.resolve())}:{frame.lineno}"
        f" in {frame.name}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve().is_relative_to(folder.resolve())
    ]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append(f"{Path(error.filename).name}:{error.lineno}: {(error.text or '').strip()}")
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    return "\n".join([text, *(f"  at {frame}" for frame in frames[-4:])])


def transcript_of(finished: Finished) -> str:
    """Return what a program printed, for a report: both streams, long ones cut in the middle."""
    parts = []
    for label, data in (("stdout", finished.stdout), ("stderr", finished.stderr)):
        text = data.decode("utf-8", errors="backslashreplace")
        if len(text) > 1200:
            text = f"{text[:600]}\n... {len(text) - 1200} characters left out ...\n{text[-600:]}"
        if text:
            parts.append(f"{label}:\n{text}")
    return "\n".join([f"exit code {finished.exit_code}", *parts])


def lines_of(script: Sequence[str]) -> bytes:
    """Return what one would have to type to say the lines of `script`."""
    return "".join(f"{line}\n" for line in script).encode()

"""The folder under test: its programs from outside, its package from inside."""

import importlib
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from conformance.support import judge
from conformance.support.chapters import where
from conformance.support.judge import CheckFailed, PartMissing, SuiteFault, TooLate
from conformance.support.source import cannot_import, leaves_first
from conformance.support.tracebacks import in_short, own_lines
from lab.contract import Step, surface
from lab.programs import CHAT, DEMO, Finished, run_program

PATIENCE = 10.0
"""Seconds that a program may take. It has as little to do as a few lines of conversation."""

CHANGED_DEMO = "conformance.support.programs.changed_demo"
OTHER_MACHINE = "conformance.support.programs.other_machine"
CLOSED, LINES = "conformance.support.programs.closed", "conformance.support.programs.lines"
"""Programs of the suite's own."""

OUT_OF_THE_WAY = ("-P",)
"""The option for them that keeps the folder out of what they themselves import."""

MODULES_AT_ONCE = 40
"""Modules that can be imported, each on its own, in the time that a program may take."""


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What came of importing one module on its own."""

    error: str = ""
    """Why it failed, or empty."""

    file: str = ""
    package: str = ""
    """Where the module and its package were loaded from."""

    printed: str = ""
    touched: Sequence[str] = ()
    """Files, processes and sockets that it asked for while it was loaded."""


CUT_OFF = "while it was loaded: "
"""What the error of a module begins with that took the whole process with it, or held it up."""

NOT_TRIED = Imported(error="not tried, because another module held everything up")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A folder, and the step that it is held to."""

    step: Step
    folder: Path
    patience: float = PATIENCE

    loadable: bool = False
    """Its modules are known to load. They are not tried beforehand, which takes its time."""

    endless: dict[str, CheckFailed] = field(default_factory=dict)
    """Programs that did not end. They are not run again: each would cost the whole patience."""

    def demo(self, **how: Any) -> Finished:
        """Run the scripted entry, guarded; options as in `run_program`.

        Raises:
            PartMissing: there is no such entry.
            CheckFailed: it does not end.
        """
        self.need("demo")
        return self._run("demo", DEMO, guarded=True, **how)

    def changed_demo(self, part: str) -> Finished:
        """Run the scripted entry with this part changed: `programs/changed_demo.py`."""
        self.need("demo")
        self.need(part)
        return self._run("demo", CHANGED_DEMO, arguments=(part,), guarded=True)

    def demo_elsewhere(self, copy: Path) -> Finished:
        """Run the scripted entry of a copy of the folder: `programs/other_machine.py`."""
        self.need("demo")
        shutil.copytree(self.folder / "mini_agent", copy / "mini_agent")
        names = dict.fromkeys(("USER", "LOGNAME", "USERNAME"), "another-user")
        environment = {**names, "HOSTNAME": "another-host"}
        return self._run("demo", OTHER_MACHINE, folder=copy, environment=environment, guarded=True)

    def chat(self, stdin: Any = b"", **how: Any) -> Finished:
        """Run the interactive entry on a pipe; otherwise as `demo`."""
        self.need("__main__")
        return self._run("chat", CHAT, stdin=stdin, **how)

    def chat_in(
        self, folder: Path, stdin: bytes, *, environment: Mapping[str, str | None], **how: Any
    ) -> Finished:
        """Run the interactive entry in another folder, as one runs a program that is installed."""
        self.need("__main__")
        found = {"PYTHONPATH": str(self.folder), "PYTHONSAFEPATH": "1", **environment}
        return self._run("chat", CHAT, stdin=stdin, folder=folder, environment=found, **how)

    def chat_without(self, stream: str) -> Finished:
        """Run the interactive entry with "stdin", "stdout" or "stderr" closed."""
        self.need("__main__")
        return self._run("chat", CLOSED, arguments=(stream, CHAT), options=OUT_OF_THE_WAY)

    def console(self, mode: str, stdin: Any = b"", **how: Any) -> Finished:
        """Run the suite's own small program around the package's console: `programs/lines.py`."""
        self.get("console.console")
        self.get("console.ask")
        how = {"arguments": (mode,), "options": OUT_OF_THE_WAY, **how}
        return self._run(mode, LINES, stdin=stdin, **how)

    def need(self, module: str) -> None:
        """Raise `PartMissing` unless the package has this module."""
        package, path = self.folder / "mini_agent", module.replace(".", "/")
        if not (package / f"{path}.py").is_file() and not (package / path).is_dir():
            raise PartMissing(f"mini_agent/{path}.py")

    def get(self, name: str) -> Any:
        """Return what "module.name" stands for in the package under test.

        Raises:
            PartMissing: the module or the name is not there yet.
            CheckFailed: the module cannot be imported.
            SuiteFault: the name is not on the step's surface.
        """
        if name not in surface(self.step):
            raise SuiteFault(f"{name!r} is not on the surface of {self.step.id}")
        module_name, _, attribute = name.rpartition(".")
        self.need(module_name)
        self._refuse_to_import(module_name)
        if str(self.folder) not in sys.path:
            sys.path.insert(0, str(self.folder))
        module = importlib.import_module(f"mini_agent.{module_name}")
        if not hasattr(module, attribute):
            raise PartMissing(f"mini_agent/{module_name.replace('.', '/')}.py: {attribute}")
        return getattr(module, attribute)

    def _refuse_to_import(self, name: str) -> None:
        """Fail if a trial in a process of its own has shown that this module cannot be loaded."""
        cut_off = (n for n, tried in self.imported.items() if tried.error.startswith(CUT_OFF))
        culprit = next(cut_off, name)
        if error := self.imported[culprit].error:
            raise cannot_import(culprit, in_short(error))

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The modules of the package by name, those first that import no other."""
        return tuple(leaves_first(self.folder))

    @cached_property
    def imported(self) -> Mapping[str, Imported]:
        """What came of importing each module, tried once, in a process of its own."""
        if self.loadable:
            return {name: Imported() for name in self.modules}
        finished = run_program(
            self.folder,
            "conformance.support.programs.imports",
            arguments=self.modules,
            options=OUT_OF_THE_WAY,
            timeout=self._patience_with_imports,
        )
        found: dict[str, Imported] = {}
        for line in finished.stdout.decode("utf-8", errors="replace").splitlines():
            facts = json.loads(line)
            name = facts.pop("module")
            found[name] = Imported(**facts) if facts else self._cut_off(finished)
        if not found and self.modules:
            raise SuiteFault(f"no module was tried: {self.transcript(finished)}")
        if finished.timed_out and set(found) == set(self.modules):  # all loaded, and no end
            found[self.modules[-1]] = self._cut_off(finished)
        return {name: found.get(name, NOT_TRIED) for name in self.modules}

    @property
    def _patience_with_imports(self) -> float:
        """Seconds in which all modules must have been imported, each on its own."""
        return self.patience * max(1, len(self.modules) / MODULES_AT_ONCE)

    def _cut_off(self, finished: Finished) -> Imported:
        """Say what became of a module whose import began and was never done."""
        if finished.timed_out:
            return Imported(error=f"{CUT_OFF}no end within {self._patience_with_imports:g} s")
        return Imported(error=f"{CUT_OFF}the process ended, exit code {finished.exit_code}")

    def _run(self, program: str, module: str, **how: Any) -> Finished:
        """Run a module; `program` is the name under which it is remembered if it does not end."""
        self.refuse_endless(program)
        finished = run_program(how.pop("folder", self.folder), module, timeout=self.patience, **how)
        if not finished.ended_by_itself:
            limit = f"no end within {self.patience:g} s"
            failure = TooLate if finished.timed_out else CheckFailed
            self.endless[program] = failure(
                called=finished.command,
                came=f"{limit if finished.timed_out else 'no end of output'}; it was ended, "
                f"and is not run again\n{self.transcript(finished)}",
                wanted="a program that ends by itself",
                read=where("hanging"),
            )
            self.refuse_endless(program)
        return finished

    def refuse_endless(self, program: str) -> None:
        """Fail if a program is known not to end."""
        if program in self.endless:
            raise replace(self.endless[program])  # a new one each time: tracebacks pile up

    def transcript(self, finished: Finished) -> str:
        """Return how a program ended and what it said, long texts cut in the middle."""
        parts = [f"exit code {finished.exit_code}"] if finished.ended_by_itself else []
        for label, data in (("stdout", finished.stdout), ("stderr", finished.stderr)):
            if data:
                parts.append(f"{label}:\n{self.shown(data)}")
        return "\n".join(parts)

    def holds(self, truth: object, finished: Finished, *, wanted: str, called: str = "") -> None:
        """Fail the check unless `truth` holds of a program that has ended."""
        came = self.transcript(finished)
        judge.holds(truth, called=called or finished.command, came=came, wanted=wanted)

    def ends_well(self, finished: Finished, *, called: str = "") -> None:
        """Fail the check unless a program ended with exit code 0 and said nothing on stderr."""
        good = finished.exit_code == 0 and finished.stderr == b""
        wanted = "exit code 0 and an empty standard error"
        self.holds(good, finished, wanted=wanted, called=called)

    def prints(self, finished: Finished, wanted: bytes, *, called: str = "") -> None:
        """Fail the check unless a program printed these bytes; its standard error is told, too."""
        called, beside = called or finished.command, self.errors(finished)
        judge.same_bytes(finished.stdout, wanted, called=called, beside=beside)

    def errors(self, finished: Finished) -> str:
        """Return what a program said on standard error, as an addition to what else came."""
        return f"\nstderr:\n{self.shown(finished.stderr)}" if finished.stderr else ""

    def shown(self, data: bytes, *, most: int = 1200) -> str:
        """Return output as text: tracebacks cut to the folder's own lines, long texts cut."""
        if len(data) > 100 * most:
            data = data[: 10 * most] + b"\n...\n" + data[-10 * most :]
        text = own_lines(data.decode("utf-8", errors="backslashreplace"), self.folder)
        return judge.shortened(text, most)

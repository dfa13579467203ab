"""What `lab task` and `lab hint` show."""

import os
import shlex
import signal

from rich.console import Console

from lab import texts
from lab.bilingual import Bilingual, Language, preferred_language
from lab.contract import Step
from lab.errors import Exit
from lab.practice.runs import Observed, changed_copy, differences, observe, this_python
from lab.practice.tasks import HANGS, Run, find_task, tasks_of
from lab.practice.terminal import Press

KEY_NAMES = {"\n": "Enter", "\x03": "Ctrl-C", "\x04": "Ctrl-D"}
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def list_tasks(step: Step, language: Language | None) -> None:
    """List the tasks of a step, one line each."""
    page = _Page(language)
    tasks = tasks_of(step)
    page.say("list", style="bold", step=step.id, count=len(tasks))
    for task in tasks:
        mark = page.words["wrong turn"] if task.wrong_turn else ""
        page.lines(f"  {task.number}  {page.text(task.title)} {mark}".rstrip())
    if tasks:
        page.say("more", step=_short(step))


def show_task(step: Step, number: int, language: Language | None) -> None:
    """Show what a task asks for: neither the change nor what comes of it."""
    page = _Page(language)
    task = find_task(step, number)
    page.say("title", style="bold", step=step.id, number=number, title=page.text(task.title))
    if task.wrong_turn:
        page.say("on purpose")
    page.head("goal")
    page.prose(page.text(task.goal))
    page.head("steps", step=step.id)
    for place, line in enumerate(task.steps, start=1):
        page.prose(f"{place}. {page.text(line)}")
    page.head("command")
    for run in task.runs:
        page.lines(*(f"  {line}" for line in how_to_run(run, page.words)))
    if any(outcome.ends == HANGS for run in task.runs for outcome in run.outcomes):
        page.say("hangs")
    page.lines("")
    page.say("next", step=_short(step), number=number)


def show_solution(step: Step, number: int, language: Language | None) -> None:
    """Show the change that a task makes."""
    page = _Page(language)
    change = find_task(step, number).change
    for line in change.patch.splitlines():
        page.lines(line, style=DIFF_STYLES.get(line[:1], ""))
    for name, text in change.files.items():
        page.say("new file", style="bold", name=name)
        page.lines(text)


def show_hint(step: Step, number: int, rung: int, language: Language | None) -> None:
    """Show one hint of a task; `rung` is 1, 2 or 3."""
    page = _Page(language)
    task = find_task(step, number)
    page.say("hint", style="bold", step=step.id, number=number, rung=rung)
    page.prose(page.text(task.hints[rung - 1]))
    if rung < len(task.hints):
        page.say("next hint", step=_short(step), number=number, rung=rung + 1)


def try_task(step: Step, number: int, language: Language | None) -> Exit:
    """Run a task in a clean copy, show what comes of it, and compare with the record.

    Returns:
        WRONG if a run was not as recorded, SETUP if nothing is recorded for this Python.
    """
    page = _Page(language)
    task = find_task(step, number)
    with changed_copy(step, task) as folder:
        page.say("ran", style="bold", step=step.id, number=number, python=this_python())
        results = [_try_run(page, run, observe(run, folder)) for run in task.runs]
    page.head("notice")
    page.prose(page.text(task.notice))
    return Exit.WRONG if Exit.WRONG in results else max(results)


def _try_run(page: "_Page", run: Run, observed: Observed) -> Exit:
    command, *keys = how_to_run(run, page.words)
    page.lines("", f"$ {command}", *keys, style="bold")
    page.lines(observed.transcript.removesuffix("\n"))
    if observed.stderr:
        page.say("stderr")
        page.lines(observed.stderr.removesuffix("\n"))
    page.lines(_how_it_ended(run, observed, page.words))
    outcome = run.outcome_on(this_python())
    if outcome is None:
        page.say("not recorded", style="yellow", python=this_python())
        return Exit.SETUP
    found = differences(observed, outcome)
    page.say("differs" if found else "same", style="red" if found else "green")
    page.lines(*found)
    return Exit.WRONG if found else Exit.OK


def how_to_run(run: Run, words: dict[str, str]) -> list[str]:
    """Return what one would type to do the same by hand, then the keys, a line each."""
    program = shlex.join(["python", "-m", run.module, *run.arguments])
    if run.presses:
        return [program, *(_how_to_press(press, words) for press in run.presses)]
    if not run.stdin:
        return [program]
    escaped = run.stdin.replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n")
    source = f"printf {shlex.quote(escaped)}"
    return [f"{{ {source}; sleep 60; }} | {program}" if run.stays_open else f"{source} | {program}"]


def _how_to_press(press: Press, words: dict[str, str]) -> str:
    quiet = words["quiet"].format(seconds=press.quiet) if press.quiet else ""
    keys = press.keys
    for key, name in KEY_NAMES.items():
        keys = keys.replace(key, f" {name} ")
    after = press.after.strip()
    return "    " + words["keys"].format(after=after, quiet=quiet, keys=" ".join(keys.split()))


def _how_it_ended(run: Run, observed: Observed, words: dict[str, str]) -> str:
    match observed.ends:
        case int(code):
            return words["exit"].format(code=code)
        case "hangs":
            return words["hung"].format(seconds=run.time_limit)
        case name:
            code = 128 + signal.Signals[name]
            return words["signal"].format(name=name, code=code)


def _short(step: Step) -> str:
    return f"{step.number:02}"


class _Page:
    """Prints in one language: coloured and wrapped on a terminal, plain on a pipe."""

    def __init__(self, language: Language | None) -> None:
        self.language = language or preferred_language(os.environ)
        self.words = texts.TASK_WORDS[self.language]
        self.console = Console(highlight=False, markup=False, emoji=False)

    def text(self, words: Bilingual) -> str:
        return words.text(self.language)

    def say(self, key: str, *, style: str = "", **fields: object) -> None:
        """Print words of our own, with their fields filled in."""
        self.lines(self.words[key].format(**fields), style=style)

    def head(self, key: str, **fields: object) -> None:
        """Print a heading."""
        self.lines("")
        self.say(key, style="bold", **fields)

    def prose(self, text: str) -> None:
        """Print text that may be wrapped where the terminal ends."""
        self.console.print(text, soft_wrap=not self.console.is_terminal)

    def lines(self, *lines: str, style: str = "") -> None:
        """Print lines as they are."""
        for line in lines:
            self.console.print(line, style=style, soft_wrap=True)

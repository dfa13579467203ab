"""The recorded practice tasks, as they are shown in a chapter."""

from collections.abc import Iterator

from lab import texts
from lab.docs.request import Request
from lab.errors import LabError
from lab.practice.pages import how_to_run
from lab.practice.tasks import Outcome, Run, Task, find_task
from lab.seams.changes import Change, unified_lines


def task_lines(request: Request, step: str, number: str, part: str) -> tuple[str, str]:
    """Return the language of the fence, and what stands in it.

    Args:
        request: Where it is to stand.
        step: The step whose task it is.
        number: The number of the task, from 1.
        part: "patch" or "transcript".

    Raises:
        LabError: there is no such task, or no such part of it.
    """
    found = request.tree.step(step)
    if not number.isdecimal():
        raise LabError(texts.DOCS_TASK_NUMBER.format(number=number))
    task = find_task(found, int(number), folder=request.tree.root / "docs" / "tasks")
    match part:
        case "patch":
            return "diff", "".join(patch_of(task))
        case "transcript":
            return "text", "\n".join(line for run in task.runs for line in story_of(run, request))
        case _:
            raise LabError(texts.DOCS_TASK_PART.format(part=part))


def patch_of(task: Task) -> Iterator[str]:
    """Yield the change that a task makes, new files included, as one unified diff."""
    yield task.change.patch
    for name, text in task.change.files.items():
        yield f"--- /dev/null\n+++ b/{name}\n"
        change = Change(file=name, old=None, new=text.encode("utf-8"))
        yield b"".join(unified_lines(change)).decode("utf-8")


def story_of(run: Run, request: Request) -> Iterator[str]:
    """Yield a run as it is recorded: what one types, what it prints, how it ends.

    Where versions of Python differ, all outcomes are shown, each with its versions.
    """
    for line in how_to_run(run, texts.TASK_WORDS[request.language]):
        yield f"# {line.strip()}" if line.startswith(" ") else f"$ {line}"
    for outcome in run.outcomes:
        if len(run.outcomes) > 1:
            yield f"# Python {', '.join(outcome.python)}"
        for text in (outcome.transcript, outcome.stderr):
            yield from text.removesuffix("\n").split("\n") if text else ()
        yield from ending_of(outcome, run, request)
    yield ""


def ending_of(outcome: Outcome, run: Run, request: Request) -> Iterator[str]:
    """Yield how a run ended, if not with exit code 0."""
    match outcome.ends:
        case 0:
            return
        case int(code):
            yield f"# exit {code}"
        case "hangs":
            yield request.words.hung.format(seconds=run.time_limit)
        case name:
            yield request.words.killed.format(name=name)

"""The generated blocks: excerpts, transcripts, diffs, tables."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from conformance.suite import titles_of
from lab import texts
from lab.contract import Step
from lab.docs.excerpts import find_lines
from lab.docs.glossary import glossary
from lab.docs.practice import task_lines
from lab.docs.request import Maker, Request
from lab.docs.tree import count_lines
from lab.errors import LabError
from lab.seams.changes import unified_lines
from lab.seams.diff import find_changes, steps_between

FENCE_LANGUAGES = {".py": "python", ".toml": "toml", ".md": "markdown", ".json": "json"}
"""By suffix; everything else is shown as plain text."""


def fenced(language: str, text: str) -> list[str]:
    """Return the lines of a fence around `text`, longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return [f"{ticks}{language}", *text.removesuffix("\n").split("\n"), ticks]


def excerpt(request: Request, source: str, fold: str = "") -> list[str]:
    """Return a file, or a part of it, and a caption that says where it stands."""
    name, _, anchor = source.partition("#")
    text = request.tree.source(name)
    lines = find_lines(text, anchor or None)
    caption = request.words.line if lines.first == lines.last else request.words.lines
    language = FENCE_LANGUAGES.get(PurePosixPath(name).suffix, "text")
    shown = fenced(language, _unindented(lines.cut(text)))
    told = caption.format(file=f"labs/{name}", first=lines.first, last=lines.last)
    if fold:
        return folded(f"<code>{name.partition('/')[2]}</code>{anchor and f', {anchor}'}", shown)
    return [*shown, "", told]


def folded(summary: str, lines: Iterable[str]) -> list[str]:
    """Return `lines` in a fold."""
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>"]


def sitting(request: Request, name: str) -> list[str]:
    """Return what a sitting asks for: its files, its rules, its check; and how it may look."""
    words = request.words
    known = {one.id: (step, one) for step in request.tree.steps for one in step.sittings}
    if name not in known:
        raise LabError(texts.NO_SITTING.format(name=name, sittings=", ".join(known)))
    step, found = known[name]
    titles = titles_of(found.checks, request.language)
    files = ", ".join(_linked(request, step, file) for file in found.build)
    rules = [f"- {title} (`{check}`)" for check, title in titles.items()]
    parts = [
        words.sitting.format(files=files, minutes=found.minutes),
        "",
        *folded(words.rules.format(count=len(rules)), rules),
        "",
        words.check.format(id=name),
    ]
    for file in found.build:
        parts += ["", *folded(words.compare.format(file=file), _answer(request, step, file))]
    return parts


def sittings(request: Request, step: str) -> list[str]:
    """Return a table of the sittings of a step."""
    rows = (
        (
            one.id,
            one.text(request.language),
            str(one.minutes),
            str(len(titles_of(one.checks))),
            ", ".join(f"`{file.removeprefix('mini_agent/')}`" for file in one.build),
        )
        for one in request.tree.step(step).sittings
    )
    return table(request.words.sitting_columns, rows)


def _answer(request: Request, step: Step, file: str) -> list[str]:
    """Return a file of the reference; one that changes, as its difference."""
    if file in step.changed:
        before = request.tree.steps[request.tree.steps.index(step) - 1]
        return diff(request, before.id, step.id, file)
    return fenced("python", request.tree.source(f"{step.id}/{file}"))


def transcript(request: Request, step: str) -> list[str]:
    """Return the recorded output of a step's demo."""
    return fenced("text", request.tree.source(f"{request.tree.step(step).id}/expected-output.txt"))


def diff(request: Request, old: str, new: str, file: str | None = None) -> list[str]:
    """Return what changed between two steps, in teaching order, or in one file."""
    tree = request.tree
    path = steps_between(tree.steps, tree.step(old), tree.step(new))
    lines: list[bytes] = []
    changes = find_changes(path, file, labs=tree.labs)
    if not changes:
        raise LabError(texts.DIFF_SAME.format(file=file or "labs", start=old, end=new))
    for change in changes:
        lines.append(
            b"--- /dev/null\n" if change.old is None else f"--- a/{change.file}\n".encode()
        )
        lines.append(
            b"+++ /dev/null\n" if change.new is None else f"+++ b/{change.file}\n".encode()
        )
        lines += unified_lines(change)
    return fenced("diff", b"".join(lines).decode("utf-8", errors="replace"))


def task(request: Request, step: str, number: str, part: str) -> list[str]:
    """Return the change of a practice task, or what is recorded of its runs."""
    return fenced(*task_lines(request, step, number, part))


def files(request: Request, step: str) -> list[str]:
    """Return a table of a step's own files in reading order, and the carried ones in a fold."""
    found = request.tree.step(step)
    kinds, columns = request.words.kinds, request.words.file_columns
    rows = [
        *((file, kinds["new"], why) for file, why in found.new.items()),
        *((file, kinds["changed"], why) for file, why in found.changed.items()),
    ]
    own = table(
        columns,
        (
            (
                _linked(request, found, file),
                kind,
                str(count_lines(request.tree.source(f"{found.id}/{file}"))),
                why,
            )[: len(columns)]
            for file, kind, why in rows
        ),
    )
    return [*own, *_carried(request, found)]


def _carried(request: Request, step: Step) -> list[str]:
    if not step.carried:
        return []
    summary = request.words.carried.format(count=len(step.carried), before=step.number - 1)
    return ["", *folded(summary, (f"- {_linked(request, step, file)}" for file in step.carried))]


def _linked(request: Request, step: Step, file: str) -> str:
    return f"[`{file}`]({request.link(f'labs/{step.id}/{file}')})"


def steps(request: Request) -> list[str]:
    """Return the map of the course; what is built is linked."""
    return table(request.words.step_columns, (_step_row(request, s) for s in request.tree.steps))


def terms(request: Request) -> list[str]:
    """Return the terms of all chapters."""
    return table(request.words.term_columns, glossary(request))


def _step_row(request: Request, step: Step) -> tuple[str, str, str]:
    name = f"{step.number:02} {step.slug}"
    about = step.zh if request.language == "zh" else step.en
    if step.coming:
        return name, about, request.words.coming
    chapter = request.link(f"docs/{request.language}/{step.number:02}-{step.slug}.md")
    return (
        f"[{name}]({request.link(f'labs/{step.id}')})",
        about,
        f"[{request.words.chapter}]({chapter})",
    )


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    head = list(columns)
    cells = [head, ["---"] * len(head), *([_cell(text) for text in row] for row in rows)]
    return [f"| {' | '.join(row)} |" for row in cells]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _unindented(text: str) -> str:
    """Take away the indentation of the first line, where a line has it."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    return "\n".join(line.removeprefix(indent) for line in text.split("\n"))


BLOCKS: Mapping[str, Maker[list[str]]] = {
    "excerpt": Maker("FILE[#SYMBOL] [fold]", excerpt),
    "sitting": Maker("SITTING", sitting),
    "sittings": Maker("STEP", sittings),
    "transcript": Maker("STEP", transcript),
    "diff": Maker("FROM TO [FILE]", diff),
    "task": Maker("STEP NUMBER patch|transcript", task),
    "files": Maker("STEP", files),
    "steps": Maker("", steps),
    "terms": Maker("", terms),
}

"""The sizes that a learner's eye can hold: of a file, of a function's body, of a parameter list."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.contract import ROOT, built_steps

MAX_FILE, MAX_BODY, MAX_PARAMETERS = 250, 40, 6
"""Lines of a file; lines of a body that are no comment, not blank and no docstring; parameters."""

EACH_EVENT = "one arm, or one class, for each event"

EXEMPT = {
    "step11-steering/mini_agent/agent_loop.py: run_agent_loop has a long body": "a turn, "
    "read in one piece: an async generator cannot hand its yields to another function",
    "step11-steering/mini_agent/runs/briefing.py: _news has a long body": EACH_EVENT,
    "step11-steering/mini_agent/runs/events.py: the file is long": EACH_EVENT,
    "step11-steering/mini_agent/runs/reducer.py: the file is long": EACH_EVENT,
}
"""What may be larger, and why. An entry that is not needed any more fails the test."""

EXEMPT_IN_SHARED = {
    "shared/conformance/plugin.py: the file is long": "pytest reads its hooks in one module",
    "shared/conformance/support/chapters.py: the file is long": "the names of two chapters",
    "shared/conformance/support/interaction.py: the file is long": "the names of a chapter",
    "shared/conformance/support/run.py: __init__ has many parameters": "what a run can be given",
    "shared/lab/commands/check.py: check has many parameters": "one for each option",
    "shared/lab/programs.py: run_program has many parameters": "what a process can be given",
    "shared/lab/texts.py: the file is long": "the lab's words, and nothing else",
}


@dataclass(frozen=True, kw_only=True)
class Size:
    """Something that has a limit."""

    what: str
    count: int
    limit: int

    @property
    def too_large(self) -> bool:
        """It is over its limit, by however much."""
        return self.count > self.limit


def sizes_in(source: str) -> Iterator[Size]:
    """Yield the size of a file and of all its functions."""
    lines = source.splitlines()
    yield Size(what="the file is long", count=len(lines), limit=MAX_FILE)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Size(
                what=f"{node.name} has a long body",
                count=_body(node, lines),
                limit=MAX_BODY,
            )
            yield Size(
                what=f"{node.name} has many parameters",
                count=_parameters(node.args),
                limit=MAX_PARAMETERS,
            )


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> int:
    first = node.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = first.end_lineno if is_docstring else first.lineno - 1
    stripped = [line.strip() for line in lines[start : node.end_lineno]]
    return sum(1 for line in stripped if line and not line.startswith("#"))


def _parameters(args: ast.arguments) -> int:
    names = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def too_large(folder: Path, pattern: str) -> set[str]:
    """Return what is too large in the files below `folder` that match `pattern`."""
    return {
        f"{file.relative_to(folder.parent)}: {size.what}"
        for file in sorted(folder.glob(pattern))
        for size in sizes_in(file.read_text(encoding="utf-8"))
        if size.too_large
    }


def test_everything_in_the_steps_is_small() -> None:
    packages = [too_large(step.folder, "mini_agent/**/*.py") for step in built_steps()]
    assert set().union(*packages) == set(EXEMPT)


def test_everything_in_the_course_s_own_tools_is_small() -> None:
    found = too_large(ROOT / "shared", "lab/**/*.py") | too_large(
        ROOT / "shared", "conformance/**/*.py"
    )
    assert found == set(EXEMPT_IN_SHARED)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("x = 1\n" * 251, "the file is long"),
        ("def f():\n" + "    x = 1\n" * 41, "f has a long body"),
        ("def f(a, b, c, d, *, e, g, h): ...\n", "f has many parameters"),
        ("class C:\n    def f(self, a, b, c, d, e, g, h): ...\n", "f has many parameters"),
    ],
)
def test_the_limits_find_what_is_larger(source: str, complaint: str) -> None:
    found = [size.what for size in sizes_in(source) if size.too_large]
    assert found == [complaint]


def test_comments_and_docstrings_do_not_count() -> None:
    body = '    """Say so."""\n' + "    # a comment\n\n" * 50 + "    x = 1\n" * 40
    assert all(
        size.count <= size.limit for size in sizes_in("def f():\n" + body) if "body" in size.what
    )


def test_the_lab_looks_at_the_whole_course() -> None:
    assert {step.folder for step in built_steps()} == set((ROOT / "labs").glob("step*"))

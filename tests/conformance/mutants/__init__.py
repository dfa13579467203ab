"""A fault for every check: one change to one file of a step that is otherwise right.

The faults of a step stand in `stepNN.diff`, each like this:

    @@ what is wrong with it
    mini_agent/file.py: group::check group::another_check patience=3
    -what stands in the file, exactly once: whole lines or a part of one
    +what takes its place

The checks are those that fail, all of them among those that are run: the whole file of
checks where that is cheap, otherwise the named ones. `patience` is for faults that let
somebody wait for ever: the seconds until a program counts as endless.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance.support.subject import PATIENCE

FOLDER = Path(__file__).parent

HEAD = re.compile(
    r"^@@ (?P<id>.+)\n"
    r"(?P<file>[^\s:]+): (?P<checks>[^-+]*?)(?: patience=(?P<patience>\d+))?\n(?=[-+])",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Mutant:
    """A step with one fault in it."""

    id: str
    step: str
    file: str
    old: str
    """It must stand in the file exactly once."""

    new: str
    checks: tuple[str, ...]
    """The checks that fail."""

    patience: float = PATIENCE
    """Seconds until a program of it counts as endless."""


def read_mutants(step: str, text: str) -> Iterator[Mutant]:
    """Read a table of faults."""
    heads = list(HEAD.finditer(text))
    assert len(heads) == len(re.findall(r"^@@", text, re.MULTILINE)), f"step {step}: a bad head"
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        lines = text[head.end() : end].split("\n")
        old, new = ("\n".join(li[1:] for li in lines if li.startswith(sign)) for sign in "-+")
        yield Mutant(
            id=head["id"],
            step=step,
            file=head["file"],
            old=old,
            new=new,
            checks=tuple(head["checks"].split()),
            patience=float(head["patience"] or PATIENCE),
        )


MUTANTS = tuple(
    mutant
    for file in sorted(FOLDER.glob("step*.diff"))
    for mutant in read_mutants(file.stem.removeprefix("step"), file.read_text(encoding="utf-8"))
)

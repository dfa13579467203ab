"""Wherever a document starts the program, no module of the folder can run in its place.

`python -m` puts the working folder in front of all that Python imports. In the folder of a step
that is what is wanted; anywhere else it is `python -P -m`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.contract import ROOT

BLOCK = re.compile(r"^```bash\n(.*?)^```", re.DOTALL | re.MULTILINE)
GO = re.compile(r"(?:^|; )cd (\S+)")
START = re.compile(r"\bpython3? (.*?)-m mini_agent")
PAGES = sorted([*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("labs/*/*.md")])


def unsafe_starts(page: str) -> Iterator[str]:
    """Yield the lines that start the program unsafely. Blocks go on where the last one ended."""
    at_home, outside = True, []
    for block in BLOCK.findall(page):
        for line in block.splitlines():
            if line == "(":
                outside.append(at_home)
            elif line == ")" and outside:
                at_home = outside.pop()
            elif went := GO.search(line):
                at_home = went[1].startswith("labs/step")
            start = START.search(line)
            if start and not at_home and "-P" not in start[1].split():
                yield line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_document_starts_the_program_safely(page: Path) -> None:
    assert list(unsafe_starts(page.read_text(encoding="utf-8"))) == []


def test_an_unsafe_start_is_found() -> None:
    home = "```bash\ncd labs/step05-tools\npython -m mini_agent\n(\ncd x\n)\npython -m mini_agent\n"
    away = "cd ~/project\n```\n\n```bash\npython -m mini_agent\npython -P -m mini_agent\n```\n"
    assert list(unsafe_starts(home + away)) == ["python -m mini_agent"]

"""The page about security: each promise names a test, and the test is there."""

import re
from pathlib import Path

import pytest

from lab.contract import ROOT

PAGES = [ROOT / "docs" / "SECURITY.md", ROOT / "docs" / "SECURITY.zh-CN.md"]
ROW = re.compile(r"^\| (?!promise|承诺)[^|]+ \| (.+) \|$", re.MULTILINE)
FILE = re.compile(r"\]\((\S+?\.py)\)([^\[]*)")
"""A link to a file of tests, and what stands behind it until the next one."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_promise_is_tested_where_it_says(page: Path) -> None:
    rows = ROW.findall(page.read_text(encoding="utf-8"))
    assert len(rows) > 20
    for row in rows:
        files = FILE.findall(row)
        assert files, row
        for link, behind in files:
            source = (page.parent / link).read_text(encoding="utf-8")
            names = re.findall(r"`(\w+)`", behind)
            assert names, row
            for name in names:
                assert f"def test_{name}(" in source, f"{link}: {name}"

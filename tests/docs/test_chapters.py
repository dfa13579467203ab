"""The documents of this very checkout. Their commands are run by `lab docs --check`, not here."""

import pytest

from lab.contract import ROOT
from lab.docs.check import examine
from lab.docs.tree import read_tree


def test_all_documents_are_true() -> None:
    stale, problems = examine(read_tree(ROOT), run=False)
    if stale or problems:
        pytest.fail("\n".join([*stale, *map(str, problems)]))

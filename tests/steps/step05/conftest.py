"""The workspace of a test."""

from pathlib import Path

import pytest
from mini_agent.tools.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace, beside a folder whose name begins with its own."""
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws-secret").mkdir()
    (tmp_path / "ws-secret" / "k.txt").write_text("secret", encoding="utf-8")
    return Workspace(tmp_path / "ws")

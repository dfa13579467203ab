"""What the tests of step 06 share: an empty store of either kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.store import MemoryStore, SessionStore

set_hypothesis_home_dir(Path(__file__).parents[3] / ".cache" / "hypothesis")
settings.register_profile("lab", deadline=None, derandomize=True, database=None)
settings.load_profile("lab")


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SessionStore]:
    """Return an empty store, of either kind."""
    made = MemoryStore() if request.param == "memory" else FileStore(tmp_path / "s1.jsonl")
    yield made
    made.close()

from collections.abc import Iterator

import pytest

from tests.conformance.forks import Forks


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Lend the suite, loaded once for all mutants."""
    loaded = Forks()
    yield loaded
    loaded.close()

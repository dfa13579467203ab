from collections.abc import Iterator

import pytest

from tests.conformance.forks import Forks


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Lend the suite, loaded once for all mutants."""
    loaded = Forks()
    yield loaded
    loaded.close()


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the suite take this machine for an idle one: what is late there, is wrong."""
    monkeypatch.setattr("conformance.suite.slowness", lambda: 1.0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long runs, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.path.name != "test_references.py")

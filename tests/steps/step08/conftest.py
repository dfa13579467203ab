"""What the tests of the providers share."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from .calls import Clock
from .stub import Stub, serving

Play = Callable[..., Stub]


@pytest.fixture
def play() -> Iterator[Play]:
    """Return a function that starts a server for its replies."""
    with ExitStack() as stack:
        yield lambda *replies: stack.enter_context(serving(*replies))


@pytest.fixture
def clock() -> Clock:
    return Clock()

"""What checks of several steps look at, done once."""

from collections.abc import Callable
from functools import cache

import pytest

from conformance.support.process import TYPED
from conformance.support.subject import Subject
from lab.programs import Finished


@pytest.fixture(scope="session")
def talk(subject: Subject) -> Callable[[str], Finished]:
    """Return a function that has one of the conversations in `TYPED`, once."""
    return cache(lambda name: subject.chat(TYPED[name]))

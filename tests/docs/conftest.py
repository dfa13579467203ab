import shutil
from pathlib import Path

import pytest

from tests.docs.course import Course, make_course


@pytest.fixture(autouse=True)
def outside_of_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tests fill documents of their own."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture(scope="session")
def true_course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Make the small course once, with all that it says being true. Not to be changed."""
    course = make_course(tmp_path_factory.mktemp("course"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CI", raising=False)
        course.fill(run=True)
    return course


@pytest.fixture
def course(true_course: Course, tmp_path: Path) -> Course:
    """Return a copy of the small course, free to be spoiled."""
    shutil.copytree(true_course.root, tmp_path / "course")
    return Course(tmp_path / "course")

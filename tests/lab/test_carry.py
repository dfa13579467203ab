"""A mended file travels through all later steps: all of them, or none."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from lab.errors import Exit, LabError
from lab.seams.carry import carry_file
from tests.lab.course import Course, commit_all, git, git_environment, make_course, needs_git
from tests.support import Checkout

pytestmark = needs_git

FILE = "mini_agent/greet.py"
GREET = b"""\
def greet() -> str:
    word = "hello"
    return word


def part() -> str:
    word = "bye"
    return word
"""
LOUD = GREET.replace(b'"bye"', b'"BYE"')
"""What a later step makes of it."""

MENDED = GREET.replace(
    b'    word = "hello"\n', b'    # a longer way to say the same\n    word = "hel" + "lo"\n'
)
"""The same output, and one line more."""

DEMO = b"from .greet import greet, part\n\nprint(greet(), part())\n"


def step(greet: bytes | None, expected: bytes = b"hello bye\n") -> Mapping[str, bytes]:
    """Return the files of a step; one without greet.py has a demo that does not need it."""
    files = {"mini_agent/__init__.py": b"", "expected-output.txt": expected}
    if greet is None:
        return {**files, "mini_agent/demo.py": b'print("hello bye")\n'}
    return {**files, "mini_agent/demo.py": DEMO, FILE: greet}


@pytest.fixture(autouse=True)
def _own_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of whoever runs the tests, and their repository, out of it."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in git_environment().items():
        monkeypatch.setenv(name, value)


def course_with(tmp_path: Path, *greetings: bytes | None) -> Course:
    """Return a committed course whose steps have these versions of greet.py."""
    said = {LOUD: b"hello BYE\n"}
    steps = [step(greet, said.get(greet or b"", b"hello bye\n")) for greet in greetings]
    course = make_course(tmp_path / "labs", *steps)
    commit_all(course.labs)
    return course


def mend(course: Course, number: int = 1, mended: bytes = MENDED) -> None:
    course.file(number, FILE).write_bytes(mended)


def carry(course: Course, start: int = 1, end: int | None = None, **how: object) -> Exit:
    path = course.steps[start - 1 : end]
    return carry_file("greet.py", path, labs=course.labs, **how)  # type: ignore[arg-type]  # passed through


def greetings(course: Course) -> list[bytes]:
    return [course.file(number, FILE).read_bytes() for number in range(1, len(course.steps) + 1)]


def test_copies_where_it_was_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = course_with(tmp_path, GREET, GREET, GREET)
    mend(course)
    assert carry(course) == Exit.RECORDED
    assert greetings(course) == [MENDED] * 3
    assert capsys.readouterr().out.splitlines() == [
        "step02-made-up: copied",
        "step03-made-up: copied",
        "step02-made-up: the demo prints what is recorded",
        "step03-made-up: the demo prints what is recorded",
        "Written. Look at it (git diff labs), then run lab seams.",
    ]


def test_merges_where_a_later_step_changed_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = course_with(tmp_path, GREET, GREET, LOUD, LOUD)
    mend(course, 2)
    assert carry(course, 2) == Exit.RECORDED
    both = MENDED.replace(b'"bye"', b'"BYE"')
    assert greetings(course) == [GREET, MENDED, both, both]
    assert capsys.readouterr().out.splitlines()[:2] == [
        "step03-made-up: merged with the step's own version",
        "step04-made-up: merged with the step's own version",
    ]


def test_a_conflict_writes_nothing_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GREET.replace(b'"hello"', b'"good day"')
    course = course_with(tmp_path, GREET, GREET, other, GREET)
    mend(course)
    git(course.labs, "config", "merge.conflictStyle", "diff3")  # must not change the message
    monkeypatch.chdir(course.labs)
    before = course.snapshot()
    with pytest.raises(LabError) as caught:
        carry(course)
    assert course.snapshot() == before
    assert caught.value.code == Exit.WRONG
    assert str(caught.value) == (
        "labs/step03-made-up/mini_agent/greet.py:2 conflicts with the change. "
        "Nothing was written, in any step.\n"
        "<<<<<<< step03-made-up\n"
        '    word = "good day"\n'
        "=======\n"
        "    # a longer way to say the same\n"
        '    word = "hel" + "lo"\n'
        ">>>>>>> step01-made-up\n"
        "What to do: carry it as far as it goes "
        "(lab carry mini_agent/greet.py --from 01 --to 02), "
        "make the change in that file by hand, then go on from there: "
        "lab carry mini_agent/greet.py --from 03"
    )


def test_the_way_on_after_a_conflict(tmp_path: Path) -> None:
    other = GREET.replace(b'"hello"', b'"good day"')
    course = course_with(tmp_path, GREET, GREET, other, other)
    mend(course)
    assert carry(course, 1, 2) == Exit.RECORDED
    by_hand = other.replace(b'"good day"', b'"good " + "day"')
    mend(course, 3, by_hand)
    for number in (3, 4):
        course.file(number, "expected-output.txt").write_bytes(b"good day bye\n")
    assert carry(course, 3) == Exit.RECORDED
    assert greetings(course) == [MENDED, MENDED, by_hand, by_hand]


@pytest.mark.parametrize(
    ("base", "own", "mended", "line"),
    [
        pytest.param("a b c d e", "a b c d E", "n n a b c d X", 5, id="lines came above"),
        pytest.param("a b c d e", "n a b c d E", "a c d X", 6, id="lines went above"),
        pytest.param("a b c d e", "a b d e", "a b X d e", 3, id="the step has no such line"),
        pytest.param("a b c d e", "a b C d E", "a b X d Y", 3, id="the first of two"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""], ids=["LF", "CRLF", "no last line end"])
def test_a_conflict_names_the_line_in_the_step(
    tmp_path: Path, base: str, own: str, mended: str, line: int, end: str
) -> None:
    def lines(letters: str) -> bytes:
        return ((end or "\n").join(letters.split()) + end).encode()

    course = course_with(tmp_path, lines(base), lines(own))
    mend(course, 1, lines(mended))
    with pytest.raises(LabError, match=rf"^labs/step02-made-up/mini_agent/greet\.py:{line} "):
        carry(course)


def test_files_that_git_does_not_merge(tmp_path: Path) -> None:
    course = course_with(tmp_path, b"a\0b", b"a\0c")
    mend(course, 1, b"a\0d")
    with pytest.raises(LabError, match=r"^git cannot merge the file, and nothing was written: \S"):
        carry(course)


def test_stops_where_the_file_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = course_with(tmp_path, GREET, GREET, None, GREET)
    mend(course)
    assert carry(course) == Exit.RECORDED
    assert course.file(2, FILE).read_bytes() == MENDED
    assert not course.file(3, FILE).exists()
    assert course.file(4, FILE).read_bytes() == GREET
    assert "step03-made-up: mini_agent/greet.py is gone; stopped here" in capsys.readouterr().out


def test_a_dry_run_only_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = course_with(tmp_path, GREET, GREET, LOUD)
    mend(course)
    before = course.snapshot()
    assert carry(course, dry_run=True) == Exit.OK
    assert course.snapshot() == before
    assert capsys.readouterr().out.splitlines() == [
        "step02-made-up: copied",
        "step03-made-up: merged with the step's own version",
        "This was a dry run: nothing was written.",
    ]


def test_a_file_that_was_not_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = course_with(tmp_path, GREET, LOUD)
    before = course.snapshot()
    assert carry(course) == Exit.OK
    assert course.snapshot() == before
    assert "nothing to carry" in capsys.readouterr().out


def test_a_second_run_has_nothing_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = course_with(tmp_path, GREET, GREET, LOUD)
    mend(course)
    carry(course)
    before = course.snapshot()
    capsys.readouterr()
    assert carry(course) == Exit.OK
    assert course.snapshot() == before
    assert capsys.readouterr().out.splitlines() == [
        "step02-made-up: has it already",
        "step03-made-up: has it already",
        "Nothing to write.",
    ]


def test_an_unknown_file(tmp_path: Path) -> None:
    course = course_with(tmp_path, GREET, GREET)
    with pytest.raises(LabError) as caught:
        carry_file("greed.py", course.steps, labs=course.labs)
    assert str(caught.value).splitlines() == [
        "there is no file 'greed.py' in step01-made-up. The files:",
        "  expected-output.txt",
        "  mini_agent/__init__.py",
        "  mini_agent/demo.py",
        "  mini_agent/greet.py",
    ]


def test_without_a_commit_to_compare_with(tmp_path: Path) -> None:
    course = make_course(tmp_path / "labs", step(GREET), step(GREET))
    mend(course)
    with pytest.raises(LabError, match="--base FILE"):
        carry(course)
    assert greetings(course) == [MENDED, GREET]


def test_the_version_before_can_be_given(tmp_path: Path) -> None:
    course = make_course(tmp_path / "labs", step(GREET), step(GREET))
    mend(course)
    (tmp_path / "old.py").write_bytes(GREET)
    assert carry(course, base=tmp_path / "old.py") == Exit.RECORDED
    assert greetings(course) == [MENDED, MENDED]


def test_the_version_before_of_a_committed_change(tmp_path: Path) -> None:
    course = course_with(tmp_path, MENDED, GREET)
    (tmp_path / "old.py").write_bytes(GREET)
    assert carry(course) == Exit.OK
    assert carry(course, base=tmp_path / "old.py") == Exit.RECORDED
    assert greetings(course) == [MENDED, MENDED]


def test_a_version_before_that_is_not_there(tmp_path: Path) -> None:
    course = course_with(tmp_path, GREET, GREET)
    with pytest.raises(LabError, match=r"nowhere\.py, the version before the change"):
        carry(course, base=tmp_path / "nowhere.py")


def test_shows_a_demo_that_differs_and_records_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = course_with(tmp_path, GREET, GREET, LOUD)
    mend(course, 1, GREET.replace(b'"hello"', b'"hullo"'))
    assert carry(course) == Exit.WRONG
    assert course.file(2, "expected-output.txt").read_bytes() == b"hello bye\n"
    assert course.file(3, "expected-output.txt").read_bytes() == b"hello BYE\n"
    out = capsys.readouterr().out
    assert "step02-made-up: the demo differs from expected-output.txt" in out
    assert "-hello bye⏎\n+hullo bye⏎\n" in out
    assert "-hello BYE⏎\n+hullo BYE⏎\n" in out


def test_shows_a_demo_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = course_with(tmp_path, GREET, GREET)
    mend(course, 1, b"def greet():\n    return 1\n")
    assert carry(course) == Exit.WRONG
    assert "cannot import name 'part'" in capsys.readouterr().out


def test_says_so_where_the_file_comes_from_an_earlier_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = course_with(tmp_path, GREET, GREET, GREET)
    mend(course, 2)
    carried = course.steps[1].model_copy(update={"carried": (FILE,)})
    carry_file(FILE, [carried, course.steps[2]], labs=course.labs)
    assert capsys.readouterr().out.startswith(
        "Note: step02-made-up has mini_agent/greet.py from the step before it, unchanged."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_step_that_cannot_be_written_to(tmp_path: Path) -> None:
    course = course_with(tmp_path, GREET, GREET, GREET)
    mend(course)
    course.file(3, FILE).chmod(0o444)
    with pytest.raises(LabError, match="nothing was written, in any step"):
        carry(course)
    assert greetings(course) == [MENDED, GREET, GREET]


def test_the_command(checkout: Checkout) -> None:
    commit_all(checkout.root)
    mended = checkout.root / "labs/step01-hello-cli/mini_agent/console.py"
    mended.write_bytes(mended.read_bytes() + b"# mended\n")
    asked = checkout.lab("carry", "console.py", "--from", "01", "--dry-run")
    assert (asked.code, asked.err) == (0, "")
    done = checkout.lab("carry", "console.py", "--from", "01", "--to", "02")
    assert (done.code, done.err) == (5, "")
    target = checkout.root / "labs/step02-fake-model/mini_agent/console.py"
    assert target.read_bytes() == mended.read_bytes()

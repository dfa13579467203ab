"""The interactive entry, from outside: whatever stands behind its standard streams."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.process import (
    ENCODINGS,
    STRICT_ENCODING,
    WAYS_TO_LEAVE,
    lines_of,
    typed_before,
)
from conformance.support.subject import Subject
from conformance.support.transcript import PROMPT, farewell, opening
from lab.programs import Finished

pytestmark = [read("chat"), pytest.mark.program, pytest.mark.timeout(60)]

LINE = lines_of(["你好"])


def _from_devnull(subject: Subject) -> Finished:
    with open(os.devnull, "rb") as nothing:
        return subject.chat(nothing)


NO_INPUT: dict[str, Callable[[Subject], Finished]] = {
    "< /dev/null": _from_devnull,
    "<&-": lambda subject: subject.chat_without("stdin"),
}
"""Standard input that has nothing to give, as a shell writes it."""


@pytest.fixture(scope="module")
def plain(subject: Subject) -> Finished:
    """Have a conversation of one line on a pipe, for all that compare with it."""
    return subject.chat(LINE)


def test_input_from_a_file(subject: Subject, plain: Finished, tmp_path: Path) -> None:
    """A file as standard input is read like a pipe."""
    (tmp_path / "input").write_bytes(LINE)
    with (tmp_path / "input").open("rb") as file:
        finished = subject.chat(file)
    called = f"{finished.command} < input"
    subject.prints(finished, plain.stdout, called=called)


@pytest.mark.parametrize("how", NO_INPUT)
def test_no_input(subject: Subject, how: str) -> None:
    """Without any input, wherever it should come from, it says farewell and ends well."""
    finished = NO_INPUT[how](subject)
    wanted = opening(subject.step) + PROMPT + farewell(subject.step, messages=0)
    called = f"python -m mini_agent {how}"
    subject.prints(finished, wanted.encode(), called=called)
    subject.ends_well(finished, called=called)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_closed_output(subject: Subject, stream: str) -> None:
    """With nobody to write to from the start, it still ends with exit code 0."""
    finished = subject.chat_without(stream)
    subject.ends_well(
        finished, called=f"python -m mini_agent {'>&-' if stream == 'stdout' else '2>&-'}"
    )


@pytest.mark.parametrize("way", WAYS_TO_LEAVE)
def test_reader_leaves(subject: Subject, way: str) -> None:
    """A reader that goes away ends it quietly: exit code 0, nothing on standard error."""
    here = WAYS_TO_LEAVE[way](subject.chat, typed=LINE)
    subject.ends_well(here, called=f"{here.command} {way}")


@pytest.mark.parametrize("name", ENCODINGS)
def test_same_everywhere(subject: Subject, plain: Finished, name: str) -> None:
    """It reads and writes UTF-8 under every locale and encoding."""
    here = subject.chat(LINE, environment=ENCODINGS[name])
    called = typed_before(here.command, ENCODINGS[name])
    subject.prints(here, plain.stdout, called=called)


def test_every_file_names_its_encoding(subject: Subject) -> None:
    """No file is opened without naming its encoding."""
    here = subject.chat(LINE, options=STRICT_ENCODING)
    subject.holds(
        b"EncodingWarning" not in here.stderr,
        here,
        wanted="no EncodingWarning: every open() names an encoding",
    )


def test_leaves_its_folder_alone(subject: Subject) -> None:
    """A conversation changes nothing in the program's own folder."""
    before = _fingerprint(subject.folder)
    finished = subject.chat(LINE)
    after = _fingerprint(subject.folder)
    judge.holds(
        before == after,
        called=finished.command,
        came="changed: " + ", ".join(sorted({name for name, *_ in before ^ after})),
        wanted="a folder as it was: what a program keeps belongs into the user's own folders",
    )


def _fingerprint(folder: Path) -> set[tuple[str, int, int]]:
    """Return name, size and time of every file in the folder and in the package."""
    paths = [*folder.glob("*"), *folder.glob("mini_agent/**/*")]
    files = [path for path in paths if path.is_file() and path.suffix != ".pyc"]
    stats = [(path.relative_to(folder).as_posix(), path.stat()) for path in files]
    return {(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats}

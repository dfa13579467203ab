"""The scripted entry, from outside: its transcript, byte for byte, wherever it runs."""

from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.judge import PartMissing
from conformance.support.process import ENVIRONMENTS, STRICT_ENCODING, WAYS_TO_LEAVE, typed_before
from conformance.support.programs.changed_demo import MARK
from conformance.support.subject import Subject
from lab.guard import REFUSED
from lab.programs import Finished

pytestmark = [read("demo"), pytest.mark.program, pytest.mark.timeout(60)]


ANSWERED_BY = {1: "respond", 8: "stream"}
"""The part of the package that a step's demo has its answers from, if that is not the rules."""


@pytest.fixture(scope="module")
def demo(subject: Subject) -> Finished:
    """Run the demo once, for all that look at the same run."""
    return subject.demo()


def test_transcript(subject: Subject, demo: Finished) -> None:
    """The demo prints expected-output.txt of the reference, byte for byte."""
    wanted = subject.step.expected.read_bytes()
    subject.prints(demo, wanted)


def test_own_expected_file(subject: Subject) -> None:
    """The folder's expected-output.txt is the recorded one, byte for byte."""
    own = subject.folder / "expected-output.txt"
    if not own.is_file():
        raise PartMissing("expected-output.txt")
    wanted = subject.step.expected.read_bytes()
    judge.same_bytes(own.read_bytes(), wanted, called=f"reading {own.name}")


def test_bound_to_the_package(subject: Subject) -> None:
    """The demo asks the package: when that answers otherwise, the demo says so."""
    part = ANSWERED_BY.get(subject.step.number, "rules")
    subject.holds(
        MARK.encode() in (finished := subject.changed_demo(part)).stdout,
        finished,
        wanted=f"{MARK} in what it says: no answer may be stored in the demo",
        called=f"python -m mini_agent.demo, with {MARK} behind every answer out of {part}.py",
    )


def test_exit_code(subject: Subject, demo: Finished) -> None:
    """The demo ends with exit code 0."""
    subject.holds(demo.exit_code == 0, demo, wanted="exit code 0")


def test_stderr(subject: Subject, demo: Finished) -> None:
    """The demo has nothing to say on standard error."""
    subject.holds(
        demo.stderr == b"" or REFUSED.encode() in demo.stderr,
        demo,
        wanted="an empty standard error",
    )


def test_hermetic(demo: Finished) -> None:
    """The demo writes nothing outside a temporary folder, leaves nothing there, asks no network."""
    errors = demo.stderr.decode(errors="replace").splitlines()
    refused = [line for line in errors if line.startswith(REFUSED)]
    left = [f"it left behind: {name}" for name in demo.left_behind]
    judge.holds(
        not refused and not left,
        called=demo.command,
        came="\n".join([*refused, *left]),
        wanted="a demo that leaves no trace; the write was refused, nothing was overwritten",
    )


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_same_everywhere(subject: Subject, demo: Finished, name: str) -> None:
    """The demo prints the same bytes under every locale, encoding, time zone and terminal."""
    here = subject.demo(environment=ENVIRONMENTS[name])
    called = typed_before(here.command, ENVIRONMENTS[name])
    subject.prints(here, demo.stdout, called=called)
    subject.holds(
        here.exit_code == demo.exit_code,
        here,
        wanted=f"exit code {demo.exit_code}, as everywhere",
        called=called,
    )


def test_same_on_another_machine(subject: Subject, demo: Finished, tmp_path: Path) -> None:
    """The demo prints the same bytes on another day and host, for another user, elsewhere."""
    here = subject.demo_elsewhere(tmp_path / "elsewhere")
    called = "python -m mini_agent.demo, on another day and host, as another user, in a copy"
    subject.prints(here, demo.stdout, called=called)


def test_same_in_a_file(subject: Subject, demo: Finished, tmp_path: Path) -> None:
    """The demo prints into a file what it prints into a pipe."""
    with (tmp_path / "output").open("wb") as file:
        here = subject.demo(stdout=file)
    came = (tmp_path / "output").read_bytes()
    judge.same_bytes(came, demo.stdout, called=f"{here.command} > output")


def test_every_file_names_its_encoding(subject: Subject) -> None:
    """No file is opened without naming its encoding."""
    here = subject.demo(options=STRICT_ENCODING)
    subject.holds(
        b"EncodingWarning" not in here.stderr,
        here,
        wanted="no EncodingWarning: every open() names an encoding",
    )


@pytest.mark.parametrize("way", WAYS_TO_LEAVE)
def test_reader_leaves(subject: Subject, way: str) -> None:
    """A reader that goes away ends the demo quietly: exit code 0, nothing on standard error."""
    here = WAYS_TO_LEAVE[way](subject.demo, typed=b"")
    subject.ends_well(here, called=f"{here.command} {way}")

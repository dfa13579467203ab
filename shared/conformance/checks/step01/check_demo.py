"""The scripted entry, from outside: its transcript, byte for byte, wherever it runs."""

from pathlib import Path

import pytest

from conformance.support.chapters import where
from conformance.support.environments import ENVIRONMENTS, STRICT_ENCODING, typed_before
from conformance.support.judge import PartMissing, expect, expect_bytes
from conformance.support.process import WAYS_TO_LEAVE
from conformance.support.subject import Subject
from lab.guard import REFUSED
from lab.programs import Finished

pytestmark = [pytest.mark.program, pytest.mark.timeout(60)]

READ = where("demo")


@pytest.fixture(scope="module")
def demo(subject: Subject) -> Finished:
    """Run the demo once, for all that look at the same run."""
    return subject.demo()


def test_transcript(subject: Subject, demo: Finished) -> None:
    """The demo prints expected-output.txt of the reference, byte for byte."""
    wanted = subject.step.expected.read_bytes()
    subject.expect_output(demo, wanted, called=demo.command, read=READ)


def test_own_expected_file(subject: Subject) -> None:
    """The folder's expected-output.txt is the recorded one, byte for byte."""
    own = subject.folder / "expected-output.txt"
    if not own.is_file():
        raise PartMissing("expected-output.txt")
    wanted = subject.step.expected.read_bytes()
    expect_bytes(own.read_bytes(), wanted, called=f"reading {own.name}", read=READ)


def test_exit_code(subject: Subject, demo: Finished) -> None:
    """The demo ends with exit code 0."""
    expect(
        demo.exit_code == 0,
        called=demo.command,
        came=subject.transcript(demo),
        wanted="exit code 0",
        read=READ,
    )


def test_stderr(subject: Subject, demo: Finished) -> None:
    """The demo has nothing to say on standard error."""
    expect(
        demo.stderr == b"" or REFUSED.encode() in demo.stderr,  # a refusal has its own check
        called=demo.command,
        came=subject.transcript(demo),
        wanted="an empty standard error",
        read=READ,
    )


def test_hermetic(demo: Finished) -> None:
    """The demo writes nothing outside a temporary folder, leaves nothing there, asks no network."""
    errors = demo.stderr.decode(errors="replace").splitlines()
    refused = [line for line in errors if line.startswith(REFUSED)]
    left = [f"it left behind: {name}" for name in demo.left_behind]
    expect(
        not refused and not left,
        called=demo.command,
        came="\n".join([*refused, *left]),
        wanted="a demo that leaves no trace; the write was refused, nothing was overwritten",
        read=READ,
    )


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_same_everywhere(subject: Subject, demo: Finished, name: str) -> None:
    """The demo prints the same bytes under every locale, encoding, time zone and terminal."""
    here = subject.demo(environment=ENVIRONMENTS[name])
    called = typed_before(here.command, ENVIRONMENTS[name])
    subject.expect_output(here, demo.stdout, called=called, read=READ)
    expect(
        here.exit_code == demo.exit_code,
        called=called,
        came=subject.transcript(here),
        wanted=f"exit code {demo.exit_code}, as everywhere",
        read=READ,
    )


def test_same_in_a_file(subject: Subject, demo: Finished, tmp_path: Path) -> None:
    """The demo prints into a file what it prints into a pipe."""
    with (tmp_path / "output").open("wb") as file:
        here = subject.demo(stdout=file)
    came = (tmp_path / "output").read_bytes()
    expect_bytes(came, demo.stdout, called=f"{here.command} > output", read=READ)


def test_every_file_names_its_encoding(subject: Subject) -> None:
    """No file is opened without naming its encoding."""
    here = subject.demo(options=STRICT_ENCODING)
    expect(
        b"EncodingWarning" not in here.stderr,
        called=here.command,
        came=subject.transcript(here),
        wanted="no EncodingWarning: every open() names an encoding",
        read=READ,
    )


@pytest.mark.parametrize("way", WAYS_TO_LEAVE)
def test_reader_leaves(subject: Subject, way: str) -> None:
    """A reader that goes away ends the demo quietly: exit code 0, nothing on standard error."""
    here = WAYS_TO_LEAVE[way](subject.demo, typed=b"")
    expect(
        here.exit_code == 0 and here.stderr == b"",
        called=f"{here.command} {way}",
        came=subject.transcript(here),
        wanted="exit code 0 and an empty standard error",
        read=READ,
    )

"""The scripted entry, from outside: its transcript, byte for byte, wherever it runs."""

import pytest
from conformance.failure import PartMissing, expect, expect_bytes
from conformance.subject import Subject, transcript_of
from lab.guard import REFUSED
from lab.programs import Finished

pytestmark = [pytest.mark.program, pytest.mark.since(1)]

READ = "docs/en/01-hello-cli.md (docs/zh/01-hello-cli.md)"

ENVIRONMENTS = {
    "plain": {},
    "C locale": {"LC_ALL": "C"},
    "C locale, no coercion": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "gbk": {"PYTHONIOENCODING": "gbk"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "utf-8:strict": {"PYTHONIOENCODING": "utf-8:strict"},
    "another hash seed and time zone": {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Chatham"},
    "a dumb, narrow terminal": {"TERM": "dumb", "COLUMNS": "20", "NO_COLOR": "1"},
    "unbuffered": {"PYTHONUNBUFFERED": "1"},
}


@pytest.fixture(scope="module")
def demo(subject: Subject) -> Finished:
    """Run the demo once, for all that look at the same run."""
    return subject.demo()


def test_transcript(subject: Subject, demo: Finished) -> None:
    """The demo prints expected-output.txt of the reference, byte for byte."""
    wanted = subject.step.expected.read_bytes()
    expect(wanted, called="reading the expected output", came="nothing", wanted="a text", read=READ)
    expect_bytes(demo.stdout, wanted, called=demo.command, read=READ)


def test_own_expected_file(subject: Subject) -> None:
    """The folder's expected-output.txt is the recorded one, byte for byte."""
    own = subject.folder / "expected-output.txt"
    if not own.is_file():
        raise PartMissing("expected-output.txt")
    wanted = subject.step.expected.read_bytes()
    expect_bytes(own.read_bytes(), wanted, called=f"reading {own.name}", read=READ)


def test_exit_code(demo: Finished) -> None:
    """The demo ends by itself with exit code 0."""
    expect(
        demo.ended_by_itself and demo.exit_code == 0,
        called=demo.command,
        came="no end within the limit" if not demo.ended_by_itself else transcript_of(demo),
        wanted="exit code 0",
        read=READ,
    )


def test_stderr(demo: Finished) -> None:
    """The demo has nothing to say on standard error."""
    expect(
        REFUSED.encode() in demo.stderr or demo.stderr == b"",  # a refusal has its own check
        called=demo.command,
        came=transcript_of(demo),
        wanted="an empty standard error",
        read=READ,
    )


def test_hermetic(demo: Finished) -> None:
    """The demo writes nothing outside a temporary folder, leaves nothing there, asks no network."""
    refused = [
        line for line in demo.stderr.decode(errors="replace").splitlines() if REFUSED in line
    ]
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
    environment = ENVIRONMENTS[name]
    here = subject.demo(environment=environment)
    settings = " ".join(f"{key}={value}" for key, value in environment.items())
    called = f"{settings} {here.command}".strip()
    expect(
        here.exit_code == 0 and here.stderr == b"",
        called=called,
        came=transcript_of(here),
        wanted="exit code 0 and an empty standard error",
        read=READ,
    )
    expect_bytes(here.stdout, demo.stdout, called=called, read=READ)


def test_every_file_names_its_encoding(subject: Subject) -> None:
    """No file is opened without naming its encoding."""
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
    here = subject.demo(options=strict)
    expect(
        here.exit_code == 0,
        called=here.command,
        came=transcript_of(here),
        wanted="exit code 0: every open() names an encoding",
        read=READ,
    )

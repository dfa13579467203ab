"""The interactive entry from outside: leaving, and coming back to what was said."""

import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.process import HELLO, lines_of
from conformance.support.subject import Subject
from conformance.support.terminal import ENTER, terminal
from conformance.support.transcript import PROMPT, farewell
from lab.programs import CHAT, Finished

pytestmark = [read("coming back"), pytest.mark.program, pytest.mark.timeout(60)]


@dataclass(frozen=True)
class Home:
    """Where a user keeps sessions."""

    subject: Subject
    state: Path

    def chat(self, *arguments: str, typed: bytes = b"") -> Finished:
        """Run the program."""
        environment = {"XDG_STATE_HOME": str(self.state)}
        return self.subject.chat(typed, arguments=arguments, environment=environment)

    @property
    def sessions(self) -> list[Path]:
        """The files of the sessions, the one that was used first first."""
        files = (self.state / "mini-agent" / "sessions").glob("*.jsonl")
        return sorted(files, key=lambda path: path.stat().st_mtime_ns)

    def holds(self, truth: object, finished: Finished, *, wanted: str) -> None:
        """Fail the check unless `truth` holds."""
        came = self.subject.transcript(finished)
        judge.holds(truth, called=finished.command, came=came, wanted=wanted)


@pytest.fixture(scope="module")
def home(subject: Subject, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with two sessions: a line and its answer, then two of each."""
    subject.need("sessions.session")
    home = Home(subject, tmp_path_factory.mktemp("state"))
    for lines in ([HELLO], [HELLO, HELLO]):
        home.chat(typed=lines_of(lines))
    return home


@pytest.fixture
def ids(home: Home) -> list[str]:
    """Return the ids of the two sessions, the older one first."""
    ids = [path.stem for path in home.sessions]
    judge.holds(
        len(ids) == 2,
        called="python -m mini_agent, twice, each time something is said",
        came=f"files: {ids}",
        wanted="two files in $XDG_STATE_HOME/mini-agent/sessions",
    )
    return ids


def test_continue(home: Home, ids: list[str]) -> None:
    """`--continue` goes on with the session used last, and says which, and how long it is."""
    finished = home.chat("--continue")
    shown = (finished.stderr + finished.stdout).decode()
    said = farewell(home.subject.step, messages=4)
    home.holds(
        finished.exit_code == 0
        and said in shown
        and ids[-1] in shown
        and shown.count("4 条消息") == 2,
        finished,
        wanted=f"the id {ids[-1]}, that it holds 4 条消息, and {said.strip()}",
    )


def test_continue_in_a_folder(subject: Subject, tmp_path: Path) -> None:
    """`--continue` goes on with the last session of the folder, not with a later one elsewhere."""
    home, folders = Home(subject, tmp_path / "state"), [tmp_path / "a", tmp_path / "b"]
    for folder, lines in zip(folders, ([HELLO], [HELLO, HELLO]), strict=True):
        folder.mkdir()
        home.chat("--workspace", str(folder), typed=lines_of(lines))
    finished = home.chat("--workspace", str(folders[0]), "--continue")
    said = farewell(subject.step, messages=2)
    home.holds(said in finished.stdout.decode(), finished, wanted=said.strip())
    elsewhere = home.chat("--workspace", str(tmp_path), "--continue")
    home.holds(
        elsewhere.exit_code != 0 and b"Traceback" not in elsewhere.stderr,
        elsewhere,
        wanted="an error: there is no session of this folder",
    )
    listed = home.chat("--list")
    shown = listed.stdout.decode()
    home.holds(all(str(f) in shown for f in folders), listed, wanted="both sessions' folders")


def test_resume(home: Home, ids: list[str]) -> None:
    """`--resume` goes on with a certain session; the beginning of its id is enough."""
    beginning = ids[0][: len(ids[0]) // 2]
    finished = home.chat("--resume", beginning)
    said = farewell(home.subject.step, messages=2)
    home.holds(
        finished.exit_code == 0 and said in finished.stdout.decode(),
        finished,
        wanted=said.strip(),
    )


def test_list(home: Home, ids: list[str]) -> None:
    """`--list` shows every session, the one that was used last first, and does nothing else."""
    finished = home.chat("--list")
    shown = finished.stdout.decode()
    listed = [shown.find(session_id) for session_id in reversed(ids)]
    home.holds(
        finished.exit_code == 0 and -1 < listed[0] < listed[1] and HELLO in shown,
        finished,
        wanted=f"{', then '.join(reversed(ids))}, each with the beginning of what was said",
    )


@pytest.mark.parametrize("session_id", ["nosuch", "../../secret"])
def test_no_such_session(home: Home, session_id: str) -> None:
    """A session that is not there is an error of one line, which names it; nothing is begun."""
    finished = home.chat("--resume", session_id)
    told = finished.stderr.decode(errors="replace")
    home.holds(
        finished.exit_code != 0
        and finished.stdout == b""
        and session_id in told
        and told.count("\n") == 1,
        finished,
        wanted=f"an exit code that is not 0, and one line on standard error, with {session_id}",
    )


def test_asked_to_end(subject: Subject, tmp_path: Path) -> None:
    """A program that is asked to end in mid-answer (SIGTERM) keeps what was said so far."""
    subject.need("sessions.session")
    home = Home(subject, tmp_path)
    with terminal(subject, CHAT, environment={"XDG_STATE_HOME": str(tmp_path)}) as screen:
        screen.wait_for(PROMPT)
        screen.type(f"数到一百{ENTER}")
        screen.wait_for_text("1、2")
        screen.terminate()
        ending = screen.leave()
    kept = [path.read_text(encoding="utf-8") for path in home.sessions]
    ending.holds(
        ending.exit_code == 128 + signal.SIGTERM and any("1、2" in text for text in kept),
        came=f"{ending.outcome()}\nkept: {kept}",
        wanted="exit code 143, and the first pieces of the answer in the session",
    )


def test_export(subject: Subject, tmp_path: Path) -> None:
    """`--export ID` prints a conversation and leaves its file alone; an unknown id is said."""
    home = Home(subject, tmp_path)
    talked = home.chat(typed=lines_of([HELLO]))
    home.holds(len(home.sessions) == 1, talked, wanted="a session file")
    before = home.sessions[0].read_bytes()
    told = home.chat("--export", home.sessions[0].stem[:8])
    home.holds(
        told.exit_code == 0
        and f"\n\n{HELLO}\n\n".encode() in told.stdout
        and home.sessions[0].read_bytes() == before,
        told,
        wanted=f"{HELLO} in a paragraph of its own, exit code 0, and the file as it was",
    )
    missing = home.chat("--export", "nothing-like-it")
    home.holds(
        missing.exit_code == 1 and b"Traceback" not in missing.stderr and missing.stderr,
        missing,
        wanted="exit code 1, and an error",
    )


def test_copied_file(subject: Subject, tmp_path: Path) -> None:
    """A session file under another name is a session of its own: the first one stays as it is."""
    home = Home(subject, tmp_path)
    home.chat(typed=lines_of([HELLO]))
    origin = home.sessions[0]
    copy = origin.with_name("copied.jsonl")
    copy.write_bytes(origin.read_bytes())
    resumed = home.chat("--resume", "copied", typed=lines_of([HELLO]))
    home.holds(
        resumed.exit_code == 0
        and b"copied" in resumed.stderr
        and origin.stem.encode() not in resumed.stderr
        and copy.read_bytes().startswith(origin.read_bytes())
        and copy.stat().st_size > origin.stat().st_size,
        resumed,
        wanted="exit code 0, the name of the copy on standard error, and the lines in the copy",
    )

"""The prompt of the interactive entry: several lines, files by name, what was typed before."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.process import HELLO, lines_of
from conformance.support.subject import Subject
from conformance.support.terminal import ENTER, Terminal, terminal
from conformance.support.transcript import ANSWER, EXIT, PROMPT
from lab.programs import CHAT

pytestmark = [read("prompt"), pytest.mark.program, pytest.mark.timeout(60)]

UP = "\x1b[A"
ALT_ENTER = "\x1b\r"

NONE_SENT, ONE_SENT = (f"（本次对话共 {number} 条消息）" for number in (0, 2))
"""What the farewell says of a conversation without a message, and of one with an answer."""

WAYS: dict[str, Callable[[Terminal], None]] = {
    "a paste": lambda screen: screen.paste("一\r二\r三"),
    "Alt-Enter": lambda screen: screen.type(f"一{ALT_ENTER}二{ALT_ENTER}三"),
    "a backslash at the end": lambda screen: screen.type(f"一\\{ENTER}二\\{ENTER}三"),
}
"""Three lines in one message, by how they are typed."""

UNFIT: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "a folder": lambda path: path.mkdir(),
    "binary": lambda path: path.write_bytes(b"\0\1\2"),
    "not UTF-8": lambda path: path.write_bytes("你好".encode("gbk")),
    "too long": lambda path: path.write_bytes(b"a" * 300_000),
}
"""Files that no message can hold, by what is wrong with them."""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return the folder to work in."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def at_terminal(
    subject: Subject, work: Path, tmp_path: Path
) -> Callable[[], AbstractContextManager[Terminal]]:
    """Return what starts the program, once and again, on a terminal, for the same user."""

    @contextmanager
    def start() -> Iterator[Terminal]:
        subject.need("__main__")
        home = {"XDG_STATE_HOME": str(tmp_path / "state")}
        with terminal(subject, CHAT, "--workspace", str(work), environment=home) as screen:
            screen.wait_for(PROMPT)
            yield screen

    return start


@pytest.mark.parametrize("way", WAYS)
def test_several_lines(
    at_terminal: Callable[[], AbstractContextManager[Terminal]], way: str
) -> None:
    r"""A paste is one message; Alt-Enter, or `\` at the end of a line, adds another line to it."""
    with at_terminal() as screen:
        WAYS[way](screen)
        screen.wait_for_text("三")
        screen.type(ENTER)
        screen.wait_for(PROMPT)
        screen.type(f"{EXIT}{ENTER}")
        left = screen.leave()
    left.holds(
        ONE_SENT in left.screen and left.screen.count(ANSWER) == 1,
        wanted=f"one answer, and {ONE_SENT}",
    )


def test_comes_back(at_terminal: Callable[[], AbstractContextManager[Terminal]]) -> None:
    """What was said in an earlier conversation comes back with the key Up."""
    for keys, told in ((HELLO, HELLO), (UP, HELLO)):
        with at_terminal() as screen:
            screen.type(keys)
            screen.wait_for_text(told)
            screen.type(ENTER)
            screen.wait_for(PROMPT)
            screen.type(f"{EXIT}{ENTER}" if keys == UP else "\x04")
            left = screen.leave()
        left.holds(ONE_SENT in left.screen, wanted=f"an answer, and {ONE_SENT}")


def test_file_by_name(subject: Subject, work: Path) -> None:
    """`@name` puts the text of a file behind the message, wherever in the message it stands."""
    subject.need("__main__")
    (work / "note.txt").write_text(f"{HELLO}\n", encoding="utf-8")
    asked, plain = (
        subject.chat(lines_of([line]), arguments=("--workspace", str(work)))
        for line in ("念@note.txt，谢谢", HELLO)
    )
    judge.holds(
        ANSWER.encode() in asked.stdout and _answer(asked.stdout) == _answer(plain.stdout),
        called=f"{asked.command} < 念@note.txt，谢谢 (it holds {HELLO})",
        came=subject.transcript(asked),
        wanted=f"the answer to {HELLO}: {_answer(plain.stdout)!r}",
    )


@pytest.mark.parametrize("trouble", UNFIT)
def test_unfit_file(subject: Subject, work: Path, trouble: str) -> None:
    """A file that is missing, is no text, or is too long is said, and no message is sent."""
    subject.need("__main__")
    UNFIT[trouble](work / "note.txt")
    finished = subject.chat(lines_of(["念 @note.txt", EXIT]), arguments=("--workspace", str(work)))
    judge.holds(
        b"note.txt" in finished.stderr
        and NONE_SENT.encode() in finished.stdout
        and finished.exit_code == 0,
        called=f"{finished.command} < 念 @note.txt ({trouble})",
        came=subject.transcript(finished),
        wanted=f"note.txt named on standard error, {NONE_SENT}, exit code 0",
    )


@pytest.mark.parametrize("text", ["问 me@note.txt", "`@note.txt` 是什么", "@staticmethod 是什么"])
def test_no_file(subject: Subject, work: Path, text: str) -> None:
    """An e-mail address, a name in quotes, and a word without a dot are no names of files."""
    subject.need("__main__")
    finished = subject.chat(lines_of([text, EXIT]), arguments=("--workspace", str(work)))
    judge.holds(
        ONE_SENT.encode() in finished.stdout and finished.stderr == b"",
        called=f"{finished.command} < {text}",
        came=subject.transcript(finished),
        wanted=f"an answer, and {ONE_SENT}",
    )


def _answer(stdout: bytes) -> str:
    return stdout.decode(errors="replace").partition(ANSWER)[2].partition("\n")[0]

"""A run for scripts: a goal from wherever it comes, the answer alone, or the events as JSON."""

import json
from pathlib import Path

import pytest

from conformance.support.chapters import read
from conformance.support.home import DONE, USAGE, Home, out
from conformance.support.process import HELLO
from conformance.support.provider import environment_for, serving
from conformance.support.subject import Subject
from conformance.support.wire import WIRES, Reply, as_chunks

pytestmark = [read("runner"), pytest.mark.program, pytest.mark.timeout(60)]

MARKDOWN = "改了**两处**"
ANSWER = "你好！我是 FakeModel，一个按剧本回复的假模型。\n"


@pytest.fixture
def home(subject: Subject, tmp_path: Path) -> Home:
    """Return a home in which nothing was done yet."""
    return Home(subject, tmp_path, HELLO)


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (("-p", HELLO), b""),
        (("run", "--print", HELLO), b""),
        (("-p",), HELLO.encode()),
        (("-p", "-"), f"{HELLO}\n".encode()),
        (("-p", "@goal.txt"), b""),
    ],
)
def test_answer_alone(home: Home, arguments: tuple[str, ...], typed: bytes) -> None:
    """`-p` prints the answer and nothing else; the goal may come from a pipe or a file."""
    (home.folder / "goal.txt").write_text(HELLO, encoding="utf-8")
    named = [f"@{home.folder}/goal.txt" if one == "@goal.txt" else one for one in arguments]
    ran = home.program(*named, typed=typed)
    home.holds(
        (ran.exit_code, out(ran)) == (DONE, ANSWER),
        ran,
        wanted=f"exit code {DONE}, and on standard output only {ANSWER!r}",
    )


def test_events_as_json(home: Home) -> None:
    """`--json` prints each event as a line of JSON, from the start of the agent to its end."""
    ran = home.program("run", "--json", HELLO)
    lines = out(ran).splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    names = [event["event"] for event in events]
    text = "".join(event["text"] for event in events if event["event"] == "text_delta")
    home.holds(
        len(events) == len(lines)
        and (names[0], names[-1]) == ("agent_start", "agent_end")
        and f"{text}\n" == ANSWER
        and events[-1]["reason"] == "completed",
        ran,
        wanted="lines of JSON only: agent_start, ..., agent_end; the text_delta make the answer",
    )


@pytest.mark.parametrize("name", ["nothing", "missing", "binary", "blank", "not UTF-8"])
def test_bad_goal(home: Home, name: str) -> None:
    """A goal that is empty, or a file that cannot be one, is refused with exit 2; nothing runs."""
    contents = {"binary": b"a\0b", "blank": b" \n", "not UTF-8": b"\xff\xfe\xfd"}
    file = home.folder / "goal"
    if name in contents:
        file.write_bytes(contents[name])
    ran = home.program("-p", "-" if name == "nothing" else f"@{file}")
    errors = ran.stderr.decode(errors="replace")
    home.holds(
        ran.exit_code == USAGE and "Traceback" not in errors and out(ran) == "",
        ran,
        wanted=f"exit code {USAGE}, an error, and nothing on standard output",
    )


@pytest.mark.parametrize("options", [(), ("--plain",)], ids=["screen", "plain"])
def test_markdown_at_a_terminal(subject: Subject, tmp_path: Path, options: tuple[str, ...]) -> None:
    """At a terminal Markdown is shown as what it means; with `--plain` it stays as it came."""
    wire = WIRES["openai"]
    home = Home(subject, tmp_path, HELLO)
    text = as_chunks({"role": "assistant", "content": MARKDOWN})
    with serving(Reply(body=text + wire.stop)) as server:
        home.environment.update({**environment_for(wire, server), "TERM": "xterm"})
        with home.terminal(*options, "run", HELLO) as screen:
            left = screen.leave()
            bold = "\x1b[1m两处" in screen.raw
    left.holds(
        bold is not bool(options) and MARKDOWN in left.screen and left.exit_code == DONE,
        wanted=f"{MARKDOWN} as it came" + ("" if options else ", and then 两处 in bold"),
    )

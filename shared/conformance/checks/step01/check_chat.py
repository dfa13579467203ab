"""The interactive entry, from outside, on a pipe: what may be typed, and what it answers."""

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

import pytest

from conformance.support import judge
from conformance.support.chapters import chapter_of, read
from conformance.support.judge import CheckFailed
from conformance.support.process import HELLO, NEVER, TYPED, lines_of
from conformance.support.subject import Subject
from conformance.support.transcript import (
    ANSWER,
    EXIT,
    PROMPT,
    answers,
    farewell,
    opening,
    phrases,
    piped,
    second_script,
    without_ids,
)
from lab.programs import Finished

pytestmark = [read("chat"), pytest.mark.program, pytest.mark.timeout(60)]

Talk = Callable[[str], Finished]


ENDS_WELL = [
    # From step 09 on nobody can say more than 20,000 characters at once, and is told so.
    pytest.param(name, marks=pytest.mark.until(8) if name == "a million characters" else ())
    for name in TYPED
]


@pytest.mark.parametrize("name", ENDS_WELL)
def test_ends_well(subject: Subject, talk: Talk, name: str) -> None:
    """Whatever is typed, the program ends with exit code 0 and an empty standard error."""
    finished = talk(name)
    subject.ends_well(finished, called=f"{finished.command}; typed: {name}")


@pytest.mark.parametrize("name", TYPED)
def test_says_farewell_once(subject: Subject, talk: Talk, name: str) -> None:
    """However a conversation ends, the last line is the farewell, and it comes once."""
    finished = talk(name)
    lines = finished.stdout.decode(errors="replace").split("\n")
    said = [line for line in lines if line.removeprefix(PROMPT).startswith("再见。")]
    subject.holds(
        len(said) == 1 and lines[-2:] == [said[0], ""],
        finished,
        wanted="再见。 once, at the end, on a line of its own",
        called=f"{finished.command}; typed: {name}",
    )


def test_opening(subject: Subject, talk: Talk) -> None:
    """A conversation begins with the banner, the hint how to leave, an empty line, the prompt."""
    finished = talk("nothing")
    wanted = (opening(subject.step) + PROMPT).encode()
    begun = replace(finished, stdout=finished.stdout[: len(wanted)])
    subject.prints(begun, wanted, called=f"{finished.command} < /dev/null")


@pytest.mark.until(2)
def test_says_what_the_demo_says(subject: Subject) -> None:
    """Fed with the demo's lines, the interactive entry answers as the demo does."""
    finished = subject.chat(lines_of([*phrases(subject.step), EXIT]))
    called = f"{finished.command}; typed: the lines of the demo"
    subject.prints(finished, piped(subject.step), called=called)


def test_second_script(subject: Subject, reference: Subject) -> None:
    """Fed with lines that no transcript shows, it answers each as the reference does."""
    script = second_script(subject.step)
    came, wanted = (one.chat(lines_of(script)) for one in (subject, reference))
    said, expected = (answers(without_ids(subject.step, it.stdout)) for it in (came, wanted))
    typed = ["nothing yet", *map(repr, script), "nothing more"]
    for line, mine, right in zip_longest(typed, said, expected, fillvalue=""):
        if mine != right:
            raise CheckFailed(
                called=f"{came.command}; typed, among other lines: {line}",
                came=repr(mine) + subject.errors(came),
                wanted=f"{right!r}, made from what was typed",
                read=chapter_of(subject.step),
            )


def test_last_line_without_its_end(subject: Subject, talk: Talk) -> None:
    """A last line without a line end is a line like any other."""
    with_end, without = talk("a line"), talk("a line without its end")
    called = f"printf '{HELLO}' | {without.command}"
    subject.prints(without, with_end.stdout, called=called)


def test_line_after_exit(talk: Talk) -> None:
    """/exit is the end, also with spaces around it: what is typed behind it is never answered."""
    finished = talk("spaces around /exit")
    text = finished.stdout.decode(errors="replace")
    judge.holds(
        text.count(ANSWER) == 1 and NEVER not in text,
        called=f"{finished.command}; typed: {HELLO}, '  {EXIT}  ', {NEVER}",
        came=text,
        wanted="one answer, then the farewell",
    )


def test_carriage_returns(talk: Talk) -> None:
    """Lines that end in CRLF are answered like all others, and /exit is still /exit."""
    finished = talk("CRLF, and lines after /exit")
    text = finished.stdout.decode(errors="replace")
    judge.holds(
        "\r" not in text and text.count(ANSWER) == 1 and NEVER not in text,
        called=f"printf '{HELLO}\\r\\n{EXIT}\\r\\n...' | {finished.command}",
        came=repr(text),
        wanted="one answer without a carriage return, then the farewell",
    )


def test_byte_order_mark(subject: Subject, talk: Talk) -> None:
    """A byte order mark in front of /exit does not turn it into something to answer."""
    finished = talk("a byte order mark")
    wanted = opening(subject.step) + PROMPT + farewell(subject.step, messages=0)
    called = f"printf '\\xef\\xbb\\xbf{EXIT}\\n' | {finished.command}"
    subject.prints(finished, wanted.encode(), called=called)


@pytest.mark.until(1)
def test_blank_lines_are_echoed(talk: Talk) -> None:
    """A blank line is not the end of input: an echo answers it like any other."""
    finished = talk("blank lines")
    text = finished.stdout.decode(errors="replace")
    judge.holds(
        text.count(ANSWER) == 3,
        called=f"printf '\\n   \\n{HELLO}\\n' | {finished.command}",
        came=text,
        wanted="three answers",
    )


@pytest.mark.until(8)
def test_million_characters(subject: Subject, reference: Subject, talk: Talk) -> None:
    """A line of a million characters arrives whole."""
    came, wanted = talk("a million characters"), reference.chat(TYPED["a million characters"])
    subject.prints(came, wanted.stdout, called="python -m mini_agent; typed: 长, a million times")

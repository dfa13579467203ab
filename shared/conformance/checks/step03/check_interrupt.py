"""Ctrl-C during an answer, on a real terminal: it stops the answer, and not the program."""

import time

import pytest

from conformance.support.chapters import read
from conformance.support.judge import SuiteFault
from conformance.support.subject import Subject
from conformance.support.terminal import CTRL_C, CTRL_D, ENTER, Ending, terminal
from conformance.support.transcript import ANSWER, PROMPT, farewell
from lab.programs import CHAT

pytestmark = [read("ctrl-c"), pytest.mark.program, pytest.mark.timeout(60)]

COUNT, BEGUN, ABORTED = "数到一百", "1、", "（已中止）"
"""A line with a long answer, what that begins with, and the mark of an abort."""

HELLO = "你好"

GRACE = 0.2
"""Seconds after an abort in which another Ctrl-C still belongs to the turn."""

TRIES = 5
"""How often the suite tries to press a key twice within that time."""


def interrupted(subject: Subject, *, twice: bool) -> Ending:
    """Have the slow answer, press Ctrl-C in it, say hello, and leave by Ctrl-C at the prompt."""
    subject.need("__main__")
    subject.get("abort.AbortSignal")  # without it, the answer would have to be waited for
    for _ in range(TRIES):
        with terminal(subject, CHAT) as screen:
            screen.wait_for(PROMPT)
            screen.type(f"{COUNT}{ENTER}")
            screen.wait_for(BEGUN)
            pressed = time.monotonic()
            screen.type(CTRL_C)
            screen.wait_for(ABORTED)
            if twice:
                screen.type(CTRL_C)
                if time.monotonic() - pressed > GRACE:
                    continue  # too late, by whatever else this machine has to do
            screen.wait_for(PROMPT)
            screen.type(f"{HELLO}{ENTER}")
            screen.wait_for(ANSWER)
            screen.wait_for(PROMPT)
            screen.type(CTRL_C)
            return screen.leave()
    raise SuiteFault(f"this machine is too slow to press Ctrl-C twice within {GRACE:g} s")


@pytest.fixture(scope="module")
def left(subject: Subject) -> Ending:
    """Interrupt an answer once, for all that look at the same terminal."""
    return interrupted(subject, twice=False)


def expect_to_go_on(subject: Subject, left: Ending) -> None:
    """Fail unless the next line was answered, and the program left by the prompt's own Ctrl-C."""
    wanted = farewell(subject.step, messages=4)
    left.holds(
        left.screen.count(ANSWER) == 2 and wanted in left.screen and left.exit_code == 0,
        wanted=f"an answer to {HELLO}, then {wanted.strip()}, and exit code 0",
    )


def test_shown_part_stays(left: Ending) -> None:
    """What was shown when Ctrl-C came stays on the screen, with the mark of an abort behind it."""
    answers = [line for line in left.screen.split("\n") if line.startswith(f"{ANSWER}{BEGUN}")]
    left.holds(
        len(answers) == 1 and answers[0].endswith(ABORTED) and "100" not in answers[0],
        wanted=f"one line that begins with {ANSWER}{BEGUN} and ends with {ABORTED}",
    )


def test_goes_on(subject: Subject, left: Ending) -> None:
    """After the abort the prompt is back: the next line is answered, and Ctrl-C leaves from there.

    The farewell counts the interrupted answer as a message, too.
    """
    expect_to_go_on(subject, left)


def test_terminal_is_restored(left: Ending) -> None:
    """An abort leaves the terminal's settings as they were."""
    left.holds(
        left.restored,
        came="other settings than before (compare `stty -g`)",
        wanted="the settings from before the start",
    )


def test_second_press_does_no_harm(subject: Subject) -> None:
    """A second Ctrl-C right behind the first one still belongs to the answer: nobody leaves."""
    expect_to_go_on(subject, interrupted(subject, twice=True))


@read("typing ahead")
def test_typed_during_an_answer(subject: Subject) -> None:
    """A line that is typed while an answer is still coming is not lost: it is answered next."""
    subject.need("__main__")
    with terminal(subject, CHAT) as screen:
        screen.wait_for(PROMPT)
        screen.type(f"{HELLO}{ENTER}")
        screen.wait_for(ANSWER)
        screen.type(f"{HELLO}{ENTER}")
        screen.wait_for(ANSWER)
        screen.wait_for(PROMPT)
        screen.type(CTRL_D)
        left = screen.leave()
    left.holds(
        left.screen.count(ANSWER) == 2 and left.exit_code == 0,
        wanted="two answers, then the farewell",
    )

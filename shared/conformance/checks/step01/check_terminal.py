"""The interactive entry on a real terminal: how a user leaves it, and what it does with keys."""

from collections.abc import Callable
from functools import cache

import pytest

from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.terminal import CTRL_C, CTRL_D, ENTER, Ending, terminal
from conformance.support.transcript import ANSWER, EXIT, FAREWELL, PROMPT
from lab.programs import CHAT

pytestmark = [read("hanging"), pytest.mark.program, pytest.mark.timeout(60)]

WAYS_OUT = {
    "Ctrl-D": (CTRL_D,),
    "Ctrl-C": (CTRL_C,),
    "Ctrl-C in a line, and again": (f"你好{CTRL_C}", CTRL_C),
    "/exit": (f"{EXIT}{ENTER}",),
}
"""Keys that end a conversation, each for one prompt, by name."""


def leave(subject: Subject, *keys: str) -> Ending:
    """Press each of `keys` as soon as a prompt is shown; return how the program ended."""
    subject.need("__main__")
    with terminal(subject, CHAT) as screen:
        for pressed in keys:
            screen.wait_for(PROMPT)
            text = pressed.removesuffix(CTRL_C)
            if text != pressed:  # the kernel throws away what nobody has read when Ctrl-C comes
                screen.type(text)
                screen.wait_for(text)
                pressed = CTRL_C
            screen.type(pressed)
        return screen.leave()


@pytest.fixture(scope="module")
def left_by(subject: Subject) -> Callable[[str], Ending]:
    """Return a function that leaves by one of `WAYS_OUT`, once, for all that look at it."""
    return cache(lambda way: leave(subject, *WAYS_OUT[way]))


@pytest.mark.parametrize("way", WAYS_OUT)
def test_leaves_at_once(left_by: Callable[[str], Ending], way: str) -> None:
    """Ctrl-C, Ctrl-D and /exit end the program at once, without another key: exit code 0."""
    left = left_by(way)
    left.holds(left.exit_code == 0, wanted="exit code 0")


@pytest.mark.parametrize("way", WAYS_OUT)
def test_says_farewell(left_by: Callable[[str], Ending], way: str) -> None:
    """Every way out ends with the farewell, on a line of its own."""
    left = left_by(way)
    said = [line for line in left.screen.split("\n") if line.startswith(FAREWELL)]
    left.holds(
        len(said) == 1 and "Traceback" not in left.screen,
        wanted=f"{FAREWELL} at the beginning of a line, and no traceback",
    )


@pytest.mark.parametrize("way", WAYS_OUT)
def test_terminal_is_restored(left_by: Callable[[str], Ending], way: str) -> None:
    """Every way out leaves the terminal's settings as they were."""
    left = left_by(way)
    left.holds(
        left.restored,
        came="other settings than before (compare `stty -g`)",
        wanted="the settings from before the start",
    )


def test_goes_on_after_an_answer(subject: Subject) -> None:
    """After an answer the prompt comes back, and Ctrl-C leaves from there."""
    left = leave(subject, f"你好{ENTER}", CTRL_C)
    left.holds(
        left.exit_code == 0 and left.screen.count(ANSWER) == 1, wanted="one answer, and exit code 0"
    )


def test_ctrl_c_clears_a_line(subject: Subject) -> None:
    """Ctrl-C in a line that has been begun clears it: the prompt is back, and nothing is sent."""
    left = leave(subject, f"再想想{CTRL_C}", f"你好{ENTER}", CTRL_C)
    left.holds(
        left.exit_code == 0 and left.screen.count(ANSWER) == 1 and left.screen.count(PROMPT) == 3,
        wanted="three prompts, one answer, and exit code 0",
    )


@pytest.mark.until(10)  # from step 11 on a line that is typed while a run works steers it
def test_typed_ahead(subject: Subject) -> None:
    """Lines that are typed before the prompt is there are not lost: each is answered."""
    subject.need("__main__")
    with terminal(subject, CHAT) as screen:
        screen.type(f"你好{ENTER}你好{ENTER}{EXIT}{ENTER}")
        left = screen.leave()
    left.holds(
        left.screen.count(ANSWER) == 2 and left.exit_code == 0,
        wanted="two answers, then the farewell",
    )

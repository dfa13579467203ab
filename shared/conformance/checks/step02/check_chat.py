"""The interactive entry, from outside, on a pipe: what step 02 changes about blank lines."""

from collections.abc import Callable

import pytest

from conformance.support.chapters import read
from conformance.support.process import HELLO
from conformance.support.subject import Subject
from conformance.support.transcript import PROMPT, opening
from lab.programs import Finished

pytestmark = [read("chat"), pytest.mark.program, pytest.mark.timeout(60)]

Talk = Callable[[str], Finished]


def test_blank_lines_are_no_messages(subject: Subject, talk: Talk) -> None:
    """A blank line is neither the end of input nor a message: the next prompt follows."""
    blank, plain = talk("blank lines"), talk("a line")
    head = opening(subject.step).encode()
    wanted = head + 2 * PROMPT.encode() + plain.stdout.removeprefix(head)
    called = f"printf '\\n   \\n{HELLO}\\n' | {blank.command}"
    subject.prints(blank, wanted, called=called)

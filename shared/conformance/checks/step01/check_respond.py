"""`respond.respond`: the place where step 01 makes an answer."""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject

pytestmark = [read("respond"), pytest.mark.until(1)]

TEXTS = {"a text": "你好", "nothing": "", "spaces": "  a  b  ", "odd characters": "✓ 🎉"}


@pytest.mark.parametrize("name", TEXTS)
def test_echo(subject: Subject, name: str) -> None:
    """respond(text) says 你说的是： and the text, unchanged."""
    text = TEXTS[name]
    came = subject.get("respond.respond")(text)
    judge.same(came, f"你说的是：{text}", called=f"respond({text!r})")

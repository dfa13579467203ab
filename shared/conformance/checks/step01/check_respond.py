"""`respond.respond`: the place where step 01 makes an answer."""

import pytest

from conformance.support.chapters import where
from conformance.support.judge import expect
from conformance.support.subject import Subject

pytestmark = pytest.mark.until(1)


TEXTS = {"a text": "你好", "nothing": "", "spaces": "  a  b  ", "odd characters": "✓ 🎉"}


@pytest.mark.parametrize("name", TEXTS)
def test_echo(subject: Subject, name: str) -> None:
    """respond(text) says 你说的是： and the text, unchanged."""
    text = TEXTS[name]
    came = subject.get("respond.respond")(text)
    expect(
        came == f"你说的是：{text}",
        called=f"respond({text!r})",
        came=came,
        wanted=repr(f"你说的是：{text}"),
        read=where("respond"),
    )

"""The fake model from step 03 on: which rule answers, and how its answer streams."""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

import pytest

from conformance.support.chapters import read
from conformance.support.model import SIGNS, FakeModel, Rule
from conformance.support.subject import Subject

pytestmark = read("playback")

HELLO, FALLBACK = {"match": "你好", "reply": "甲"}, {"reply": "兜底"}
NO_RULE = "（FakeModel 没有命中任何规则，也没有兜底规则。）"

CHOICES: dict[str, tuple[Sequence[Rule], Sequence[str], str]] = {
    "a text anywhere in the message": ([HELLO, FALLBACK], ["再说你好吗"], "甲"),
    "the first that matches": ([{"match": "你", "reply": "乙"}, HELLO], ["你好"], "乙"),
    "a fallback in front": ([FALLBACK, HELLO], ["你好"], "兜底"),
    "a fallback at the end": ([HELLO, FALLBACK], ["再见"], "兜底"),
    "upper and lower case": ([{"match": "agent", "reply": "小写"}, FALLBACK], ["Agent"], "兜底"),
    "no rule at all": ([HELLO], ["再见"], NO_RULE),
    "the last message only": ([HELLO, {"match": "再见", "reply": "乙"}], ["你好", "再见"], "乙"),
    "no message": ([HELLO, FALLBACK], [], "兜底"),
    **{
        name: ([{"match": match, "reply": "甲"}, FALLBACK], [said], "甲" if there else "兜底")
        for name, (match, said, there) in SIGNS.items()
    },
}
"""Rules, what was said, and the answer."""

ENDINGS: dict[str, tuple[Rule, str, str]] = {
    "an answer": ({"reply": "你好！我是假模型。"}, "你好！我是假模型。", "stop"),
    "an empty answer": ({"reply": ""}, "", "stop"),
    "a failure behind some text": ({"reply": "我先想想，", "error": "断线"}, "我先想想，", "error"),
    "a failure at once": ({"reply": "", "error": "断线"}, "", "error"),
}
"""A rule, and the text and the stop reason of its answer."""

LONG = "、".join(str(number) for number in range(1, 101))

JOINER, TONE = "\u200d", "\U0001f3fd"
FAMILY, FLAGS, HEART = f"👨{JOINER}👩{JOINER}👧", "🇨🇳🇫🇷", "❤\ufe0f"
TOGETHER = f"e\u0301a\u0308o\u0302{FAMILY}好👍{TONE}{HEART}{FLAGS}n\u0303"
"""Characters that consist of several code points each."""


@pytest.mark.parametrize("name", CHOICES)
async def test_rule_answers(subject: Subject, name: str) -> None:
    """The first rule whose text stands in the last message answers; then the fallback does."""
    rules, said, wanted = CHOICES[name]
    heard = await FakeModel(subject, rules, *said).listen()
    heard.same(heard.trace.text, wanted)


@pytest.mark.parametrize("name", ENDINGS)
async def test_ending(subject: Subject, name: str) -> None:
    """An answer ends with `done`, a failure with `error`, its text kept and its cause told."""
    rule, text, stop_reason = ENDINGS[name]
    heard = await FakeModel(subject, [rule], "你好").listen()
    message = heard.message
    came = (heard.trace.text, message.stop_reason, message.error_message)
    heard.same(came, (text, stop_reason, rule.get("error")))


async def test_same_again(subject: Subject) -> None:
    """Asked again, the model sends the same pieces in the same order."""
    asked = FakeModel(subject, [{"reply": LONG}], "数")
    first, second = await asked.listen(), await asked.listen()
    second.same(list(second.trace.events), list(first.trace.events))


async def test_long_answer_comes_in_pieces(subject: Subject) -> None:
    """A long answer comes in pieces, not as a whole."""
    heard = await FakeModel(subject, [{"reply": LONG}], "数").listen()
    heard.holds(
        len(heard.trace.pieces) > 10, wanted=f"more than 10 pieces for {len(LONG)} characters"
    )


@pytest.mark.parametrize("shift", range(6))
async def test_characters_stay_whole(subject: Subject, shift: int) -> None:
    """No piece begins in the middle of what a reader takes for one character."""
    rule = {"reply": "字" * shift + TOGETHER * 2}
    heard = await FakeModel(subject, [rule], "你好").listen()
    pieces = heard.trace.pieces
    cuts = [
        f"{before!r} | {piece!r}"
        for before, piece in pairwise(pieces)
        if _belong_together(before, piece)
    ]
    heard.holds(not cuts, wanted=f"no cut like {', '.join(cuts)}")


def _belong_together(before: str, after: str) -> bool:
    """Tell whether a border between two pieces cuts an accent, an emoji or a flag."""
    first, letters = after[0], len(before) - len(before.rstrip(FLAGS))
    return (
        unicodedata.category(first) in ("Mn", "Me")
        or first in (JOINER, TONE)
        or before.endswith(JOINER)
        or (first in FLAGS and letters % 2 == 1)
    )


async def test_stream_leaves_the_context_alone(subject: Subject) -> None:
    """The model appends nothing: the context belongs to whoever calls it."""
    asked = FakeModel(subject, [HELLO], "你好")
    before = list(asked.context.messages)
    heard = await asked.listen()
    heard.same(list(asked.context.messages), before)

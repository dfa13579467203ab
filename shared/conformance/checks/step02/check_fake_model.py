"""The scripted model of step 02: which rule answers."""

from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import SIGNS
from conformance.support.subject import Subject

pytestmark = [read("fake model"), pytest.mark.until(2)]

NO_RULE = "（FakeModel 没有命中任何规则，也没有兜底规则。）"


class Asked:
    """A fake model with rules, asked about messages."""

    def __init__(self, subject: Subject, rules: list[tuple[str | None, str]], *said: str) -> None:
        rule, user_text = subject.get("fake_model.FakeRule"), subject.get("messages.user_text")
        self.message_text = subject.get("messages.message_text")
        self.rules = [rule(reply=r) if m is None else rule(match=m, reply=r) for m, r in rules]
        self.model = subject.get("fake_model.create_fake_model")(self.rules)
        self.context = subject.get("messages.Context")(messages=[user_text(text) for text in said])
        self.called = f"the model of {rules}, asked about {list(said)}"

    async def expect(self, wanted: str) -> None:
        """Fail unless the model answers `wanted`."""
        came = self.message_text(await self.model(self.context))
        judge.same(came, wanted, called=self.called)


async def test_matching_rule_answers(subject: Subject) -> None:
    """A rule answers if its text stands anywhere in the message."""
    await Asked(subject, [("好", "甲"), (None, "兜底")], "你好吗").expect("甲")


async def test_first_match_wins(subject: Subject) -> None:
    """Of several rules that match, the first one answers."""
    await Asked(subject, [("x", "乙"), ("你", "甲"), ("你好", "丙")], "你好").expect("甲")


async def test_fallback_in_front_hides_the_rest(subject: Subject) -> None:
    """A rule without a text matches everything: the rules behind it are never reached."""
    await Asked(subject, [(None, "兜底"), ("你好", "甲")], "你好").expect("兜底")


async def test_fallback_answers_last(subject: Subject) -> None:
    """If nothing else matches, the fallback at the end answers."""
    await Asked(subject, [("你好", "甲"), (None, "兜底")], "再见").expect("兜底")


async def test_case_matters(subject: Subject) -> None:
    """Upper and lower case are different letters."""
    await Asked(subject, [("agent", "小写"), ("Agent", "大写")], "Agent Harness").expect("大写")


@pytest.mark.parametrize("name", SIGNS)
async def test_rule_is_no_pattern(subject: Subject, name: str) -> None:
    """The text of a rule stands for itself, whatever its signs mean in a pattern."""
    match, said, stands_there = SIGNS[name]
    asked = Asked(subject, [(match, "甲"), (None, "兜底")], said)
    await asked.expect("甲" if stands_there else "兜底")


async def test_no_rule_matches(subject: Subject) -> None:
    """Without a match and without a fallback, the answer is a fixed text."""
    await Asked(subject, [("agent harness", "甲")], "什么是 Agent Harness").expect(NO_RULE)


async def test_only_the_last_message_counts(subject: Subject) -> None:
    """The model looks at the last message and at none before it."""
    await Asked(subject, [("你好", "甲"), ("再见", "乙")], "你好", "再见").expect("乙")


async def test_no_message(subject: Subject) -> None:
    """Asked about an empty context, the fallback answers, as to an empty text."""
    await Asked(subject, [("你好", "甲"), (None, "兜底")]).expect("兜底")


@pytest.mark.parametrize("sequence", [tuple, list])
async def test_any_sequence_of_rules(subject: Subject, sequence: Any) -> None:
    """The rules may be a tuple or a list, and the model answers again and again."""
    asked = Asked(subject, [("你好", "甲")], "你好")
    asked.model = subject.get("fake_model.create_fake_model")(sequence(asked.rules))
    await asked.expect("甲")
    await asked.expect("甲")


async def test_answer_is_an_assistant_message(subject: Subject) -> None:
    """The model returns a whole assistant message, not a text."""
    asked = Asked(subject, [("你好", "甲")], "你好")
    came = await asked.model(asked.context)
    block = subject.get("messages.TextContent")(text="甲")
    judge.same(
        came, subject.get("messages.AssistantMessage")(content=(block,)), called=asked.called
    )


async def test_context_is_left_alone(subject: Subject) -> None:
    """The model appends nothing: the context belongs to whoever calls it."""
    asked = Asked(subject, [("你好", "甲")], "你好")
    before = list(asked.context.messages)
    await asked.model(asked.context)
    came = list(asked.context.messages)
    judge.same(came, before, called=f"{asked.called}; then context.messages")

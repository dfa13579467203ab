"""`shell.run_shell` from step 03 on: the loop, and what each turn leaves in the conversation."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from conformance.failure import expect, expect_bytes
from conformance.history import in_words
from conformance.reading import where
from conformance.scripts import Call, Says, Script
from conformance.subject import Subject
from conformance.tools import Tools
from conformance.transcripts import ANSWER, EXIT, PROMPT, farewell

pytestmark = pytest.mark.since(3)

READ = where("turn")


class Conversation:
    """A run of the shell: a list of lines for `ask`, and a model with a script."""

    def __init__(
        self,
        subject: Subject,
        lines: Sequence[str],
        *says: Says,
        aborted: bool = False,
        notice: str = "",
        **how: Any,
    ) -> None:
        self._subject = subject
        self._lines = iter(lines)
        self._aborted = aborted
        self._notice = notice
        self.prompts: list[str] = []
        self.script = Script(subject, says)
        self.called = f"run_shell(ask, model), ask gives {', '.join(map(repr, lines))}"
        subject.get("shell.run_shell")(self.ask, self.model, **how)

    def ask(self, prompt: str) -> str | None:
        """Stand for the keyboard."""
        self.prompts.append(prompt)
        return next(self._lines, None)

    async def model(self, context: Any, /, *, options: Any = None) -> AsyncGenerator[Any, None]:
        """Send a notice, if there is one; be the user who aborts an answer behind a piece of it."""
        if self._notice:
            yield self._subject.get("stream.Notice")(text=self._notice)
        async with aclosing(self.script(context, options=options)) as stream:
            async for event in stream:
                yield event
                if self._aborted and isinstance(event, self._subject.get("stream.TextDelta")):
                    options.signal.abort()

    def expect_requests(self, *wanted: Iterable[str]) -> None:
        """Fail unless the model was called so often, and shown these messages, in words."""
        came = [in_words(messages) for messages in self.script.requests]
        expect(
            came == [list(messages) for messages in wanted],
            called=f"{self.called}; what each call of the model was shown",
            came=_shown(came),
            wanted=_shown(wanted),
            read=READ,
        )


def _shown(requests: Iterable[Iterable[str]]) -> str:
    return "\n".join(f"{number}. {', '.join(r)}" for number, r in enumerate(requests, start=1))


def test_prints_answers(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """Each answer is printed behind 助手>, with an empty line after it; the farewell counts."""
    talk = Conversation(subject, ["一", "二"], Says("甲"), Says("乙", "丙"))
    wanted = f"{ANSWER}甲\n\n{ANSWER}乙丙\n\n" + farewell(subject.step, messages=4)
    expect_bytes(
        capsys.readouterr().out.encode(),
        wanted.encode(),
        called=f"{talk.called}; the model says 甲, 乙丙",
        read=READ,
    )


def test_asks_with_the_prompt(subject: Subject) -> None:
    """The shell asks with 你> for every line, and once more to learn that there are none."""
    talk = Conversation(subject, ["一", "二"], Says("甲"), Says("乙"))
    expect(
        talk.prompts == [PROMPT] * 3,
        called=talk.called,
        came=talk.prompts,
        wanted=repr([PROMPT] * 3),
        read=READ,
    )


def test_model_sees_the_whole_conversation(subject: Subject) -> None:
    """The model is called once a line, and shown all lines and its own answers, as they are."""
    line = "  Agent  Harness "
    Conversation(subject, ["一", line], Says("甲"), Says("乙")).expect_requests(
        ["user: 一"], ["user: 一", "assistant: 甲", f"user: {line}"]
    )


def test_exit_reaches_no_model(subject: Subject) -> None:
    """/exit ends the conversation: the model does not hear of it, and nobody asks again."""
    talk = Conversation(subject, [f" {EXIT} ", "一"], Says("甲"))
    talk.expect_requests()
    expect(
        len(talk.prompts) == 1,
        called=talk.called,
        came=f"{len(talk.prompts)} questions",
        wanted="1 question",
        read=READ,
    )


@pytest.mark.until(5)
def test_other_commands_reach_the_model(subject: Subject) -> None:
    """The shell knows /exit and nothing else: a line with another slash is for the model."""
    Conversation(subject, ["/help", f"{EXIT}!"], Says("甲"), Says("乙")).expect_requests(
        ["user: /help"], ["user: /help", "assistant: 甲", f"user: {EXIT}!"]
    )


def test_blank_line_is_no_message(subject: Subject) -> None:
    """A blank line is passed over: no call, no message, the next question follows."""
    Conversation(subject, ["", "   ", "一"], Says("甲")).expect_requests(["user: 一"])


def test_aborted_answer_stays(subject: Subject) -> None:
    """The model can be aborted; the line and the part that came stay, and the next is answered."""
    talk = Conversation(subject, ["一", "二"], Says("甲", "乙"), Says("丙"), aborted=True)
    talk.expect_requests(["user: 一"], ["user: 一", "assistant: 甲 (aborted)", "user: 二"])


def test_failed_answer_stays(subject: Subject) -> None:
    """When the model fails, the line and the part that came stay, and the next is answered."""
    failed = Says("我先", stop_reason="error", error="断线")
    Conversation(subject, ["一", "二"], failed, Says("乙")).expect_requests(
        ["user: 一"], ["user: 一", "assistant: 我先 (error)", "user: 二"]
    )


@pytest.mark.parametrize("stop_reason", ["stop", "error"])
def test_empty_answer_is_no_message(subject: Subject, stop_reason: str) -> None:
    """An answer that says nothing is not kept: no model accepts a message without content."""
    nothing = Says(stop_reason=stop_reason, error="断线" if stop_reason == "error" else None)
    Conversation(subject, ["一", "二"], nothing, Says("乙")).expect_requests(
        ["user: 一"], ["user: 一", "user: 二"]
    )


def test_notices_reach_notify(subject: Subject) -> None:
    """What the model notices on the way goes to `notify`."""
    told: list[str] = []
    talk = Conversation(subject, ["一"], Says("甲"), notice="重试", notify=told.append)
    expect(
        told == ["重试"],
        called=f"{talk.called}; the model sends a notice in front of its answer",
        came=f"notify got {told}",
        wanted="['重试']",
        read=READ,
    )


@pytest.mark.since(4)
def test_calls_and_results_stay(subject: Subject) -> None:
    """A call and its result stay in the conversation, and the next line builds on them."""
    talk = Conversation(
        subject,
        ["一", "二"],
        *(Says(Call("t1")), Says("甲"), Says("乙")),
        execute=Tools({"echo": lambda use: "回声"}),
    )
    first = ["user: 一", "assistant: [t1]", "result t1: 回声"]
    talk.expect_requests(["user: 一"], first, [*first, "assistant: 甲", "user: 二"])

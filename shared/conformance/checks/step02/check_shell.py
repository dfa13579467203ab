"""`shell.run_shell` of step 02: the loop, and what it hands to the model."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.subject import Subject
from conformance.support.transcript import ANSWER, EXIT, PROMPT, farewell

pytestmark = [read("shell"), pytest.mark.until(2)]


class Conversation:
    """A run of the shell: a list of lines for `ask`, and a model that writes down what it sees."""

    def __init__(self, subject: Subject, lines: Iterable[str]) -> None:
        self._subject = subject
        self._lines = iter(lines)
        self.prompts: list[str] = []
        self.seen: list[list[Any]] = []
        """For each call of the model: the messages that it was given."""

        self.answers: list[Any] = []
        subject.get("shell.run_shell")(self.ask, self.model())

    def ask(self, prompt: str) -> str | None:
        """Stand for the keyboard."""
        self.prompts.append(prompt)
        return next(self._lines, None)

    def model(self) -> Callable[[Any], Awaitable[Any]]:
        """Return a model that answers with the number of messages it was given."""
        message = self._subject.get("messages.AssistantMessage")
        block = self._subject.get("messages.TextContent")

        async def complete(context: Any) -> Any:
            self.seen.append(list(context.messages))
            self.answers.append(message(content=(block(text=f"收到 {len(context.messages)} 条"),)))
            return self.answers[-1]

        return complete


def test_prints_answers(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """Each answer is printed behind 助手>, with an empty line after it; the farewell counts."""
    Conversation(subject, ["一", "二", "三"])
    answers = "".join(f"{ANSWER}收到 {count} 条\n\n" for count in (1, 3, 5))
    judge.same_bytes(
        capsys.readouterr().out.encode(),
        (answers + farewell(subject.step, messages=6)).encode(),
        called="run_shell(ask, model), ask gives 一, 二, 三; the model says how much it was given",
    )


def test_asks_with_the_prompt(subject: Subject) -> None:
    """The shell asks with 你> for every line, and once more to learn that there are none."""
    came = Conversation(subject, ["一", "二"]).prompts
    judge.same(came, [PROMPT] * 3, called="run_shell(ask, model), ask gives 一, 二, None")


def test_model_sees_the_whole_conversation(subject: Subject) -> None:
    """Every call gets all messages so far: the user's lines and the model's own answers."""
    talk = Conversation(subject, ["一", "二"])
    user_text = subject.get("messages.user_text")
    wanted = [[user_text("一")], [user_text("一"), *talk.answers[:1], user_text("二")]]
    judge.same(
        talk.seen,
        wanted,
        called="run_shell(ask, model), ask gives 一, 二; what the model was given",
    )


def test_one_call_per_line(subject: Subject) -> None:
    """The model is called once for every line."""
    came = len(Conversation(subject, ["一", "二", "三"]).seen)
    called = "run_shell(ask, model), ask gives 一, 二, 三; how often the model was called"
    judge.same(came, 3, called=called)


def test_lines_arrive_unchanged(subject: Subject) -> None:
    """A line reaches the model as it was typed, spaces included."""
    text = "  Agent  Harness "
    came = Conversation(subject, [text]).seen
    judge.same(
        came,
        [[subject.get("messages.user_text")(text)]],
        called=f"run_shell(ask, model), ask gives {text!r}",
    )


def test_exit_reaches_no_model(subject: Subject) -> None:
    """/exit ends the conversation: the model does not hear of it, and nobody asks again."""
    talk = Conversation(subject, [f" {EXIT} ", "一"])
    judge.holds(
        talk.seen == [] and len(talk.prompts) == 1,
        called=f"run_shell(ask, model), ask gives ' {EXIT} ', 一",
        came=f"{len(talk.prompts)} questions, {len(talk.seen)} calls of the model",
        wanted="1 question, 0 calls",
    )


def test_other_commands_reach_the_model(subject: Subject) -> None:
    """The shell knows /exit and nothing else: /help is a line for the model."""
    talk = Conversation(subject, ["/help", f"{EXIT}!"])
    called = f"run_shell(ask, model), ask gives /help, {EXIT}!; how often the model was called"
    judge.same(len(talk.seen), 2, called=called)


def test_blank_line_is_no_message(subject: Subject) -> None:
    """A blank line is passed over: no call, no message, the next question follows."""
    talk = Conversation(subject, ["", "   ", "一"])
    judge.holds(
        [len(messages) for messages in talk.seen] == [1],
        called="run_shell(ask, model), ask gives '', '   ', 一",
        came=talk.seen,
        wanted="one call, with one message",
    )

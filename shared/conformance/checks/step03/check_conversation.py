"""`shell.run_shell` from step 03 on: the loop, and what each turn leaves in the conversation."""

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import in_words
from conformance.support.model import Says
from conformance.support.screen import CONTROLS
from conformance.support.shell import Conversation
from conformance.support.subject import Subject
from conformance.support.transcript import ANSWER, EXIT, PROMPT, farewell

pytestmark = read("turn")


def test_prints_answers(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """Each answer is printed behind 助手>, with an empty line after it; the farewell counts."""
    talk = Conversation(subject, ["一", "二"], Says("甲"), Says("乙", "丙"))
    wanted = f"{ANSWER}甲\n\n{ANSWER}乙丙\n\n" + farewell(subject.step, messages=4)
    judge.same_bytes(
        capsys.readouterr().out.encode(),
        wanted.encode(),
        called=f"{talk.called}; the model says 甲, 乙丙",
    )


def test_asks_with_the_prompt(subject: Subject) -> None:
    """The shell asks with 你> for every line, and once more to learn that there are none."""
    talk = Conversation(subject, ["一", "二"], Says("甲"), Says("乙"))
    talk.same(talk.prompts, [PROMPT] * 3)


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
    talk.same(f"questions: {len(talk.prompts)}", "questions: 1")


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


@pytest.mark.parametrize("text", [(), ("",), (" \n ",)], ids=["nothing", "empty", "blank"])
@pytest.mark.parametrize("stop_reason", ["stop", "error"])
def test_empty_answer_is_no_message(
    subject: Subject, stop_reason: str, text: tuple[str, ...]
) -> None:
    """An answer that says nothing is not kept: no model accepts a message without content."""
    error = "断线" if stop_reason == "error" else None
    nothing = Says(*text, stop_reason=stop_reason, error=error)
    Conversation(subject, ["一", "二"], nothing, Says("乙")).expect_requests(
        ["user: 一"], ["user: 一", "user: 二"]
    )


@read("typewriter")
def test_controls_stay_in_the_history(subject: Subject) -> None:
    """What the screen does not show as it is, the history keeps as the model said it."""
    talk = Conversation(subject, ["一", "二"], Says(f"甲{CONTROLS}"), Says("乙"))
    came = in_words(talk.script.requests[-1])
    judge.same(
        ascii(came),
        ascii(["user: 一", f"assistant: 甲{CONTROLS}", "user: 二"]),
        called=f"run_shell(ask, model), the model says 甲{CONTROLS!r}; what its next call is shown",
    )


def test_notices_reach_notify(subject: Subject) -> None:
    """What the model notices on the way goes to `notify`."""
    told: list[str] = []
    talk = Conversation(subject, ["一"], Says("甲"), notice="重试", notify=told.append)
    judge.same(
        told, ["重试"], called=f"{talk.called}; the model sends a notice in front of its answer"
    )

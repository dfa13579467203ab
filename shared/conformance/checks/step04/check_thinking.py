"""What a model thinks before it speaks: kept for the model, and no part of its answer."""

from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Call, Says, Thought
from conformance.support.render import Aside, RenderedAnswer
from conformance.support.run import Run
from conformance.support.stream import listen
from conformance.support.subject import Subject
from conformance.support.transcript import ANSWER
from conformance.support.values import expect_json_and_back

pytestmark = read("tool messages")

PAYLOAD = {"signature": "c2ln", "parts": [1, None]}
THOUGHT = Thought("先看看天气，再说要不要带伞", PAYLOAD, "somebody", "some-model")
SAID = Says(THOUGHT, "我看看。", Call("t1"))


def test_no_part_of_the_text(subject: Subject) -> None:
    """A thought says by its type what it is; message_text and tool_calls pass it over."""
    message = SAID.of(subject)
    calls = subject.get("messages.tool_calls")(message)
    came = (
        message.content[0].type,
        subject.get("messages.message_text")(message),
        [call.id for call in calls],
    )
    called = "message.content[0].type, message_text(message), tool_calls(message)"
    judge.same(came, ("thinking", "我看看。", ["t1"]), called=f"{called}; the message is {SAID}")


def test_by_default(subject: Subject) -> None:
    """A thought needs no more than its text."""
    thought = subject.get("messages.ThinkingContent")(text="想")
    came = (thought.payload, thought.provider, thought.model)
    called = 'ThinkingContent(text="想"): payload, provider, model'
    judge.same(came, ({}, "", ""), called=called)


def test_json_and_back(subject: Subject) -> None:
    """A thought, and what only its provider understands, survives the way to JSON and back."""
    expect_json_and_back(subject, SAID.of(subject))


@read("agent loop")
async def test_kept_in_the_history(subject: Subject) -> None:
    """The model gets its thoughts back as they were, in front of what it said."""
    run = Run(subject, SAID, Says("好"))
    await run.play()
    shown = run.script.requests[-1][1]
    run.same(shown, SAID.of(subject))


@read("two fakes")
async def test_streams_before_the_text(subject: Subject) -> None:
    """A model thinks first: all pieces of a thought come as `thinking_delta` before the text."""
    model = subject.get("scripted_model.create_scripted_model")([SAID.of(subject)])
    context = subject.get("messages.Context")(messages=[subject.get("messages.user_text")("开始")])
    heard = await listen(subject, model(context), called=f"a scripted model that says {SAID}")
    deltas = [name for name in heard.trace.names if name.endswith("_delta")]
    heard.holds(
        heard.trace.thinking == THOUGHT.text
        and heard.trace.text == "我看看。"
        and deltas == sorted(deltas, reverse=True)
        and heard.message == SAID.of(subject),
        wanted=f"thinking_delta with {THOUGHT.text!r}, then text_delta with '我看看。', and `done` "
        "with the whole message",
    )


@read("two fakes")
async def test_aborted_while_thinking(subject: Subject) -> None:
    """An abort keeps as much of a thought as had come, and nothing for the provider to believe."""
    signal = subject.get("abort.AbortSignal")()

    def abort(event: Any) -> None:
        if isinstance(event, subject.get("stream.ThinkingDelta")):
            signal.abort()

    model = subject.get("scripted_model.create_scripted_model")([SAID.of(subject)])
    options = subject.get("stream.StreamOptions")(signal=signal)
    stream = model(subject.get("messages.Context")(), options=options)
    called = f"a scripted model that says {SAID}, aborted at the first thinking_delta"
    heard = await listen(subject, stream, called=called, on_event=abort)
    kept = Says(Thought(heard.trace.thinking), stop_reason="aborted").of(subject)
    heard.same(heard.message, kept)


@read("typewriter")
async def test_not_printed_in_a_pipe(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a model thinks is for a person who waits: a pipe gets the answer alone."""
    answer = RenderedAnswer(
        subject, Says(Thought("先想想"), "好"), Aside("先想"), Aside("想"), "好"
    )
    await answer.render(monkeypatch)
    answer.same(answer.screen.getvalue(), f"{ANSWER}好\n")

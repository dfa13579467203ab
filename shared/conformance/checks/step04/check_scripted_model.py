"""`scripted_model.create_scripted_model`: the N-th call gets the N-th response."""

from collections.abc import Callable, Sequence
from typing import Any

from conformance.support.chapters import read
from conformance.support.history import text_of
from conformance.support.model import Call, Says
from conformance.support.stream import ModelAnswer, listen
from conformance.support.subject import Subject

pytestmark = read("two fakes")


class Queue:
    """A scripted model of the package, and a context to call it with."""

    def __init__(self, subject: Subject, *responses: Any, told: str) -> None:
        self._subject = subject
        ready = [one.of(subject) if isinstance(one, Says) else one for one in responses]
        self._model = subject.get("scripted_model.create_scripted_model")(ready)
        self._called = f"create_scripted_model([{told}])"
        self.context = subject.get("messages.Context")(
            messages=[subject.get("messages.user_text")("开始")]
        )

    async def ask(
        self, number: int, signal: Any = None, on_event: Callable[[Any], None] = lambda event: None
    ) -> ModelAnswer:
        """Call it for the `number`-th time."""
        called = f"{self._called}, call {number}"
        options = self._subject.get("stream.StreamOptions")
        how = {"options": options(signal=signal)} if signal else {}
        stream = self._model(self.context, **how)
        return await listen(self._subject, stream, called=called, on_event=on_event)

    async def ask_often(self, count: int) -> Sequence[ModelAnswer]:
        """Call it so many times."""
        return [await self.ask(number) for number in range(1, count + 1)]


async def test_one_after_the_other(subject: Subject) -> None:
    """The first call gets the first response, the second one the second, each as it stands."""
    says = (Says("看看", Call("t1"), "再看", Call("t2")), Says("我先", stop_reason="length"))
    queue = Queue(subject, *says, told="a message with two calls, one that was cut")
    for heard, wanted in zip(await queue.ask_often(2), says, strict=True):
        message = wanted.of(subject)
        heard.same(heard.message, message)


async def test_function_sees_the_context(subject: Subject) -> None:
    """A response may be a function: it makes its message from the context of the call."""
    queue = Queue(
        subject,
        lambda context: Says(f"{len(context.messages)} 条").of(subject),
        told="a function that counts the messages",
    )
    heard = await queue.ask(1)
    heard.same(text_of(heard.message), "1 条")


async def test_used_up(subject: Subject) -> None:
    """When there is no response left, every further call fails: nothing is said twice."""
    queue = Queue(subject, Says("好"), told="one message")
    for heard in (await queue.ask_often(3))[1:]:
        heard.holds(
            heard.message.stop_reason == "error" and not heard.trace.text,
            wanted="`error`, and nothing of the first message again",
        )


async def test_function_that_raises(subject: Subject) -> None:
    """A function that raises is a failure of the model, told as an event; the next call goes on."""

    def broken(context: Any) -> Any:
        raise ValueError("没有准备")

    queue = Queue(subject, broken, Says("好"), told="a function that raises, a message")
    first, second = await queue.ask_often(2)
    first.holds(
        "没有准备" in (first.message.error_message or ""),
        wanted="`error`, with an error_message that says what went wrong",
    )
    second.same(second.trace.text, "好")


async def test_failure_as_a_response(subject: Subject) -> None:
    """A response may be a failure: what it has got is streamed, then comes `error`."""
    says = Says("我先", stop_reason="error", error="断线")
    heard = await Queue(subject, says, told="a message that failed").ask(1)
    heard.holds(
        heard.message == says.of(subject) and heard.trace.text == "我先",
        wanted="the text, then `error` with the whole message",
    )


async def test_abort(subject: Subject) -> None:
    """An abort ends a scripted answer, too: the calls that were complete are kept, and no other."""
    signal = subject.get("abort.AbortSignal")()

    def abort(event: Any) -> None:
        if isinstance(event, subject.get("stream.ToolCallEnd")):
            signal.abort()

    queue = Queue(
        subject, Says("先", Call("t1"), "再", Call("t2")), told="a message with two calls"
    )
    heard = await queue.ask(1, signal=signal, on_event=abort)
    kept = Says("先", Call("t1"), stop_reason="aborted").of(subject)
    heard.same(heard.message, kept)

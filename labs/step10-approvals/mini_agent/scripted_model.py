"""A model that answers by number: the first call gets the first response, and so on.

For tests, mostly: a queue can say what no rule can, "the same question, another answer".
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable

from .messages import AssistantMessage, Context
from .playback import play
from .stream import StreamEvent, StreamFn, StreamOptions

Response = AssistantMessage | Callable[[Context], AssistantMessage]
"""What a call gets: a message, or a function that makes one from what the model is shown."""

USED_UP = "剧本用完了：没有第 {number} 次调用的回答。"


def create_scripted_model(responses: Iterable[Response], *, delay: float = 0.0) -> StreamFn:
    """Return a model that plays `responses` in order, one per call, each of them once.

    A call for which there is no response left, or whose function raises, ends with the
    event `error`. `delay` is the time before each event, in seconds; 0 means no wait.
    """
    script = deque(responses)
    number = 0

    def stream(
        context: Context, /, *, options: StreamOptions | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        nonlocal number
        number += 1
        if script:
            message = message_of(script.popleft(), context)
        else:
            message = failure(USED_UP.format(number=number))
        signal = (options or StreamOptions()).signal
        return play(message, signal=signal, delay=delay)

    return stream


def message_of(response: Response, context: Context) -> AssistantMessage:
    """Return the message that `response` stands for, given what the model is shown."""
    if isinstance(response, AssistantMessage):
        return response
    try:
        return response(context)
    except Exception as error:  # noqa: BLE001  # the border that owes an event
        return failure(f"{type(error).__name__}: {error}")


def failure(text: str) -> AssistantMessage:
    """Return the message of a model that failed before it could say anything."""
    return AssistantMessage(content=(), stop_reason="error", error_message=text)

"""The typewriter, and the tools between two answers: a run of the agent, on the screen."""

import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import assert_never

from .agent_events import (
    AgentEnd,
    AgentEvent,
    AgentStart,
    MessageEnd,
    MessageStart,
    ToolExecutionEnd,
    ToolExecutionStart,
    TurnEnd,
    TurnStart,
)
from .messages import AssistantMessage, UserMessage, message_text, tool_calls
from .stream import (
    Notice,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamStart,
    TextDelta,
    ToolCallEnd,
    ToolCallStart,
)
from .tool_lines import show_call, show_result


def warn(text: str) -> None:
    """Tell the user something that is no part of the conversation."""
    print(text, file=sys.stderr)


async def render_run(
    run: AsyncGenerator[AgentEvent, None], *, notify: Callable[[str], None] = warn
) -> AgentEnd:
    """Print what the agent does as it happens, and return how the run ended.

    Notices go to `notify`. The run is closed in any case, also when the screen goes
    away in the middle (`| head -1`): model and tools then stop working.

    Raises:
        RuntimeError: the run ended without `AgentEnd`.
    """
    typewriter = Typewriter(notify)
    after_tools = False
    async with aclosing(run):
        async for event in run:
            match event:
                case MessageEnd(message=UserMessage() as said):
                    print("插话>", message_text(said), flush=True)
                case AgentStart() | TurnStart() | MessageStart() | MessageEnd():
                    pass
                case ToolExecutionStart(call=call):
                    show_call(call)
                case ToolExecutionEnd(result=result, blocked=blocked):
                    show_result(result, blocked=blocked)
                case TurnEnd(results=results):
                    after_tools = bool(results)
                case AgentEnd():
                    show_end(event, after_tools=after_tools)
                    return event
                case _:
                    typewriter.show(event)
    raise RuntimeError("the run ended without `AgentEnd`")


class Typewriter:
    """Prints the events of an answer, and knows whether the cursor stands behind some text."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._mid_line = False

    def show(self, event: StreamEvent) -> None:
        """Print what `event` says, at once."""
        match event:
            case StreamStart() | ToolCallStart() | ToolCallEnd():
                pass
            case TextDelta(text=text):
                self._write(text)
            case Notice(text=text):
                self._end_line()
                self._notify(text)
            case StreamDone(message=message) | StreamError(message=message):
                self._write(how_it_ended(message))
                self._end_line()
            case _:
                assert_never(event)

    def _write(self, text: str) -> None:
        if text:
            print(text if self._mid_line else f"助手> {text}", end="", flush=True)
            self._mid_line = True

    def _end_line(self) -> None:
        if self._mid_line:
            print()
        self._mid_line = False


def how_it_ended(message: AssistantMessage) -> str:
    """Return the mark behind an answer that needs one, otherwise an empty text."""
    match message.stop_reason:
        case "stop" | "tool_use":
            return "" if message_text(message) or tool_calls(message) else "（空回答）"
        case "length":
            return "（达到长度上限，没有说完）"
        case "refusal":
            return "（模型拒绝回答）"
        case "error":
            return f"（出错：{message.error_message}）"
        case "aborted":
            return "（已中止）"
        case _:
            assert_never(message.stop_reason)


def show_end(end: AgentEnd, *, after_tools: bool) -> None:
    """Print why the run ended, unless the end of the last answer says so already."""
    match end.reason:
        case "completed" | "refused" | "error":
            pass
        case "aborted":
            if after_tools:
                print("（已中止）")
        case "turn_limit":
            print(f"（停下：{end.detail} 轮已经用完，事情还没做完）")
        case "stopped":
            print(f"（停下：{end.detail}）")
        case _:
            assert_never(end.reason)

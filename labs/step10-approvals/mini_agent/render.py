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
from .messages import (
    AssistantMessage,
    ToolCall,
    ToolResultMessage,
    message_text,
    tool_calls,
)
from .stream import (
    Notice,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    ToolCallEnd,
    ToolCallStart,
)
from .text import escape_controls
from .tool_lines import show_call, show_result

ANSWER, THINKING = "助手> ", "思考> "
DIM, NORMAL = "\x1b[2m", "\x1b[22m"
"""Faint, and no longer so (ECMA-48, SGR). The only controls that this program sends itself."""


def warn(text: str) -> None:
    """Tell the user something that is no part of the conversation."""
    print(escape_controls(text), file=sys.stderr)


async def render_run(
    run: AsyncGenerator[AgentEvent, None],
    *,
    notify: Callable[[str], None] = warn,
    typewriter: "Typewriter | None" = None,
) -> AgentEnd:
    """Print what the agent does as it happens, and return how the run ended.

    Notices go to `notify`; a `typewriter` has its own. The run is closed in any case, also
    when the screen goes away in the middle (`| head -1`): model and tools then stop working.

    Raises:
        RuntimeError: the run ended without `AgentEnd`.
    """
    typewriter = typewriter or Typewriter(notify)
    after_tools = False
    async with aclosing(run):
        async for event in run:
            match event:
                case AgentStart() | TurnStart() | MessageStart() | MessageEnd():
                    pass
                case ToolExecutionStart(call=call):
                    typewriter.show_call(call)
                case ToolExecutionEnd(result=result, blocked=blocked):
                    typewriter.show_result(result, blocked=blocked)
                case TurnEnd(results=results):
                    after_tools = bool(results)
                case AgentEnd():
                    show_end(event, after_tools=after_tools)
                    return event
                case _:
                    typewriter.show(event)
    raise RuntimeError("the run ended without `AgentEnd`")


class Typewriter:
    """Prints the events of an answer, and knows behind which text the cursor stands."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._line = ""
        """How the line begins on which the cursor stands. Empty: it is a new one."""

    def show(self, event: StreamEvent) -> None:
        """Print what `event` says, at once."""
        match event:
            case StreamStart() | ToolCallStart() | ToolCallEnd():
                pass
            case TextDelta(text=text):
                self._write(ANSWER, escape_controls(text))
            case ThinkingDelta(text=text):
                if sys.stdout.isatty():  # for a person who waits; no part of the answer
                    self._write(THINKING, f"{DIM}{escape_controls(text)}{NORMAL}")
            case Notice(text=text):
                self._end_line()
                self._notify(escape_controls(text))
            case StreamDone(message=message) | StreamError(message=message):
                self._write(ANSWER, escape_controls(how_it_ended(message)))
                self._end_line()
            case _:
                assert_never(event)

    def show_call(self, call: ToolCall) -> None:
        """Print which tool is called, and with what."""
        show_call(call)

    def show_result(self, result: ToolResultMessage, *, blocked: bool) -> None:
        """Print what a tool has brought back."""
        show_result(result, blocked=blocked)

    def _write(self, beginning: str, text: str) -> None:
        if not text:
            return
        if self._line != beginning:
            self._end_line()
            self._line = beginning
            text = beginning + text
        print(text, end="", flush=True)

    def _end_line(self) -> None:
        if self._line:
            print()
        self._line = ""


def how_it_ended(message: AssistantMessage) -> str:
    """Return the mark behind an answer that needs one, otherwise an empty text."""
    match message.stop_reason:
        case "stop" | "tool_use":
            return "" if message_text(message).strip() or tool_calls(message) else "（空回答）"
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
        case "completed" | "empty" | "refused" | "error":
            pass
        case "truncated":
            if after_tools:
                print(f"（停下：一连 {end.detail} 次回答都达到了长度上限）")
        case "aborted":
            if after_tools:
                print("（已中止）")
        case "turn_limit":
            print(f"（停下：{end.detail} 轮已经用完，事情还没做完）")
        case "stopped":
            print(f"（停下：{end.detail}）")
        case _:
            assert_never(end.reason)

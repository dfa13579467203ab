"""What a model thought: kept, streamed and shown to whoever waits, and no part of the answer."""

import os
import subprocess
import sys

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.messages import TextContent, ThinkingContent, message_text
from mini_agent.playback import play
from mini_agent.stream import StreamDone, StreamError, TextDelta, ThinkingDelta

from tests.steps.step04.support import call, says

THOUGHT = ThinkingContent(
    text="先查一查再说", payload={"signature": "c2ln"}, provider="anthropic", model="claude"
)

PROGRAM = r"""
import anyio
from mini_agent.agent_loop import run_agent_loop
from mini_agent.console import console
from mini_agent.execution import NO_TOOLS
from mini_agent.messages import AssistantMessage, Context, TextContent, ThinkingContent, user_text
from mini_agent.render import render_run
from mini_agent.scripted_model import create_scripted_model

thought = ThinkingContent(text="先查一查\x1b[2J")
answer = AssistantMessage(content=(thought, TextContent(text="好")))
context = Context(messages=[user_text("开始")])
model = create_scripted_model([answer])

async def main():
    await render_run(run_agent_loop(context, model=model, tools=NO_TOOLS, max_turns=2))

with console():
    anyio.run(main)
"""


def test_it_is_no_part_of_the_text() -> None:
    assert message_text(says(THOUGHT, "好", THOUGHT, "的")) == "好的"


async def test_it_streams_in_pieces_of_its_own() -> None:
    message = says(THOUGHT, "看一看", call("t1"), THOUGHT)
    events = [event async for event in play(message, signal=AbortSignal())]
    told = [event for event in events if isinstance(event, ThinkingDelta | TextDelta)]
    assert told == [
        ThinkingDelta(text="先查一"),
        ThinkingDelta(text="查再说"),
        TextDelta(text="看一看"),
        ThinkingDelta(text="先查一"),
        ThinkingDelta(text="查再说"),
    ]
    assert events[-1] == StreamDone(message=message)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (2, (ThinkingContent(text="先查一"),)),
        (3, (ThinkingContent(text="先查一查再说"),)),
        (4, (ThinkingContent(text="先查一查再说"), TextContent(text="好"))),
    ],
)
async def test_an_abort_keeps_what_was_thought_and_nothing_to_send_back(
    sent: int, kept: tuple[object, ...]
) -> None:
    signal = AbortSignal()
    events = []
    async for event in play(says(THOUGHT, "好"), signal=signal):
        events.append(event)
        if len(events) == sent:
            signal.abort()
    last = events[-1]
    assert isinstance(last, StreamError)
    assert last.message.content == kept


def test_a_pipe_gets_the_answer_and_nothing_else() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True)
    assert done.stdout.decode() == "助手> 好\n"


def test_a_terminal_shows_it_dimmed() -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.DEVNULL, stdout=theirs
    ) as process:
        os.close(theirs)
        shown = read_all(ours)
    os.close(ours)
    assert process.returncode == 0
    first, second = shown.splitlines()
    assert first.replace("\x1b[22m\x1b[2m", "") == "思考> \x1b[2m先查一查␛[2J\x1b[22m"
    assert second == "助手> 好"


def read_all(terminal: int) -> str:
    data = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # that is how Linux tells the end of a terminal
            return data.decode()
        if not piece:
            return data.decode()
        data += piece

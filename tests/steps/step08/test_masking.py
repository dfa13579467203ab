"""A key that is known shows in no text, whatever comes in between and however it comes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

import pytest
from mini_agent.abort import AbortSignal
from mini_agent.execution import Toolset
from mini_agent.messages import (
    AssistantMessage,
    ContentBlock,
    TextContent,
    ThinkingContent,
    ToolCall,
    message_text,
)
from mini_agent.providers.masking import MASK, KeyMask, hide_in_results, hide_in_stream
from mini_agent.providers.settings import Layer, known_keys, settings_of
from mini_agent.results import ToolError, ToolOutput
from mini_agent.stream import StreamDone, StreamEvent, StreamStart, TextDelta, ThinkingDelta

from .calls import KEY

OTHER = "sk-test-OTHER456"
MASKED = KeyMask([KEY, OTHER, "ollama", ""])

IN_BETWEEN = ["\u200b", "\n", "\x1b", " \t", "\u202e", "\ufeff\xad", "\u3000"]


@pytest.mark.parametrize("between", IN_BETWEEN, ids=ascii)
def test_what_cannot_be_seen_hides_no_key(between: str) -> None:
    broken = between.join(KEY)
    assert MASKED.hide(f"a{between}{broken}{between}b") == f"a{between}{MASK}{between}b"


def test_other_text_stays_as_it_is() -> None:
    assert KeyMask(["ollama"]).hide("ollama") == "ollama"
    for text in (KEY[:-1], f"{KEY[:5]}密{KEY[5:]}", "sk-", "日志 s", f"sk-{KEY[4:]}", "ollama"):
        assert MASKED.hide(text) == text
    assert MASKED.hide(f"{KEY}{OTHER}sk-{KEY}") == f"{MASK}{MASK}sk-{MASK}"


def test_keys_are_hidden_wherever_they_stand() -> None:
    call = ToolCall(id="1", name="bash", arguments={KEY: [f"echo {KEY}", 3, None]})
    assert KEY not in repr(MASKED.hide_in(call))
    message = AssistantMessage(content=(call,), stop_reason="error", error_message=KEY)
    assert KEY not in repr(MASKED.hide_in(message))


def test_all_keys_of_all_places_are_known() -> None:
    """Also one that another place outdoes: a tool may read it there."""
    weak = Layer(name="x", values={"OPENAI_API_KEY": OTHER, "ANTHROPIC_API_KEY": f" {KEY} "})
    assert {KEY, OTHER} <= known_keys(settings_of({"OPENAI_API_KEY": "k"}, [weak]))


async def passed(events: Sequence[StreamEvent]) -> list[StreamEvent]:
    async def stream() -> AsyncGenerator[StreamEvent, None]:
        for event in events:
            yield event

    async with aclosing(hide_in_stream(stream(), MASKED)) as hidden:
        return [event async for event in hidden]


SAID = f"s {KEY}sk-test, {OTHER} skip"


@pytest.mark.parametrize("size", range(1, len(SAID)))
async def test_pieces_tell_what_the_whole_does(size: int) -> None:
    pieces = [SAID[start : start + size] for start in range(0, len(SAID), size)]
    message = AssistantMessage(content=(TextContent(text=SAID),))
    events = await passed([*(TextDelta(text=text) for text in pieces), StreamDone(message=message)])
    *deltas, done = events
    told = [delta.text for delta in deltas if isinstance(delta, TextDelta)]
    assert isinstance(done, StreamDone)
    assert "".join(told) == message_text(done.message) == MASKED.hide(SAID)
    assert "" not in told


def text(said: str) -> TextContent:
    return TextContent(text=said)


def thinking(said: str) -> ThinkingContent:
    return ThinkingContent(text=said, payload={"signature": "x"})


BLOCKS: dict[str, tuple[ContentBlock, ...]] = {
    "texts": (text(KEY[:3]), text(KEY[3:9]), text(f"{KEY[9:]}!")),
    "thoughts": (thinking(KEY[:3]), thinking(KEY[3:]), text("ok")),
    "one-each": (thinking(KEY), text(KEY)),
}


@pytest.mark.parametrize("name", BLOCKS)
async def test_a_key_over_several_blocks(name: str) -> None:
    deltas = [
        TextDelta(text=block.text)
        if isinstance(block, TextContent)
        else ThinkingDelta(text=block.text)
        for block in BLOCKS[name]
        if not isinstance(block, ToolCall)
    ]
    done = StreamDone(message=AssistantMessage(content=BLOCKS[name]))
    events = await passed([StreamStart(), *deltas, done])
    told = "".join(e.text for e in events if isinstance(e, TextDelta | ThinkingDelta))
    last = events[-1]
    assert isinstance(last, StreamDone)
    kept = [block for block in last.message.content if not isinstance(block, ToolCall)]
    assert "".join(block.text for block in kept) == told
    assert KEY not in told
    assert MASK in told


def test_a_thought_without_a_key_is_not_touched() -> None:
    """The provider wants it back as it was: its signature would not fit any more."""
    content = (thinking("it works"), thinking(" k-"), text("s"))
    message = AssistantMessage(content=content)
    assert MASKED.hide_in(message).content == content


Outcome = Callable[[], ToolOutput | str | None]


def fails(error: BaseException) -> Outcome:
    def fail() -> str:
        raise error

    return fail


OUTCOMES: dict[str, Outcome] = {
    "text": lambda: f"a {KEY}",
    "details": lambda: ToolOutput(text=KEY, details=f"+{KEY}"),
    "told": fails(ToolError(f"no {KEY}")),
    "failed": fails(ValueError(KEY)),
    "group": fails(ExceptionGroup("", [OSError(2, KEY)])),
}


@pytest.mark.parametrize("name", OUTCOMES)
async def test_no_result_shows_one(name: str) -> None:
    progress: list[str] = []

    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> ToolOutput | str | None:
        on_update(f"at {KEY}")
        return OUTCOMES[name]()

    tools = hide_in_results(Toolset(execute=execute), MASKED)
    call = ToolCall(id="1", name="x")
    try:
        came = repr(await tools.execute(call, signal=AbortSignal(), on_update=progress.append))
    except ToolError as error:
        came = str(error)
    assert KEY not in came
    assert MASK in came
    assert progress == [f"at {MASK}"]


async def test_another_error_leaves_as_it_came() -> None:
    async def execute(
        call: ToolCall, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        raise KeyError("x")

    tools = hide_in_results(Toolset(execute=execute), MASKED)
    with pytest.raises(KeyError):
        await tools.execute(ToolCall(id="1", name="x"), signal=AbortSignal(), on_update=print)

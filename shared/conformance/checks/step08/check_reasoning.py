"""What a model thinks is kept, and goes back to this very model; nobody else gets to see it."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Says
from conformance.support.provider import RealModel, Server, environment_for, serving
from conformance.support.subject import Subject
from conformance.support.wire import ANTHROPIC, OPENAI, Reply, Wire, as_chunks, as_events

pytestmark = read("reasoning")

SEAL = "c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg=="
"""What a provider wants to see again, letter by letter."""


@dataclass(frozen=True, kw_only=True)
class Thought:
    """An answer that begins with a thought, and ends with a call."""

    wire: Wire
    body: bytes
    shown: str
    """As much of it as is meant for people."""

    back: str
    """What the next request must hold of it."""


CALL = {"index": 0, "id": "t1", "function": {"name": "read", "arguments": "{}"}}
THOUGHTS = {
    "Anthropic": Thought(
        wire=ANTHROPIC,
        body=as_events(
            {"type": "content_block_start", "index": 0, "content_block": {
                "type": "thinking", "thinking": "", "signature": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {
                "type": "thinking_delta", "thinking": "先想"}},
            {"type": "content_block_delta", "index": 0, "delta": {
                "type": "signature_delta", "signature": SEAL}},
            {"type": "content_block_stop", "index": 0},
        ) + ANTHROPIC.call + ANTHROPIC.end,
        shown="先想",
        back=SEAL,
    ),
    "Anthropic, hidden": Thought(
        wire=ANTHROPIC,
        body=as_events(
            {"type": "content_block_start", "index": 0, "content_block": {
                "type": "redacted_thinking", "data": SEAL}},
            {"type": "content_block_stop", "index": 0},
        ) + ANTHROPIC.call + ANTHROPIC.end,
        shown="",
        back=SEAL,
    ),
    "DeepSeek": Thought(
        wire=OPENAI,
        body=as_chunks({"reasoning_content": "先"}, {"reasoning_content": "想"}) + OPENAI.call
        + OPENAI.end,
        shown="先想",
        back='"reasoning_content": "先想"',
    ),
    "vLLM": Thought(
        wire=OPENAI,
        body=as_chunks({"reasoning": "先想"}) + OPENAI.call + OPENAI.end,
        shown="先想",
        back='"reasoning": "先想"',
    ),
    "Gemini": Thought(
        wire=OPENAI,
        body=as_chunks({"tool_calls": [
            {**CALL, "extra_content": {"google": {"thought_signature": SEAL}}}]}) + OPENAI.end,
        shown="",
        back=SEAL,
    ),
}  # fmt: skip
"""By who sends it so."""

EFFORTS: dict[str, tuple[Wire, str, dict[str, Any]]] = {
    "anthropic none": (ANTHROPIC, "none", {"thinking": {"type": "disabled"}}),
    "anthropic low": (ANTHROPIC, "low", {"output_config": {"effort": "low"}}),
    "openai none": (OPENAI, "none", {"reasoning_effort": "none"}),
    "openai high": (OPENAI, "high", {"reasoning_effort": "high"}),
}


@pytest.fixture(params=THOUGHTS)
def thought(request: pytest.FixtureRequest) -> Thought:
    """Look at all of them."""
    return THOUGHTS[request.param]


def model_at(subject: Subject, wire: Wire, server: Server, **more: str) -> RealModel:
    """Return a model at `server`; `more` are further variables."""
    environment = environment_for(wire, server) | {"MINI_AGENT_MODEL": f"{wire.name}/m1"} | more
    return RealModel(subject, environment)


async def test_thought_is_kept(subject: Subject, thought: Thought) -> None:
    """A thought is a block of its own in the message, told in pieces, and no part of the text."""
    with serving(Reply(body=thought.body)) as server:
        heard = await model_at(subject, thought.wire, server).ask()
    kinds = [block.type for block in heard.message.content]
    heard.holds(
        kinds == ["thinking", "tool_call"]
        and heard.message.content[0].text == heard.trace.thinking == thought.shown
        and heard.trace.text == "",
        wanted=f"a block `thinking` with {thought.shown!r}, then the call; and no text",
    )


async def test_thought_goes_back(subject: Subject, thought: Thought) -> None:
    """The next request brings the thought back to the model that had it, and to no other one."""
    with serving(Reply(body=thought.body), *[Reply(body=thought.wire.text)] * 2) as server:
        mine = model_at(subject, thought.wire, server)
        first = await mine.ask()
        history = history_with(subject, first.message)
        second = await mine.ask(before=history)
        other = f"{thought.wire.name}/m2"
        await model_at(subject, thought.wire, server, MINI_AGENT_MODEL=other).ask(before=history)
    sent = [json.dumps(request.body, ensure_ascii=False) for request in server.requests]
    second.holds(
        thought.back in sent[1] and thought.back not in sent[2],
        came=f"to the same model: {sent[1]}\nto another one: {sent[2]}",
        wanted=f"{thought.back} in the request to the same model, and not in the other",
    )


async def test_foreign_thought(subject: Subject, thought: Thought) -> None:
    """What a model of the other provider has thought is left out, and the request is a good one."""
    other = ANTHROPIC if thought.wire is OPENAI else OPENAI
    with serving(Reply(body=thought.body), Reply(body=other.text + other.stop)) as server:
        first = await model_at(subject, thought.wire, server).ask()
        heard = await model_at(subject, other, server).ask(
            before=history_with(subject, first.message)
        )
    sent = json.dumps(server.requests[1].body, ensure_ascii=False)
    heard.holds(
        thought.back not in sent and "先想" not in sent,
        came=sent,
        wanted="a request without the thought",
    )


@pytest.mark.parametrize("name", EFFORTS)
async def test_effort(subject: Subject, name: str) -> None:
    """`MINI_AGENT_EFFORT` is what the model is asked for; without it the request says nothing."""
    wire, effort, wanted = EFFORTS[name]
    with serving(*[Reply(body=wire.text + wire.stop)] * 2) as server:
        heard = await model_at(subject, wire, server, MINI_AGENT_EFFORT=effort).ask()
        await model_at(subject, wire, server).ask()
    asked, plain = (request.body for request in server.requests)
    heard.holds(
        all(asked.get(key) == value for key, value in wanted.items())
        and not {"thinking", "output_config", "reasoning_effort"} & set(plain),
        came=f"{asked}\nand without it {plain}",
        wanted=f"{wanted} in the first body, and nothing of the kind in the second",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MINI_AGENT_EFFORT", "very high"),
        ("MINI_AGENT_MAX_TOKENS", "many"),
        ("MINI_AGENT_MAX_TOKENS", "0"),
        ("MINI_AGENT_TEMPERATURE", "-1"),
        ("MINI_AGENT_TEMPERATURE", "nan"),
        ("MINI_AGENT_TIMEOUT", "soon"),
    ],
)
def test_bad_number(subject: Subject, name: str, value: str) -> None:
    """A setting that cannot be is refused by its name, before anything is sent."""
    environment = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", name: value}
    try:
        RealModel(subject, environment)
        came = "a model"
    except subject.get("providers.settings.BadSetting") as error:
        came = str(error)
    judge.holds(
        name in came,
        called=f"create_model of an environment with {name}={value}",
        came=came,
        wanted=f"BadSetting that names {name}",
    )


def history_with(subject: Subject, message: Any) -> list[Any]:
    """Return a conversation in which `message` was answered by its tool."""
    text = subject.get("messages.TextContent")(text="好")
    results = [
        subject.get("messages.ToolResultMessage")(
            tool_call_id=block.id, tool_name=block.name, content=(text,)
        )
        for block in message.content
        if block.type == "tool_call"
    ]
    return [subject.get("messages.user_text")("待办"), message, *results, Says("好").of(subject)]

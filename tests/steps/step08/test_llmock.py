"""A server that no one here has written: llmock, on both wires, in a process of its own."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest
from mini_agent.messages import Context, message_text, tool_calls, user_text
from mini_agent.providers.retry import Timeouts
from mini_agent.stream import StreamFn

from .calls import collect, last, model_at, notices
from .contexts import READ, result
from .stub import unused_port
from .wires import ProviderName

BASES: dict[ProviderName, str] = {"anthropic": "/anthropic", "openai": "/v1"}
both = pytest.mark.parametrize("provider", BASES)
READY = b"Uvicorn running on"


class LLMock:
    """The server: what it shall do next, and what it has to say about us."""

    def __init__(self, root: str) -> None:
        self._root = root

    def model(self, provider: ProviderName) -> StreamFn:
        """Return the model behind it. It waits as long as it is told to."""
        return model_at(provider, self._root + BASES[provider], Timeouts(idle=1.0))

    def play(self, *behaviors: dict[str, object]) -> None:
        """Forget what was, and do this next."""
        self._post("/_llmock/reset", {})
        self._post("/_llmock/scenario", {"behaviors": behaviors})

    def findings(self) -> list[str]:
        """Return the names of our faults."""
        with urllib.request.urlopen(f"{self._root}/_llmock/verdict", timeout=10) as response:
            return [finding["code"] for finding in json.load(response)["findings"]]

    def _post(self, path: str, body: object) -> None:
        data = json.dumps(body).encode()
        urllib.request.urlopen(self._root + path, data=data, timeout=10).close()


@pytest.fixture(scope="module")
def server() -> Iterator[LLMock]:
    port = unused_port()
    command = [
        sys.executable,
        "-c",
        "from llmock.cli import app; app()",
        "serve",
        "--port",
        str(port),
    ]
    quiet = {name: value for name, value in os.environ.items() if "LLMOCK" not in name}
    with subprocess.Popen(
        command, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert any(READY in line for line in process.stderr)
        yield LLMock(f"http://127.0.0.1:{port}")
        process.kill()


@both
async def test_an_answer(server: LLMock, provider: ProviderName) -> None:
    server.play({"type": "reply", "text": "你好，我在。🎉"})
    message = last(await collect(server.model(provider)))
    assert (message_text(message), message.stop_reason) == ("你好，我在。🎉", "stop")
    assert message.usage is not None
    assert message.usage.output_tokens > 0
    assert server.findings() == []


@both
async def test_a_tool_conversation(server: LLMock, provider: ProviderName) -> None:
    call = {"name": "read", "arguments": {"path": "甲.txt", "limit": 3}}
    server.play({"type": "reply", "tool_calls": [call]}, {"type": "reply", "text": "读完了"})
    context = Context(system_prompt="你是助手。", messages=[user_text("读一下")], tools=(READ,))
    asked = last(await collect(server.model(provider), context))
    (wanted,) = tool_calls(asked)
    assert (wanted.name, wanted.arguments) == ("read", {"path": "甲.txt", "limit": 3})
    assert asked.stop_reason == "tool_use"

    context.messages += [asked, result(wanted.id, "三行")]
    assert message_text(last(await collect(server.model(provider), context))) == "读完了"
    assert server.findings() == []


FAULTS = {
    "disconnect": {"type": "stream_fault", "kind": "disconnect", "after_chunks": 4},
    "truncate": {"type": "stream_fault", "kind": "truncate", "after_chunks": 4},
    "malformed": {"type": "stream_fault", "kind": "malformed", "after_chunks": 4},
    "stall": {"type": "stream_fault", "kind": "stall", "after_chunks": 4, "stall_seconds": 5},
}


@pytest.mark.parametrize("fault", FAULTS)
@both
async def test_a_broken_stream(server: LLMock, provider: ProviderName, fault: str) -> None:
    server.play({"type": "reply", "text": "一二三四五六七八九十" * 9}, FAULTS[fault])
    message = last(await collect(server.model(provider)))
    only_lacks_its_marker = (provider, fault) == ("openai", "truncate")
    assert message.stop_reason == ("stop" if only_lacks_its_marker else "error")
    assert message_text(message) != ""


@both
async def test_busy_at_first(server: LLMock, provider: ProviderName) -> None:
    server.play(
        {"type": "fail", "status": 429, "retry_after": 0.3},
        {"type": "reply", "text": "好了"},
    )
    events = await collect(server.model(provider))
    assert message_text(last(events)) == "好了"
    assert len(notices(events)) == 1
    assert server.findings() == []


@pytest.mark.parametrize("status", [400, 401, 404])
@both
async def test_refused(server: LLMock, provider: ProviderName, status: int) -> None:
    server.play({"type": "fail", "status": status, "times": None})
    message = last(await collect(server.model(provider)))
    assert f"（{status}）" in (message.error_message or "")
    assert server.findings() == []


@both
async def test_a_prompt_that_is_too_long(server: LLMock, provider: ProviderName) -> None:
    said = "This model's maximum context length was exceeded."
    code = "context_length_exceeded"
    server.play({"type": "fail", "status": 400, "code": code, "message": said})
    message = last(await collect(server.model(provider)))
    assert "对话太长" in (message.error_message or "")
    assert server.findings() == []


@both
async def test_broken_arguments(server: LLMock, provider: ProviderName) -> None:
    server.play({"type": "tool_fault", "kind": "malformed_arguments"})
    context = Context(messages=[user_text("读一下")], tools=(READ,))
    (call,) = tool_calls(last(await collect(server.model(provider), context)))
    assert call.malformed is not None
    assert call.arguments == {}

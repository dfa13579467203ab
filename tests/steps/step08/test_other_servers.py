"""Servers that are not always there: aimock (npm), and any OpenAI-compatible one by its address.

npm install @copilotkit/aimock
MINI_AGENT_AIMOCK=node_modules/.bin/llmock
MINI_AGENT_SERVER=http://localhost:11434/v1  MINI_AGENT_SERVER_MODEL=qwen3:0.6b
"""

import json
import os
import subprocess
from collections.abc import Iterator

import pytest
from mini_agent.messages import Context, message_text, tool_calls, user_text
from mini_agent.providers.create import create_model

from .calls import collect, last, model_at
from .contexts import READ, result
from .stub import unused_port
from .wires import ProviderName

AIMOCK = os.environ.get("MINI_AGENT_AIMOCK")
SERVER = os.environ.get("MINI_AGENT_SERVER")
BASES: dict[ProviderName, str] = {"anthropic": "", "openai": "/v1"}

ANSWER = "你好🎉，世界。"
FIXTURES = {
    "fixtures": [
        {
            "match": {"userMessage": "读一下", "hasToolResult": False},
            "response": {
                "content": "我来读",
                "toolCalls": [
                    {"id": "call_1", "name": "read", "arguments": {"path": "甲🎉.txt", "limit": 3}}
                ],
            },
        },
        {"match": {"toolCallId": "call_1"}, "response": {"content": "读完了"}},
        {"match": {"userMessage": "你好"}, "response": {"content": ANSWER}},
    ]
}


@pytest.fixture(scope="module")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    fixtures = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    fixtures.write_text(json.dumps(FIXTURES), encoding="utf-8")
    port = unused_port()
    with subprocess.Popen(
        [AIMOCK or "", "--port", str(port), "--fixtures", str(fixtures), "--chunk-size", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdout is not None
        assert any(str(port).encode() in line for line in process.stdout)
        yield f"http://127.0.0.1:{port}"
        process.kill()


@pytest.mark.skipif(AIMOCK is None, reason="MINI_AGENT_AIMOCK names no program")
@pytest.mark.parametrize("provider", BASES)
async def test_aimock(aimock: str, provider: ProviderName) -> None:
    model = model_at(provider, aimock + BASES[provider])
    assert message_text(last(await collect(model))) == ANSWER

    context = Context(messages=[user_text("读一下")], tools=(READ,))
    asked = last(await collect(model, context))
    (call,) = tool_calls(asked)
    assert (message_text(asked), call.name) == ("我来读", "read")
    assert call.arguments == {"path": "甲🎉.txt", "limit": 3}
    context.messages += [asked, result(call.id, "三行")]
    assert message_text(last(await collect(model, context))) == "读完了"


@pytest.mark.skipif(SERVER is None, reason="MINI_AGENT_SERVER names no server")
async def test_a_server_by_its_address() -> None:
    name = os.environ["MINI_AGENT_SERVER_MODEL"]
    environment = {"OPENAI_BASE_URL": SERVER or "", "MINI_AGENT_MODEL": f"openai/{name}"}
    if key := os.environ.get("MINI_AGENT_SERVER_KEY"):
        environment["OPENAI_API_KEY"] = key
    _, model = create_model(environment)
    context = Context(
        system_prompt="Answer in one short sentence.",
        messages=[user_text("Say hello.")],
        tools=(READ,),
    )
    message = last(await collect(model, context))
    assert message.stop_reason in ("stop", "tool_use", "length")
    assert message.content != ()

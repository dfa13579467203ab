"""The server of the demo: recorded answers in order, and not one more."""

import pytest
from mini_agent.messages import message_text, tool_calls
from mini_agent.recorded_wire import recorded_wire

from .calls import collect, last, model_at
from .wires import ProviderName


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_recorded_answers(provider: ProviderName) -> None:
    with recorded_wire([f"{provider}-call.sse", f"{provider}-answer.sse"]) as address:
        model = model_at(provider, address)
        asked, answered, refused = [last(await collect(model)) for _ in range(3)]
    assert (message_text(asked), asked.stop_reason) == ("我先看看待办。", "tool_use")
    assert [call.arguments for call in tool_calls(asked)] == [{"path": "todo.txt"}]
    assert (message_text(answered), answered.stop_reason) == (
        "一共三件：买菜、写周报、还书。",
        "stop",
    )
    assert "（404）" in (refused.error_message or "")

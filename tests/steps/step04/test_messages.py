"""Messages reach a disk one day: what is written can be read, and nothing else can."""

import pytest
from mini_agent.messages import Message, ToolCall, ToolResultMessage, user_text
from pydantic import TypeAdapter, ValidationError

from tests.steps.step04.support import call, says

MESSAGE: TypeAdapter[Message] = TypeAdapter(Message)


@pytest.mark.parametrize(
    "message",
    [
        user_text("你好"),
        says("看看", call("t1", city="北京", days=[1, 2], deep={"a": None})),
        says(ToolCall(id="t1", name="read", malformed="[1")),
        ToolResultMessage(tool_call_id="t1", tool_name="read", content=(), details="x"),
    ],
    ids=lambda message: message.role,
)
def test_what_is_written_can_be_read(message: Message) -> None:
    assert MESSAGE.validate_json(message.model_dump_json()) == message


@pytest.mark.parametrize(
    "line",
    [
        '{"role": "user", "content": [{"type": "tool_call", "id": "t1", "name": "read"}]}',
        '{"role": "assistant", "content": [{"type": "tool_call", "id": "t1", "arguments": {}}]}',
        '{"role": "assistant", "content": [], "stop_reason": "tired"}',
        '{"role": "assistant", "content": [{"type": "image"}]}',
        '{"role": "tool_result", "content": []}',
    ],
)
def test_what_is_no_message_is_refused(line: str) -> None:
    with pytest.raises(ValidationError):
        MESSAGE.validate_json(line)

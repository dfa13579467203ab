"""Conversations to send: everything that has a place of its own on the wires."""

from mini_agent.messages import (
    AssistantMessage,
    ContentBlock,
    Context,
    StopReason,
    TextContent,
    ToolCall,
    ToolResultMessage,
    ToolSpec,
    UserMessage,
    user_text,
)

READ = ToolSpec(
    name="read",
    description="读一个文件",
    parameters={
        "type": "object",
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    },
)


def result(call_id: str, *texts: str, is_error: bool = False) -> ToolResultMessage:
    content = tuple(TextContent(text=text) for text in texts)
    return ToolResultMessage(
        tool_call_id=call_id, tool_name="read", content=content, is_error=is_error, details="细节"
    )


def said(
    *texts: str, calls: tuple[ToolCall, ...] = (), reason: StopReason = "stop"
) -> AssistantMessage:
    content: tuple[ContentBlock, ...] = (*(TextContent(text=text) for text in texts), *calls)
    return AssistantMessage(content=content, stop_reason=reason)


def call(call_id: str, name: str = "read", **arguments: str) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments={**arguments})


CONTEXTS = {
    "one-line": Context(messages=[user_text("你好")]),
    "system-prompt-and-tools": Context(
        system_prompt="你是助手。", messages=[user_text("读一下")], tools=(READ,)
    ),
    "tool-conversation": Context(
        messages=[
            user_text("读 a 和 b"),
            said(
                "我来读", calls=(call("t1", path="甲.txt"), call("t2", path="b")), reason="tool_use"
            ),
            result("t1", "第一行\n", "第二行"),
            result("t2", "没有这个文件", is_error=True),
            user_text("算了"),
            said("好的"),
            user_text("再见"),
        ],
        tools=(READ,),
    ),
    "call-without-text": Context(
        messages=[user_text("几点"), said(calls=(call("t1", "now"),)), result("t1", "三点")]
    ),
    "blank-content": Context(
        system_prompt="",
        messages=[
            UserMessage(content=()),
            user_text(" \n"),
            user_text("一"),
            said(reason="aborted"),
            said("", "  ", reason="error"),
            user_text("二"),
            said("", "好", calls=(call("t1"),)),
            result("t1"),
            result("t2", " ", is_error=True),
        ],
    ),
    "names-from-elsewhere": Context(
        messages=[
            user_text("读"),
            said(
                calls=(
                    call("call:1/甲"),
                    call("call:1/乙"),
                    call("x" * 80),
                    call("", "functions.读"),
                    call("t5", ""),
                )
            ),
            result("call:1/甲", "一"),
            result("call:1/乙", "二"),
            result("x" * 80, "三"),
            result("", "四"),
            result("t5", "五"),
        ]
    ),
    "malformed-arguments": Context(
        messages=[
            user_text("读"),
            said(calls=(ToolCall(id="t1", name="read", malformed='{"path":'),)),
            result("t1", "参数不是 JSON", is_error=True),
        ]
    ),
    "refusal-and-length": Context(
        messages=[
            user_text("一"),
            said("不行", reason="refusal"),
            user_text("二"),
            said("没说完", reason="length"),
            user_text("三"),
        ]
    ),
}

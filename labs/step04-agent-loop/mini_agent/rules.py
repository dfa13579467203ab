"""The script of the fake model, the same for both entries.

A tool result is a last message too, so a rule can answer it, and rules chain.
"""

from .fake_model import FakeRule
from .messages import ToolCall

WATCH = ToolCall(id="watch", name="weather", arguments={"city": "广州"})

RULES = (
    FakeRule(match="你好", reply="你好！我是 FakeModel，一个按剧本回复的假模型。"),
    FakeRule(
        match="Agent Harness",
        reply="Agent Harness 是驱动 Agent 运行的框架：管理消息、调用模型、执行工具。",
    ),
    FakeRule(match="断线", reply="我先想一想，", error="连接断开了"),
    FakeRule(match="数到一百", reply="、".join(str(number) for number in range(1, 101)) + "。"),
    # What tools bring back. These stand first: a result may hold the words of a question.
    FakeRule(match="上海：", reply="北京是晴天；上海有雨，去的话请带伞。"),
    FakeRule(match="北京：", reply="北京今天晴，25 度。"),
    FakeRule(match="广州：", calls=(WATCH,)),
    FakeRule(match="没有名为", reply="我没有翻译工具，就自己来：Good morning。"),
    FakeRule(match="第 2 条", reply="两件事都记下了。"),
    FakeRule(match="等了", reply="时间到。"),
    # What users ask.
    FakeRule(
        match="北京和上海",
        reply="我两边一起查。",
        calls=(
            ToolCall(id="beijing", name="weather", arguments={"city": "北京"}),
            ToolCall(id="shanghai", name="weather", arguments={"city": "上海"}),
        ),
    ),
    FakeRule(
        match="北京",
        calls=(ToolCall(id="beijing", name="weather", arguments={"city": "北京"}),),
    ),
    FakeRule(match="一直盯着", calls=(WATCH,)),
    FakeRule(
        match="翻译",
        calls=(ToolCall(id="translate", name="translate", arguments={"text": "早上好"}),),
    ),
    FakeRule(
        match="记两件事",
        calls=(
            ToolCall(id="first", name="note", arguments={"text": "买菜"}),
            ToolCall(id="second", name="note", arguments={"text": "做饭"}),
        ),
    ),
    FakeRule(match="等十秒", calls=(ToolCall(id="wait", name="wait", arguments={"seconds": 10}),)),
    FakeRule(reply="这句话没有命中任何规则，我只能用兜底回复了。"),
)

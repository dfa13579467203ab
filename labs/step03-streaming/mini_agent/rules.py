"""The script of the fake model, the same for both entries."""

from .fake_model import FakeRule

RULES = (
    FakeRule(match="你好", reply="你好！我是 FakeModel，一个按剧本回复的假模型。"),
    FakeRule(
        match="Agent Harness",
        reply="Agent Harness 是驱动 Agent 运行的框架：管理消息、调用模型、执行工具。",
    ),
    FakeRule(match="断线", reply="我先想一想，", error="连接断开了"),
    FakeRule(match="数到一百", reply="、".join(str(number) for number in range(1, 101)) + "。"),
    FakeRule(reply="这句话没有命中任何规则，我只能用兜底回复了。"),
)

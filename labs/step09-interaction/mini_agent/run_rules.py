"""The script of the fake model for a run that asks, waits, and is steered.

When a run goes on, the last message is a briefing: what has just happened stands in front.
"""

from collections.abc import Sequence

from pydantic import JsonValue

from .fake_model import FakeRule
from .messages import ToolCall

QUESTION = "待办的负责人写谁？"


def _write_owner(call_id: str) -> ToolCall:
    arguments: dict[str, JsonValue] = {"path": "owner.txt", "content": "负责人：王芳\n"}
    return ToolCall(id=call_id, name="write", arguments=arguments)


def _ask(call_id: str, *, question: str, reason: str, decision: str) -> ToolCall:
    return ToolCall(
        id=call_id,
        name="request_user_input",
        arguments={
            "question": question,
            "reason": reason,
            "decision": decision,
            "changes": "implementation",
            "checked": ["look"],
        },
    )


def _plan(call_id: str, *, effects: Sequence[JsonValue] = ()) -> ToolCall:
    step: JsonValue = {
        "id": "sort",
        "title": "给待办排序",
        "acceptance": "待办按选定的方式排好",
        "status": "in_progress",
    }
    return ToolCall(
        id=call_id,
        name="update_plan",
        arguments={"reason": "目标变了", "steps": [step], "effects": list(effects)},
    )


RUN_RULES = (
    # What has just happened.
    FakeRule(match="用户批准了", calls=(_write_owner("write-owner"),)),
    FakeRule(match="用户拒绝了", reply="那就不写，到此为止。"),
    FakeRule(match="expired, no answer", reply="没有人回答，我不猜，到此为止。"),
    FakeRule(
        match="旧目标下已经发生的改动",
        reply="换了目标，先说清楚旧的改动怎么办。",
        calls=(_plan("settle", effects=[{"id": "write-owner", "decision": "keep"}]),),
    ),
    FakeRule(match="目标改成了", reply="换了目标，重新计划。", calls=(_plan("replan"),)),
    FakeRule(match="用户回答了", calls=(_write_owner("first-try"),)),
    FakeRule(match="程序中断过", reply="看过了，可以接着做。"),
    FakeRule(match="用户加了限制", reply="知道了，照这条限制做。"),
    # What tools bring back.
    FakeRule(match="没有问：", reply="那我自己决定。"),
    FakeRule(
        match="新建 owner.txt",
        calls=(
            _ask(
                "ask-notify",
                question="要通知王芳吗？",
                reason="通知会发出一封邮件，发出去就收不回来。",
                decision="是否通知",
            ),
        ),
    ),
    FakeRule(
        match="计划第 ",
        calls=(
            _ask(
                "ask-order",
                question="待办按什么排序？",
                reason="按日期还是按轻重，排出来不一样。",
                decision="排序方式",
            ),
        ),
    ),
    FakeRule(
        match="[什么也没有]",
        calls=(
            _ask(
                "ask-owner",
                question=QUESTION,
                reason="名字要写进 owner.txt，文件夹里查不到。",
                decision="负责人",
            ),
        ),
    ),
    FakeRule(match="负责人：", reply="文件里写着，不用问。"),
    # What users ask.
    FakeRule(
        match="加上负责人",
        reply="先查查有没有写过。",
        calls=(ToolCall(id="look", name="grep", arguments={"pattern": "负责人"}),),
    ),
)

"""What has just happened, in words for the model."""

from collections.abc import Sequence

from .user_input import UserSteering

INTERRUPTED = "程序中断过，现在接着做。没有结果的操作可能已经生效，先查明。"
EXPIRED = "{id}（{question}）：expired, no answer。到期没有人回答，什么也没有执行。"
APPROVED = "用户批准了 {id}。请原样再发一次那个调用；批准只管一次。"
DENIED = "用户拒绝了 {id}，没有执行。理由：{reason}"
CONSTRAINT = "用户加了限制：{text}。按它修订计划。"
GOAL = "用户把目标改成了：{text}。旧计划里没做完的作废，重新计划。"


def news_of(applied: Sequence[UserSteering]) -> str | None:
    """Return what the model is to know of it; None: there is nothing, or nothing more to do."""
    if not applied or any(steering.type == "cancel" for steering in applied):
        return None
    return "\n".join(
        (CONSTRAINT if steering.type == "constraint" else GOAL).format(text=steering.text)
        for steering in applied
    )

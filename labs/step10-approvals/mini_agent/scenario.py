"""The script of the fake model for runs that ask: what was answered is what is done.

When a run goes on, the last message says what has happened since (`runs/briefing.py`).
"""

import re
from collections.abc import Callable

from .fake_model import FakeRule
from .messages import JsonObject, ToolCall

OWNER = "待办的负责人写谁？"
NOTIFY = "要通知负责人吗？"


def after_answer(question: str, then: Callable[[str], FakeRule]) -> FakeRule:
    """Return the rule for the answer to `question`: `then` gets what the user said."""
    begins = f"用户回答了：{question}\n"
    until_next = re.compile(re.escape(begins) + r"(.*?)(?:\n\n|\Z)", re.DOTALL)

    def make(text: str) -> FakeRule:
        found = until_next.search(text)
        return then(found.group(1) if found else "")

    return FakeRule(match=begins, make=make)


def write_owner(name: str) -> FakeRule:
    """Return the rule that writes the owner down."""
    arguments: JsonObject = {"path": "owner.txt", "content": f"负责人：{name}\n"}
    return FakeRule(calls=(ToolCall(id="write-owner", name="write", arguments=arguments),))


def ask(call_id: str, **arguments: object) -> FakeRule:
    """Return the rule that asks the user."""
    whole: JsonObject = {**arguments, "changes": "implementation", "checked": ["look"]}
    return FakeRule(calls=(ToolCall(id=call_id, name="request_user_input", arguments=whole),))


def look(pattern: str) -> FakeRule:
    """Return the rule that looks before it asks."""
    call = ToolCall(id="look", name="grep", arguments={"pattern": pattern})
    return FakeRule(reply="先查查有没有写过。", calls=(call,))


def on(match: str, rule: FakeRule) -> FakeRule:
    """Return `rule` for messages with `match` in them."""
    return FakeRule(match=match, reply=rule.reply, calls=rule.calls)


TIDY = FakeRule(
    reply="三处改动，一起做。",
    calls=(
        ToolCall(
            id="tidy-todo",
            name="edit",
            arguments={
                "path": "todo.txt",
                "edits": [{"old_text": "买菜", "new_text": "买水果"}],
            },
        ),
        ToolCall(
            id="tidy-done",
            name="write",
            arguments={"path": "done.txt", "content": "已办：\n"},
        ),
        ToolCall(id="tidy-count", name="bash", arguments={"command": "wc -l < todo.txt"}),
    ),
)


RUN_RULES = (
    # What has just happened.
    FakeRule(match="批准是给另一个状态的", reply="文件变了，我先不动它。"),
    FakeRule(match="程序照记录执行了", reply="都做好了。"),
    FakeRule(match="用户拒绝了", reply="那就不做，到此为止。"),
    after_answer(OWNER, write_owner),
    after_answer(NOTIFY, lambda said: FakeRule(reply=f"好，{said}。负责人写在 owner.txt 里了。")),
    FakeRule(match="expired, no answer", reply="没有人回答，我不猜，到此为止。"),
    FakeRule(match="程序中断过", reply="看过了，可以接着做。"),
    FakeRule(match="上一次停在", reply="好，接着做。"),
    # What tools bring back.
    FakeRule(match="没有问：", reply="那我自己决定。"),
    on(
        "新建 owner.txt",
        ask(
            "ask-notify",
            question=NOTIFY,
            reason="通知会发出一封邮件，发出去就收不回来。",
            decision="是否通知",
            options=["通知", "不通知"],
        ),
    ),
    on(
        "[什么也没有]",
        ask(
            "ask-owner",
            question=OWNER,
            reason="名字要写进 owner.txt，文件夹里查不到。",
            decision="负责人",
        ),
    ),
    FakeRule(match="负责人：", reply="文件里写着，不用问。"),
    # What users ask.
    on("整理待办", TIDY),
    on("加上负责人", look("负责人")),
)

"""The script of the fake model for runs that ask: what was answered is what is done.

When a run goes on, the last message says what has happened since (`runs/briefing.py`).
"""

import re
from collections.abc import Callable, Sequence

from .fake_model import FakeRule
from .messages import JsonObject, ToolCall

OWNER = "待办的负责人写谁？"
NOTIFY = "要通知负责人吗？"
ORDER = "待办按什么排序？"
SETTLE = "逐个说明保留、撤销还是交给人："


def after_answer(question: str, then: Callable[[str], FakeRule]) -> FakeRule:
    """Return the rule for the answer to `question`: `then` gets what the user said."""
    begins = f"用户回答了：{question}\n"
    until_next = re.compile(re.escape(begins) + r"(.*?)(?:\n\n|\Z)", re.DOTALL)

    def make(text: str) -> FakeRule:
        found = until_next.search(text)
        return then(found.group(1) if found else "")

    return FakeRule(match=begins, make=make)


def plan(
    call_id: str,
    step: str,
    status: str,
    *,
    evidence: JsonObject | None = None,
    effects: Sequence[JsonObject] = (),
) -> ToolCall:
    """Return the call that puts one step into the plan."""
    titles = {"owner": "写下负责人", "sort": "给待办排序"}
    whole = {"id": step, "title": titles[step], "acceptance": "文件里看得到", "status": status}
    arguments: JsonObject = {"reason": "按用户说的", "steps": [whole | (evidence or {})]}
    if effects:
        arguments["effects"] = list(effects)
    return ToolCall(id=call_id, name="update_plan", arguments=arguments)


def write_owner(name: str) -> FakeRule:
    """Return the rule that plans to write the owner down, and does it."""
    arguments: JsonObject = {"path": "owner.txt", "content": f"负责人：{name}\n"}
    write = ToolCall(id="write-owner", name="write", arguments=arguments)
    return FakeRule(calls=(plan("plan-owner", "owner", "in_progress"), write))


def replan(text: str) -> FakeRule:
    """Return the rule for another goal: every change that was made for the old one is kept."""
    old = text.partition(SETTLE)[2].partition("\n\n")[0]
    ids = re.findall(r"^- (\S+) ", old, re.MULTILINE)
    effects = [{"id": name, "decision": "keep"} for name in ids]
    return FakeRule(
        reply="换了目标，先说清楚旧的改动怎么办。",
        calls=(plan("replan", "sort", "in_progress", effects=effects),),
    )


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


PROOF = {"results": ["write-owner"], "files": ["owner.txt"]}

RUN_RULES = (
    # What has just happened.
    FakeRule(match="批准是给另一个状态的", reply="文件变了，我先不动它。"),
    FakeRule(match="用户把目标改成了", make=replan),
    after_answer(OWNER, write_owner),
    after_answer(NOTIFY, lambda said: FakeRule(reply=f"好，{said}。负责人写在 owner.txt 里了。")),
    after_answer(ORDER, lambda said: FakeRule(reply=f"好，按{said}排，排好了。")),
    FakeRule(match="程序照记录执行了", reply="都做好了。"),
    FakeRule(match="用户拒绝了", reply="那就不做，到此为止。"),
    FakeRule(match="expired, no answer", reply="没有人回答，我不猜，到此为止。"),
    FakeRule(match="用户加了限制", reply="知道了，照这条限制做。"),
    FakeRule(match="程序中断过", reply="看过了，可以接着做。"),
    FakeRule(match="上一次停在", reply="好，接着做。"),
    # What tools bring back.
    FakeRule(match="没有问：", reply="那我自己决定。"),
    FakeRule(match="新建 owner.txt", calls=(plan("owner-done", "owner", "done", evidence=PROOF),)),
    on(
        "[做完] owner",
        ask(
            "ask-notify",
            question=NOTIFY,
            reason="通知会发出一封邮件，发出去就收不回来。",
            decision="是否通知",
            options=["通知", "不通知"],
        ),
    ),
    on(
        "[在做] sort",
        ask(
            "ask-order",
            question=ORDER,
            reason="按日期还是按轻重，排出来不一样。",
            decision="排序方式",
            options=["日期", "轻重"],
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

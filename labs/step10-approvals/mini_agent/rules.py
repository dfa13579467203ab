"""The script of the fake model, the same for both entries.

A tool result is a last message too, so a rule can answer it, and rules chain.
"""

from .fake_model import FakeRule
from .messages import ToolCall
from .scenario import RUN_RULES

COUNT_TO_TEN = "for n in 1 2 3 4 5 6 7 8 9 10; do echo $n; sleep 1; done"

RULES = (
    *RUN_RULES,
    FakeRule(match="你好", reply="你好！我是 FakeModel，一个按剧本回复的假模型。"),
    FakeRule(
        match="Agent Harness",
        reply="Agent Harness 是驱动 Agent 运行的框架：管理消息、调用模型、执行工具。",
    ),
    FakeRule(match="断线", reply="我先想一想，", error="连接断开了"),
    FakeRule(match="数到一百", reply="、".join(str(number) for number in range(1, 101)) + "。"),
    # What tools bring back. These stand first: a result may hold the words of a question.
    FakeRule(match="todo.txt（", reply="记好了。"),
    FakeRule(match="已修改 todo.txt", reply="改好了。"),
    FakeRule(match="没有这段 old_text", reply="待办里没有买菜，也许已经改过了。"),
    FakeRule(
        match="limit：应为 整数",
        reply="limit 要的是数字，我改一下。",
        calls=(ToolCall(id="first-two", name="read", arguments={"path": "todo.txt", "limit": 2}),),
    ),
    FakeRule(match="[第 1–2 行", reply="这就是前两件。"),
    FakeRule(match="还书\n", reply="一共三件。"),
    FakeRule(match="不存在：todo.txt", reply="还没有待办，先说一声要记下什么。"),
    FakeRule(match="不允许", reply="这一步被拦下了，我不绕过去。"),
    FakeRule(match="笔记共", reply="笔记都在这里了。"),
    FakeRule(match="没有名为 note", reply="笔记要靠一个扩展，这里没有装。"),
    FakeRule(match="在工作区之外", reply="工作区外面的文件我碰不到，只能到此为止。"),
    FakeRule(match="[退出码 0]", reply="命令成功了，输出就在上面。"),
    FakeRule(match="[退出码", reply="命令失败了，原因就在上面。"),
    # What users ask.
    FakeRule(
        match="记下",
        calls=(
            ToolCall(
                id="note",
                name="write",
                arguments={"path": "todo.txt", "content": "买菜\n写周报\n还书\n"},
            ),
        ),
    ),
    FakeRule(
        match="改成",
        calls=(
            ToolCall(
                id="change",
                name="edit",
                arguments={
                    "path": "todo.txt",
                    "edits": [{"old_text": "买菜", "new_text": "买水果"}],
                },
            ),
        ),
    ),
    FakeRule(
        match="几件",
        calls=(ToolCall(id="count", name="bash", arguments={"command": "grep -c . todo.txt"}),),
    ),
    FakeRule(
        match="前两件",
        calls=(ToolCall(id="two", name="read", arguments={"path": "todo.txt", "limit": "两行"}),),
    ),
    FakeRule(
        match="上一级",
        calls=(ToolCall(id="outside", name="read", arguments={"path": "../secret.txt"}),),
    ),
    FakeRule(match="笔记", calls=(ToolCall(id="notes", name="note", arguments={}),)),
    FakeRule(
        match="删掉待办",
        calls=(ToolCall(id="remove", name="bash", arguments={"command": "rm -r todo.txt"}),),
    ),
    FakeRule(
        match="待办",
        calls=(ToolCall(id="list", name="read", arguments={"path": "todo.txt"}),),
    ),
    FakeRule(
        match="在哪", calls=(ToolCall(id="where", name="bash", arguments={"command": "pwd"}),)
    ),
    FakeRule(
        match="等十秒",
        calls=(ToolCall(id="wait", name="bash", arguments={"command": COUNT_TO_TEN}),),
    ),
    FakeRule(reply="这句话没有命中任何规则，我只能用兜底回复了。"),
)

"""Where a learner reads on, in one table: a topic of the checks, to headings of the chapters."""

import pytest

from lab.contract import Step

LANGUAGES = ("en", "zh")

PLACES = {
    "package": (
        "docs/en/01-hello-cli.md#file-by-file",
        "docs/zh/01-hello-cli.md#逐个文件看",
    ),
    "respond": (
        "docs/en/01-hello-cli.md#respondpy-the-place-where-an-answer-is-made",
        "docs/zh/01-hello-cli.md#respondpy产生回答的地方",
    ),
    "console": (
        "docs/en/01-hello-cli.md#consolepy-the-border",
        "docs/zh/01-hello-cli.md#consolepy边界",
    ),
    "chat": (
        "docs/en/01-hello-cli.md#__main__py-the-interactive-entry",
        "docs/zh/01-hello-cli.md#__main__py交互入口",
    ),
    "demo": (
        "docs/en/01-hello-cli.md#demopy-the-entry-that-needs-no-keyboard",
        "docs/zh/01-hello-cli.md#demopy不需要键盘的入口",
    ),
    "hanging": (
        "docs/en/01-hello-cli.md#what-settles-and-what-hangs",
        "docs/zh/01-hello-cli.md#哪些会有结果哪些会卡住",
    ),
    "messages": (
        "docs/en/02-fake-model.md#messagespy-the-vocabulary",
        "docs/zh/02-fake-model.md#messagespy词汇表",
    ),
    "fake model": (
        "docs/en/02-fake-model.md#fake_modelpy-a-model-with-a-script",
        "docs/zh/02-fake-model.md#fake_modelpy照剧本回答的模型",
    ),
    "rules": (
        "docs/en/02-fake-model.md#rulespy-the-script",
        "docs/zh/02-fake-model.md#rulespy剧本",
    ),
    "shell": (
        "docs/en/02-fake-model.md#shellpy-append-call-append",
        "docs/zh/02-fake-model.md#shellpy追加调用追加",
    ),
    "outcome": (
        "docs/en/03-streaming.md#messagespy-an-answer-says-how-it-ended",
        "docs/zh/03-streaming.md#messagespy回答会说自己是怎么结束的",
    ),
    "abort": (
        "docs/en/03-streaming.md#abortpy-a-wish-to-stop",
        "docs/zh/03-streaming.md#abortpy想停下来",
    ),
    "stream": (
        "docs/en/03-streaming.md#streampy-the-events-and-the-contract",
        "docs/zh/03-streaming.md#streampy事件以及契约",
    ),
    "playback": (
        "docs/en/03-streaming.md#playbackpy-and-fake_modelpy-the-producer",
        "docs/zh/03-streaming.md#playbackpy-与-fake_modelpy生产者",
    ),
    "typewriter": (
        "docs/en/03-streaming.md#renderpy-the-typewriter",
        "docs/zh/03-streaming.md#renderpy打字机",
    ),
    "ctrl-c": (
        "docs/en/03-streaming.md#ctrl_cpy-to-whom-the-key-belongs",
        "docs/zh/03-streaming.md#ctrl_cpy这个键归谁",
    ),
    "turn": (
        "docs/en/03-streaming.md#shellpy-what-changed-where-the-model-is-called",
        "docs/zh/03-streaming.md#shellpy模型调用点上改了什么",
    ),
    "typing ahead": (
        "docs/en/03-streaming.md#typing-ahead",
        "docs/zh/03-streaming.md#提前输入",
    ),
    "tool messages": (
        "docs/en/04-agent-loop.md#messagespy-a-block-more-a-role-more",
        "docs/zh/04-agent-loop.md#messagespy多一种块多一种-role",
    ),
    "two fakes": (
        "docs/en/04-agent-loop.md#fake_modelpy-rulespy-scripted_modelpy-two-fakes",
        "docs/zh/04-agent-loop.md#fake_modelpyrulespyscripted_modelpy两个假模型",
    ),
    "agent events": (
        "docs/en/04-agent-loop.md#agent_eventspy-what-a-run-tells",
        "docs/zh/04-agent-loop.md#agent_eventspy一次运行讲述什么",
    ),
    "results": (
        "docs/en/04-agent-loop.md#resultspy-what-the-model-is-told",
        "docs/zh/04-agent-loop.md#resultspy告诉模型什么",
    ),
    "execution": (
        "docs/en/04-agent-loop.md#executionpy-the-border",
        "docs/zh/04-agent-loop.md#executionpy边界",
    ),
    "blocking": (
        "docs/en/04-agent-loop.md#blockingpy-a-thread-of-its-own",
        "docs/zh/04-agent-loop.md#blockingpy自己的线程",
    ),
    "agent loop": (
        "docs/en/04-agent-loop.md#agent_looppy-the-loop-on-one-screen",
        "docs/zh/04-agent-loop.md#agent_looppy循环一屏看完",
    ),
    "tool lines": (
        "docs/en/04-agent-loop.md#toy_toolspy-and-the-way-to-the-screen",
        "docs/zh/04-agent-loop.md#toy_toolspy以及通往屏幕的路",
    ),
    "aborted run": (
        "docs/en/04-agent-loop.md#an-abort-before-and-inside",
        "docs/zh/04-agent-loop.md#中止在之前在之中",
    ),
    "registry": (
        "docs/en/05-tools.md#toolsregistrypy-all-tools-behind-one-function",
        "docs/zh/05-tools.md#toolsregistrypy所有工具站在一个函数后面",
    ),
    "arguments": (
        "docs/en/05-tools.md#toolsargumentspy-strict-with-one-kindness",
        "docs/zh/05-tools.md#toolsargumentspy严格只有一处宽容",
    ),
    "workspace": (
        "docs/en/05-tools.md#toolsworkspacepy-where-a-path-really-leads",
        "docs/zh/05-tools.md#toolsworkspacepy路径真正通向哪里",
    ),
    "read": (
        "docs/en/05-tools.md#toolstext_filepy-toolsreadpy-some-lines-and-how-to-go-on",
        "docs/zh/05-tools.md#toolstext_filepytoolsreadpy读几行以及怎样继续",
    ),
    "write": (
        "docs/en/05-tools.md#toolsreplace_filepy-toolswritepy-whole-or-not-at-all",
        "docs/zh/05-tools.md#toolsreplace_filepytoolswritepy要么全有要么全无",
    ),
    "edit": (
        "docs/en/05-tools.md#toolseditpy-and-its-four-helpers-only-the-bytes-in-question",
        "docs/zh/05-tools.md#toolseditpy-和四个帮手只动该动的字节",
    ),
    "bash": (
        "docs/en/05-tools.md#toolsbashpy-and-its-three-helpers-a-command-that-leaves-nothing-behind",
        "docs/zh/05-tools.md#toolsbashpy-和三个帮手什么都不留下的命令",
    ),
    "decode": (
        "docs/en/08-real-provider.md#ssepy-from-bytes-to-events",
        "docs/zh/08-real-provider.md#ssepy从字节到事件",
    ),
    "config": (
        "docs/en/09-interaction.md#settings-for-good",
        "docs/zh/09-interaction.md#一劳永逸的设置",
    ),
    "prompt": (
        "docs/en/05-tools.md#promptpy-attachmentspy-what-a-person-types",
        "docs/zh/05-tools.md#promptpyattachmentspy人怎样输入",
    ),
    "store": (
        "docs/en/06-sessions.md#sessionsstorepy-where-lines-live",
        "docs/zh/06-sessions.md#sessionsstorepy行放在哪里",
    ),
    "session": (
        "docs/en/06-sessions.md#sessionssessionpy-the-tree",
        "docs/zh/06-sessions.md#sessionssessionpy树",
    ),
    "record": (
        "docs/en/06-sessions.md#sessionsconversationpy-record-and-history-in-step",
        "docs/zh/06-sessions.md#sessionsconversationpy记录与历史步调一致",
    ),
    "damage": (
        "docs/en/06-sessions.md#sessionsloadpy-what-is-damaged-what-is-refused",
        "docs/zh/06-sessions.md#sessionsloadpy哪些坏了哪些必须拒绝",
    ),
    "session file": (
        "docs/en/06-sessions.md#sessionsfilepy-one-writer-and-the-torn-end",
        "docs/zh/06-sessions.md#sessionsfilepy一个写者和断掉的末尾",
    ),
    "repair": (
        "docs/en/06-sessions.md#sessionsrepairpy-the-record-and-what-is-sent",
        "docs/zh/06-sessions.md#sessionsrepairpy记录和发出去的",
    ),
    "session list": (
        "docs/en/06-sessions.md#sessionsfolderpy-an-id-is-no-path",
        "docs/zh/06-sessions.md#sessionsfolderpy编号不是路径",
    ),
    "coming back": (
        "docs/en/06-sessions.md#branch-fork-and-the-options",
        "docs/zh/06-sessions.md#branchfork-与选项",
    ),
    "hooks": (
        "docs/en/07-extensions.md#hookspy-agent_looppy-three-places",
        "docs/zh/07-extensions.md#hookspyagent_looppy三个地方",
    ),
    "extensions": (
        "docs/en/07-extensions.md#extensionsgatespy-the-rules",
        "docs/zh/07-extensions.md#extensionsgatespy规则",
    ),
    "real model": (
        "docs/en/08-real-provider.md#answerpy-callpy-where-the-contract-is-kept",
        "docs/zh/08-real-provider.md#answerpycallpy契约在这里兑现",
    ),
    "reasoning": (
        "docs/en/08-real-provider.md#what-each-provider-demands",
        "docs/zh/08-real-provider.md#各家要求什么",
    ),
    "tolerance": (
        "docs/en/08-real-provider.md#what-each-provider-demands",
        "docs/zh/08-real-provider.md#各家要求什么",
    ),
    "settings": (
        "docs/en/08-real-provider.md#settingspy-createpy-who-answers-and-why",
        "docs/zh/08-real-provider.md#settingspycreatepy谁来回答为什么",
    ),
    "keys": (
        "docs/en/08-real-provider.md#endpointpy-the-key-in-the-header-and-nowhere-else",
        "docs/zh/08-real-provider.md#endpointpy密钥只在请求头里别处都没有",
    ),
    "interaction": (
        "docs/en/09-interaction.md#runsinteractionpy-an-answer-belongs-to-a-question",
        "docs/zh/09-interaction.md#runsinteractionpy回答属于一个问题",
    ),
    "run state": (
        "docs/en/09-interaction.md#runsstatepy-runsreducerpy-from-events-to-state",
        "docs/zh/09-interaction.md#runsstatepyrunsreducerpy从事件到状态",
    ),
    "questions": (
        "docs/en/09-interaction.md#runsclarificationpy-which-questions-reach-the-user",
        "docs/zh/09-interaction.md#runsclarificationpy哪些问题可以到达用户",
    ),
    "context": (
        "docs/en/09-interaction.md#runsbriefingpy-what-the-model-is-told",
        "docs/zh/09-interaction.md#runsbriefingpy告诉模型什么",
    ),
    "runner": (
        "docs/en/09-interaction.md#runsrunnerpy-runslooppy-where-it-touches-the-world",
        "docs/zh/09-interaction.md#runsrunnerpyrunslooppy和外界打交道的地方",
    ),
    "policy": (
        "docs/en/10-approvals.md#runspolicypy-the-policy-is-data",
        "docs/zh/10-approvals.md#runspolicypy策略是数据",
    ),
    "approvals": (
        "docs/en/10-approvals.md#runsapprovalspy-what-an-action-is",
        "docs/zh/10-approvals.md#runsapprovalspy一个操作是什么",
    ),
    "permissions": (
        "docs/en/10-approvals.md#runspermissionspy-asked-on-record-done",
        "docs/zh/10-approvals.md#runspermissionspy先问再记再做",
    ),
    "steering": (
        "docs/en/11-steering.md#runsinteractionpy-runsreducerpy-what-stays",
        "docs/zh/11-steering.md#runsinteractionpyrunsreducerpy什么留下",
    ),
    "plan": (
        "docs/en/11-steering.md#runsplanpy-a-plan-with-versions-and-evidence",
        "docs/zh/11-steering.md#runsplanpy有版本有证据的计划",
    ),
    "inbox": (
        "docs/en/11-steering.md#runsinboxpy-from-another-process",
        "docs/zh/11-steering.md#runsinboxpy从另一个进程",
    ),
}
"""Topic to its place in English and in Chinese: a file, and the anchor of a heading."""


def where(topic: str) -> str:
    """Return where to read about `topic`, one language a line."""
    return "\n".join(PLACES[topic])


def read(topic: str) -> pytest.MarkDecorator:
    """Mark checks with where to read on when they fail."""
    return pytest.mark.read(topic)


def chapter_of(step: Step) -> str:
    """Return the chapter of a step, one language a line: for what is spread over all of it."""
    return "\n".join(f"docs/{language}/{step.id.removeprefix('step')}.md" for language in LANGUAGES)

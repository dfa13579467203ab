"""Where a learner reads on, in one table: a topic of the checks, to headings of the chapters."""

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
}
"""Topic to its place in English and in Chinese: a file, and the anchor of a heading."""


def where(topic: str) -> str:
    """Return where to read about `topic`, one language a line."""
    return "\n".join(PLACES[topic])

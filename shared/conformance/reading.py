"""Where a learner reads on, in one table: a topic of the checks, to its place in the chapters."""

PLACES = {
    "demo": ("docs/en/01-hello-cli.md", "docs/zh/01-hello-cli.md"),
    "shell": ("docs/en/01-hello-cli.md", "docs/zh/01-hello-cli.md"),
    "console": ("docs/en/01-hello-cli.md", "docs/zh/01-hello-cli.md"),
    "package": ("docs/en/01-hello-cli.md", "docs/zh/01-hello-cli.md"),
    "messages": ("docs/en/02-fake-model.md", "docs/zh/02-fake-model.md"),
    "fake model": ("docs/en/02-fake-model.md", "docs/zh/02-fake-model.md"),
    "conversation": ("docs/en/02-fake-model.md", "docs/zh/02-fake-model.md"),
}
"""Topic to (English, Chinese); a heading may follow its file as `#anchor`."""


def where(topic: str) -> str:
    """Return where to read about `topic`, as a failure names it."""
    english, chinese = PLACES[topic]
    return f"{english} ({chinese})"

"""A line with a slash in front: what is a command, and what only looks like one."""

import pytest
from mini_agent.slash import as_message, unknown_command

KNOWN = ("branch", "fork", "exit")


@pytest.mark.parametrize(
    "line",
    ["/branch", " /fork", "/exit now", "/branch 1", "/usr/bin", "/", "//tmp", "/ x", "/5", "a /b"],
)
def test_no_unknown_command(line: str) -> None:
    assert unknown_command(line, KNOWN) is None


def test_the_nearest_command_is_named() -> None:
    assert unknown_command(" /brnach 1", KNOWN) == (
        "没有 /brnach 这个命令，最接近的是 /branch。要把这句话原样说出去，就在前面多写一个 /。"
    )


def test_nothing_is_near() -> None:
    assert unknown_command("/xyzzy", KNOWN) == (
        "没有 /xyzzy 这个命令。要把这句话原样说出去，就在前面多写一个 /。"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [("//tmp", "/tmp"), (" //tmp 里", "/tmp 里"), ("/tmp", "/tmp"), (" a // b", " a // b")],
)
def test_what_the_agent_gets(line: str, said: str) -> None:
    assert as_message(line) == said

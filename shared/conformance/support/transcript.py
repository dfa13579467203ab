"""What an interactive entry has to say, and how to tell where it says something else."""

import re

from lab.contract import Step
from lab.visible import first_difference

NO_KEY = (
    "模型：按剧本回答的假模型（没有设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 OPENAI_BASE_URL）\n"
)
"""What the program says of its model from step 08 on: the suite never gives it a key."""

PROMPT, ANSWER, FAREWELL, EXIT = "你> ", "助手> ", "再见。", "/exit"

RANDOM_ID = re.compile(rb"\b[0-9a-f]{16}\b")
"""What the ids of a run and of a request are made of."""


def opening(step: Step) -> str:
    """Return what the interactive entry says before the first prompt."""
    banner = f"Mini Agent Harness · {step.id[:6]} {step.slug}\n输入内容后回车；输入 /exit 退出。\n"
    return banner + (NO_KEY if step.number >= 8 else "") + "\n"


def farewell(step: Step, *, messages: int) -> str:
    """Return the last line; from step 02 on it counts the messages of the conversation."""
    return FAREWELL + (f"（本次对话共 {messages} 条消息）" if step.number > 1 else "") + "\n"


def phrases(step: Step) -> list[str]:
    """Return what the user says in the step's demo, commands left out."""
    lines = step.expected.read_text(encoding="utf-8").split("\n")
    typed = [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]
    return [line for line in typed if not line.startswith("/")]


def piped(step: Step) -> bytes:
    """Return the demo's transcript as it looks when its lines come through a pipe: not echoed."""
    lines = step.expected.read_text(encoding="utf-8").split("\n")
    shown = [PROMPT if line.startswith(PROMPT) else f"{line}\n" for line in lines[2:-1]]
    return (opening(step) + "".join(shown)).encode()


def second_script(step: Step) -> list[str]:
    """Return lines that no transcript shows, made of the demo's phrases.

    Where a line can leave the conversation waiting for an answer, the wait is ended behind it.
    """
    said = phrases(step)
    backwards = said[::-1]
    pairs = [one + other for one, other in zip(said, said[1:] + said[:1], strict=True)]
    script = [
        *backwards,
        *(f"{line}{line}" for line in said),
        *pairs,
        *(pair.lower() for pair in pairs[::-1]),
        *(line[len(line) // 2 :] for line in backwards),
        *(f"  {line}？" for line in said),
    ]
    return script if step.number < 9 else [line for said in script for line in (said, "/cancel")]


def without_ids(step: Step, transcript: bytes) -> bytes:
    """Return a transcript without the ids of runs and requests, which differ each time."""
    return transcript if step.number < 9 else RANDOM_ID.sub(b"ID", transcript)


def where_they_part(came: bytes, wanted: bytes) -> str:
    """Say where two transcripts part, show what came, and keep what was wanted to oneself."""
    lines_came, lines_wanted = came.split(b"\n"), wanted.split(b"\n")
    place = first_difference(lines_came, lines_wanted)
    kind = _kind(lines_wanted[place]) if place < len(lines_wanted) else "nothing more"
    line = lines_came[place] if place < len(lines_came) else b""
    shown = line[:300].decode("utf-8", errors="backslashreplace")
    return f"line {place + 1} of the output, where {kind} belongs: {shown!r}"


def _kind(line: bytes) -> str:
    text = line.decode("utf-8", errors="replace").removeprefix(PROMPT)
    if text.startswith(FAREWELL):
        return "the farewell"
    if text.startswith(ANSWER):
        return "an answer"
    return "more of an answer" if text else "an empty line"

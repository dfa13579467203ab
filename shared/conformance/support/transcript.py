"""What an interactive entry has to say, and how to tell where it says something else."""

import ast
import re
from pathlib import Path

from lab.contract import Step, find_step

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
    """Return lines that no transcript shows, made of what this demo and that of step 02 say.

    A line that two keywords of the rules fit is left out, unless the demo says it: which
    of them answers is up to whoever wrote the rules. Where a line can leave the
    conversation waiting for an answer, the wait is ended behind it.
    """
    said = phrases(step)
    known = phrases(find_step("02")) if step.number > 2 else []
    backwards = said[::-1]
    pairs = [one + other for one, other in zip(said, said[1:] + said[:1], strict=True)]
    script = [
        *backwards,
        *(f"{line}{line}" for line in said),
        *pairs,
        *(pair.lower() for pair in pairs[::-1]),
        *(line[len(line) // 2 :] for line in backwards),
        *(f"  {line}？" for line in said),
        *(f"请问，{line}，谢谢" for line in [*said, *known]),
    ]
    keywords = keywords_of(step.folder)
    clear = [line for line in script if line in said or sum(word in line for word in keywords) <= 1]
    return clear if step.number < 9 else [line for said in clear for line in (said, "/cancel")]


def keywords_of(folder: Path) -> set[str]:
    """Return the texts by which the rules of a fake model are found, read from their source."""
    return {
        word.value.value
        for file in (folder / "mini_agent").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "FakeRule"
        for word in call.keywords
        if word.arg == "match" and isinstance(word.value, ast.Constant)
        if isinstance(word.value.value, str)
    }


def without_ids(step: Step, transcript: bytes) -> bytes:
    """Return a transcript without the ids of runs and requests, which differ each time."""
    return transcript if step.number < 9 else RANDOM_ID.sub(b"ID", transcript)


def answers(transcript: bytes) -> list[str]:
    """Return what a program said after each prompt; in front of them what it began with."""
    return transcript.decode("utf-8", errors="backslashreplace").split(PROMPT)

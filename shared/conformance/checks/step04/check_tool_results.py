"""Every call gets its result, whatever its tool does: the border between tools and the model."""

import asyncio
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from conformance.support.chapters import read
from conformance.support.history import text_of
from conformance.support.model import Call, Says
from conformance.support.run import NO_TEXTS, Run, ToolUse
from conformance.support.subject import Subject

pytestmark = read("results")

Tool = Callable[[ToolUse], Any]

HOME = "/home/somebody"

RAISED: dict[str, tuple[Callable[[], BaseException], str]] = {
    "ValueError()": (ValueError, "ValueError"),
    "RuntimeError('没电了')": (lambda: RuntimeError("没电了"), "没电了"),
    "KeyError('x')": (lambda: KeyError("x"), "KeyError"),
    "an OSError with a path": (
        lambda: FileNotFoundError(2, "No such file", f"{HOME}/a"),
        "No such",
    ),
}
"""What a tool may raise, and what the model has to read of it."""

IN_OUTPUT: dict[str, dict[str, Any]] = {
    "bytes for a text": {"text": b"\xff"},
    "no text": {"text": None, "details": 7},
    "a list for details": {"text": "好", "details": ["- 旧"]},
}
"""The fields of a `ToolOutput` that holds something else than texts, by name."""


def raising(error: Callable[[], BaseException]) -> Tool:
    """Return a tool that raises."""

    def tool(use: ToolUse) -> Any:
        raise error()

    return tool


async def result_of(subject: Subject, tool: Tool, does: str) -> tuple[Run, Any]:
    """Let the model call one tool, of which is told what it does; return the run and the result."""
    run = Run(subject, Says(Call("t1", "it")), Says("好"), tools={"it": tool})
    run.called = f"{run.called}; the tool `it` {does}"
    await run.play()
    run.holds(
        len(run.results) == 1 and run.end == "completed",
        came=f"{len(run.results)} results, the reason {run.end}",
        wanted="one result, and a run that goes on to its answer",
    )
    return run, run.results[0]


async def test_tool_error_is_told(subject: Subject) -> None:
    """What a tool says by ToolError, as about one that is not there, the model gets to read."""
    text = "没有名为 serch 的工具。现有的工具：read。"
    error = subject.get("results.ToolError")
    run, result = await result_of(
        subject, raising(lambda: error(text)), f"raises ToolError({text!r})"
    )
    run.holds(
        result.is_error and text in text_of(result), wanted="an error with the text as it stands"
    )


@pytest.mark.parametrize("name", RAISED)
async def test_raising_tool(subject: Subject, name: str) -> None:
    """A tool that raises costs its call an error, which says what it was; the run goes on."""
    error, wanted = RAISED[name]
    run, result = await result_of(subject, raising(error), f"raises {name}")
    run.holds(
        result.is_error and wanted in text_of(result), wanted=f"an error that contains {wanted!r}"
    )


@pytest.mark.parametrize("name", RAISED)
async def test_error_hides_the_machine(subject: Subject, name: str) -> None:
    """What the model reads of an error holds no stack and no path of this machine."""
    run, result = await result_of(subject, raising(RAISED[name][0]), f"raises {name}")
    text = text_of(result)
    run.holds(
        not any(told in text for told in (HOME, "Traceback", 'File "', ".py")),
        wanted="the error itself: no path, no traceback",
    )


@pytest.mark.parametrize("anyio_backend", ["asyncio"])  # trio has no cancellation to raise
async def test_tool_that_raises_a_cancellation(subject: Subject) -> None:
    """A CancelledError that a tool raises by itself is an error like any other."""
    tool = raising(asyncio.CancelledError)
    run, result = await result_of(subject, tool, "raises asyncio.CancelledError()")
    run.holds(result.is_error and text_of(result), wanted="an error that says what it was")


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_ctrl_c_is_no_result(subject: Subject, backend: str) -> None:
    """A KeyboardInterrupt out of a tool is for the program, and no news for the model."""
    tools = {"it": raising(KeyboardInterrupt)}
    run = Run(subject, Says(Call("t1", "it")), Says("好"), tools=tools)
    interrupted = False
    try:
        anyio.run(run.play, backend=backend)
    except* KeyboardInterrupt:
        interrupted = True
    run.holds(interrupted, wanted="the KeyboardInterrupt, in a group or not")


@pytest.mark.parametrize("name", NO_TEXTS)
async def test_no_text(subject: Subject, name: str) -> None:
    """A tool that returns something else than text costs its call an error that names the type."""
    output = NO_TEXTS[name]
    run, result = await result_of(subject, lambda use: output, f"returns {name}")
    wanted = type(output).__name__
    run.holds(
        result.is_error and wanted in text_of(result), wanted=f"an error that contains {wanted!r}"
    )


@pytest.mark.parametrize("name", IN_OUTPUT)
async def test_no_text_in_output(subject: Subject, name: str) -> None:
    """A `ToolOutput` holds texts: with anything else in it the call has failed."""
    output = subject.get("results.ToolOutput")
    does = f"returns ToolOutput(**{IN_OUTPUT[name]})"
    run, result = await result_of(subject, lambda use: output(**IN_OUTPUT[name]), does)
    run.holds(result.is_error and text_of(result), wanted="an error that says what is wrong")


@pytest.mark.parametrize("output", [None, ""], ids=["None", "an empty text"])
async def test_nothing_to_say(subject: Subject, output: str | None) -> None:
    """A tool that has nothing to say has not failed; the model reads a mark in place of nothing."""
    run, result = await result_of(subject, lambda use: output, f"returns {output!r}")
    run.holds(text_of(result) and not result.is_error, wanted="a result with some text")


async def test_half_a_character(subject: Subject) -> None:
    """Half of a character, which no request can carry, becomes U+FFFD in a result."""
    output = subject.get("results.ToolOutput")(text="半个\ud83d", details="\ude00半个")
    run, result = await result_of(subject, lambda use: output, f"returns {output!a}")
    came = ascii((text_of(result), result.details))
    run.same(came, ascii(("半个\ufffd", "\ufffd半个")))


async def test_details_are_kept(subject: Subject) -> None:
    """What a tool has for the user besides its text comes with the result."""
    output = subject.get("results.ToolOutput")(text="改好了", details="- 旧\n+ 新")
    run, result = await result_of(subject, lambda use: output, f"returns {output!r}")
    came = (text_of(result), result.details)
    run.same(came, ("改好了", "- 旧\n+ 新"))


@pytest.mark.parametrize("received", ["[1, 2]", "{" * 2_000_000], ids=["a list", "2 MB"])
async def test_malformed_arguments(subject: Subject, received: str) -> None:
    """A call whose arguments are no object is never run; the model reads why, in few words."""
    run = Run(subject, Says(Call("t1", malformed=received)), Says("好"))
    await run.play()
    told = [text_of(result) for result in run.results if result.is_error]
    run.holds(
        run.tools.begun == [] and len(told) == 1 and 0 < len(told[0].encode()) < 1000,
        came=f"run: {run.tools.begun}; told: {told[0][:200] if told else 'nothing'}",
        wanted="a call that is not run, and an error of less than 1,000 bytes",
    )

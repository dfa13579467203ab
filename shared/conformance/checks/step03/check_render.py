"""The typewriter: an answer appears on the screen while it arrives, and says how it ended."""

import io
import sys
from contextlib import suppress

import pytest

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.model import Says
from conformance.support.render import Note, RenderedAnswer
from conformance.support.screen import CONTROLS, controls_in
from conformance.support.subject import Subject
from conformance.support.transcript import ANSWER

pytestmark = read("typewriter")

RETRY = "2 秒后重试"

MARKS = {
    "aborted": ("我先", Says("我先", stop_reason="aborted"), "已中止"),
    "aborted at once": ("", Says(stop_reason="aborted"), "已中止"),
    "failed": ("我先", Says("我先", stop_reason="error", error="断线"), "断线"),
    "failed at once": ("", Says(stop_reason="error", error="断线"), "断线"),
    "cut by the length": ("我先", Says("我先", stop_reason="length"), ""),
    "refused": ("我先", Says("我先", stop_reason="refusal"), ""),
    "empty": ("", Says(), ""),
    "blank": (" \n ", Says(" \n "), ""),
}
"""The text of an answer that needs a mark, the answer, and what the mark has to contain."""


async def test_prints_as_it_comes(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece can be seen before the next one is asked for: it is written, and flushed."""
    answer = RenderedAnswer(subject, Says("你好！"), "你", "好", "！")
    await answer.render(monkeypatch)
    wanted = [f"{ANSWER}你", f"{ANSWER}你好", f"{ANSWER}你好！"]
    judge.same(answer.shown, wanted, called=f"{answer.called}; the screen behind each piece")


async def test_complete_answer(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A complete answer is one line, with nothing behind its text."""
    answer = RenderedAnswer(subject, Says("你好！"), "你好", "！")
    await answer.render(monkeypatch)
    came, wanted = answer.screen.getvalue(), f"{ANSWER}你好！\n"
    answer.same(came, wanted)


@pytest.mark.parametrize("name", MARKS)
async def test_marks(subject: Subject, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """An answer that is aborted, failed, cut, refused or empty says so behind its text."""
    text, says, mark = MARKS[name]
    answer = RenderedAnswer(subject, says, *([text] if text else []))
    await answer.render(monkeypatch)
    came, start = answer.screen.getvalue(), ANSWER + text
    behind = came.removeprefix(start).rstrip("\n")
    answer.holds(
        came.startswith(start) and came.endswith("\n") and behind and mark in behind,
        came=repr(came),
        wanted=f"{start!r}, behind it a mark{f' that says {mark}' if mark else ''}, and a line end",
    )


@pytest.mark.parametrize("stop_reason", ["stop", "aborted"])
async def test_returns_how_it_ended(
    subject: Subject, monkeypatch: pytest.MonkeyPatch, stop_reason: str
) -> None:
    """What the last event says comes back: the whole message, from step 04 on the run's end."""
    answer = RenderedAnswer(subject, Says("你好", stop_reason=stop_reason), "你", "好")
    came = await answer.render(monkeypatch)
    wanted = answer.end
    answer.same(came, wanted)


async def test_notices_go_to_notify(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice goes to whoever was named for it, and does not get into the answer."""
    answer = RenderedAnswer(subject, Says("一二"), "一", Note(RETRY), "二")
    told: list[str] = []
    await answer.render(monkeypatch, notify=told.append)
    came = answer.screen.getvalue()
    judge.holds(
        told == [RETRY] and RETRY not in came and "一" in came and "二" in came,
        called=f"{answer.called}, with notify=...",
        came=f"notify got {told}, the screen shows {came!r}",
        wanted="the notice for notify alone, and the whole answer on the screen",
    )


async def test_notices_are_no_output(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default a notice goes to standard error."""
    answer, errors = RenderedAnswer(subject, Says("一"), Note(RETRY), "一"), io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    await answer.render(monkeypatch)
    came = answer.screen.getvalue()
    answer.holds(
        RETRY in errors.getvalue() and RETRY not in came,
        came=f"standard error {errors.getvalue()!r}, standard output {came!r}",
        wanted="the notice on standard error",
    )


@pytest.mark.parametrize("where", ["text", "pieces", "error", "notice"])
async def test_controls_do_nothing(
    subject: Subject, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """No control character of an answer, an error message or a notice reaches the screen."""
    said = f"前{CONTROLS}后"
    pieces: dict[str, list[str | Note]] = {
        "text": [said],
        "pieces": [*said],
        "error": [],
        "notice": [Note(said), "好"],
    }
    failed = Says(stop_reason="error", error=said)
    says = {"error": failed, "notice": Says("好")}.get(where, Says(said))
    answer, errors = RenderedAnswer(subject, says, *pieces[where]), io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    await answer.render(monkeypatch)
    judge.holds(
        not controls_in(came := answer.screen.getvalue() + errors.getvalue())
        and "前" in came
        and "后" in came,
        called=f"rendering {said!r} as the {where} of an answer",
        came=ascii(came),
        wanted="the text with a picture or a number for each control: ␛, \\x9b, \\u202e",
    )


async def test_reader_leaves(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the screen goes away in the middle, the stream is closed, and not read to its end."""
    answer = RenderedAnswer(subject, Says("好" * 1000), *("好" * 1000), room=20)
    with suppress(BrokenPipeError):
        await answer.render(monkeypatch)
    judge.holds(
        answer.closed and len(answer.shown) < 30,
        called=f"{answer.called}; the screen is gone after 20 characters",
        came=f"{len(answer.shown)} pieces taken, closed: {answer.closed}",
        wanted="no piece more once the screen is gone, and a stream that is closed",
    )

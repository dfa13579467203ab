"""Real processes: one works, another one speaks to it."""

import subprocess

import pytest
from mini_agent.cli.describe import Exit
from mini_agent.cli.lookup import file_of
from mini_agent.runs.inbox import Inbox, Posted

from tests.steps.step09.test_processes import GOAL, Place, at_work, place, spawn, waiting
from tests.steps.step11.support import cancel, goal

__all__ = ["at_work", "place", "waiting"]  # fixtures


def test_steering_is_applied_at_once_where_nobody_works(
    place: Place, waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    run_id, request_id = waiting
    assert place.here("steer", run_id, "--constraint", "不要改 b") == Exit.DONE
    out = capsys.readouterr().out
    assert "已生效：目标第 1 版，计划第 2 版。" in out
    assert request_id in out
    assert place.here("steer", run_id, "--goal", "另一件事") == Exit.DONE
    assert f"没有做完\n接着做: python -m mini_agent resume {run_id}" in capsys.readouterr().out
    state = place.run()
    assert (state.constraints, state.goal_version, state.status) == (("不要改 b",), 2, "running")
    assert not list(place.sessions.glob("*.inbox"))
    assert place.here("answer", run_id, request_id, "王芳") == Exit.REFUSED


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("steer", "{run}", "--goal", ""), "empty_user_input"),
        (("steer", "{run}", "--constraint", "长" * 20_001), "user_input_too_long"),
        (("steer", "{run}9", "--goal", "x"), "unknown_run"),
        (("cancel", "{run}", "--reason", "  "), "empty_user_input"),
    ],
)
def test_what_is_refused_writes_nothing(
    place: Place,
    waiting: tuple[str, str],
    words: tuple[str, ...],
    code: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = place.bytes()
    assert place.here(*(word.format(run=waiting[0]) for word in words)) == Exit.REFUSED
    assert capsys.readouterr().err.startswith(code)
    assert place.bytes() == before
    assert not list(place.sessions.glob("*.inbox"))


def test_a_cancel_from_a_second_terminal_ends_the_command(
    place: Place, at_work: subprocess.Popen[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    run_id = place.run().run_id
    assert place.here("answer", run_id, "ask-1", "王芳") == Exit.BUSY
    assert capsys.readouterr().err.startswith("run_busy")
    assert place.here("steer", run_id, "--goal", " ") == Exit.REFUSED
    assert place.here("cancel", run_id, "--reason", "算了") == Exit.DONE
    assert "收件箱" in capsys.readouterr().out
    at_work.communicate(timeout=10)
    state = place.run()
    assert (at_work.returncode, state.status, state.stop_reason) == (
        Exit.CANCELLED,
        "cancelled",
        "算了",
    )
    assert [effect.outcome for effect in state.effects] == ["unknown"]


def test_what_was_left_in_the_inbox_comes_before_what_is_said_now(
    place: Place, waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Fault 81: the process that held the run has left without a look into it."""
    run_id, request_id = waiting
    inbox = Inbox(place.sessions, file_of(place.sessions, run_id).stem)
    inbox.post(Posted(run_id=run_id, said=goal("你好")))
    assert place.here("answer", run_id, request_id, "王芳") == Exit.REFUSED
    err = capsys.readouterr().err
    assert err.startswith("（收到：新的目标，你好）\nunexpected_user_input")
    assert place.run().goal == "你好"
    inbox.post(Posted(run_id=run_id, said=cancel(name="in-9")))
    assert place.here("resume", run_id) == Exit.REFUSED
    assert place.run().status == "cancelled"


def test_a_half_line_in_the_inbox_loses_nothing(
    place: Place, at_work: subprocess.Popen[bytes]
) -> None:
    run_id = place.run().run_id
    (place.sessions / f"{file_of(place.sessions, run_id).stem}.inbox").write_bytes(b'{"runId": "')
    assert place.here("cancel", run_id, "--reason", "算了") == Exit.DONE
    at_work.communicate(timeout=10)
    assert place.run().status == "cancelled"


def test_no_option_says_two_things(place: Place, waiting: tuple[str, str]) -> None:
    for words in ((), ("--goal", "x", "--constraint", "y")):
        with pytest.raises(SystemExit) as left:
            place.here("steer", waiting[0], *words)
        assert left.value.code == Exit.USAGE


def test_what_is_typed_while_it_works_steers_it(place: Place) -> None:
    (place.work / "todo.txt").write_text("买菜\n", encoding="utf-8")
    child = spawn(place)
    child.expect("你> ")
    child.send("/help\r")
    child.expect("/constraint")
    child.expect("你> ")
    child.send("数数有几件待办\r")  # a command is asked about first
    child.expect("允许吗")
    child.send("y\r")
    child.send("只看，不改\r/goal 你好\rhalf")
    child.expect("插话> ")
    child.expect("用户加了限制：只看，不改")
    child.expect("用户把目标改成了：你好")
    child.expect("你> ")
    child.expect("half")
    child.close(force=True)
    state = place.run()
    assert (state.constraints, state.goal) == (("只看，不改",), "你好")


def test_typed_lines_are_no_answer_and_no_steering_of_a_run_that_waits(place: Place) -> None:
    child = spawn(place)
    child.expect("你> ")
    child.send(f"{GOAL}\r")
    child.expect("工具> grep")
    child.send("y\r")
    child.expect("requestId: ")
    child.expect("你> ")
    child.close(force=True)
    assert place.run().status == "waiting"
    assert place.run().decisions == ()

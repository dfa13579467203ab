"""Real processes: approved in a terminal, from another process, and after a process was killed."""

from dataclasses import replace
from pathlib import Path

import pytest
from mini_agent.cli.describe import MAX_SHOWN, Exit, describe_run, describe_waiting
from mini_agent.runs.approvals import Action
from mini_agent.runs.state import AgentState

from tests.steps.step09.test_processes import Place, spawn, until
from tests.steps.step10.test_approvals import waiting_for_approval

GOAL = "整理待办"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = Place(tmp_path)
    place.env["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(place.work)
    (place.work / "todo.txt").write_text("买菜\n写周报\n", encoding="utf-8")
    return place


def todo(place: Place) -> str:
    return (place.work / "todo.txt").read_text(encoding="utf-8")


def request_of(state: AgentState) -> tuple[str, str]:
    assert state.pending_user_input is not None
    return state.run_id, state.pending_user_input.id


def test_one_process_asks_and_another_one_approves(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert place.here("--ask", "run", GOAL) == Exit.WAITING
    out = capsys.readouterr().out
    assert "操作 1: edit todo.txt\n  | --- a/todo.txt\n" in out
    assert "  | -买菜\n  | +买水果\n" in out
    assert todo(place) == "买菜\n写周报\n"
    at = request_of(place.run())
    assert place.here("answer", *at, "y") == Exit.REFUSED
    assert place.here("approve", *at) == Exit.DONE
    assert todo(place) == "买水果\n写周报\n"
    assert place.here("approve", *at) == Exit.REFUSED
    assert len(place.run().effects) == 3


def test_a_denial_goes_on_without(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.here("--ask", "run", GOAL)
    assert place.here("deny", *request_of(place.run()), "--reason", "先别动") == Exit.DONE
    assert "那就不做" in capsys.readouterr().out
    assert (todo(place), place.run().effects) == ("买菜\n写周报\n", ())


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("approve", "{run}", "ask-none"), "unexpected_user_input"),
        (("approve", "{run}", "{request}", "--for", "ever"), "unexpected_user_input"),
        (("deny", "{run}9", "{request}"), "unknown_run"),
        (("answer", "{run}", "{request}", "y"), "approval_required"),
        (("resume", "{run}"), "user_input_already_pending"),
    ],
)
def test_what_is_refused_writes_nothing(
    place: Place, words: tuple[str, ...], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place.here("--ask", "run", GOAL)
    run_id, request_id = request_of(place.run())
    before = place.bytes()
    capsys.readouterr()
    assert place.here(*(w.format(run=run_id, request=request_id) for w in words)) == Exit.REFUSED
    assert capsys.readouterr().err.startswith(code)
    assert place.bytes() == before


def test_a_run_that_asks_goes_on_asking_in_a_process_that_would_not(place: Place) -> None:
    """Where no terminal is, nothing is asked by default: but a run keeps the mode it began in."""
    code, _, _ = place.done("--ask", "run", GOAL)
    assert code == Exit.WAITING
    code, _, _ = place.done("deny", *request_of(place.run()))
    assert (code, place.run().mode) == (Exit.DONE, "ask")
    assert todo(place) == "买菜\n写周报\n"
    code, _, _ = place.done("run", GOAL)
    assert (code, todo(place)) == (Exit.DONE, "买水果\n写周报\n")


def test_what_is_allowed_for_good_is_kept_in_the_config_of_the_user(place: Place) -> None:
    place.here("--ask", "run", GOAL)
    assert place.here("approve", *request_of(place.run()), "--for", "always") == Exit.DONE
    rules = place.work.parent / "config" / "mini-agent" / "permissions.json"
    assert "wc -l < todo.txt" in rules.read_text(encoding="utf-8")
    (place.work / "todo.txt").write_text("买菜\n写周报\n", encoding="utf-8")
    assert place.here("--ask", "run", GOAL) == Exit.DONE
    assert not list(place.work.glob(".mini-agent*"))


def test_rules_that_cannot_be_read_are_a_wrong_setting(place: Place) -> None:
    rules = place.work.parent / "config" / "mini-agent" / "permissions.json"
    rules.parent.mkdir(parents=True)
    rules.write_text("[{}]")
    code, out, err = place.done("run", GOAL)
    assert (code, out) == (Exit.USAGE, "")
    assert "permissions.json" in err


def test_what_is_long_is_cut_and_can_be_seen_whole(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "\n".join(f"+{number}\x1b[2J" for number in range(MAX_SHOWN * 2))
    action = Action(call_id="w", tool="write", arguments={}, about="a", digest="", preview=lines)
    state = replace(waiting_for_approval(), pending_actions=(action,))
    short = describe_waiting(state, program="mini-agent")
    assert f"还有 {MAX_SHOWN + 1} 行没有显示" in short
    assert "mini-agent status s-1 --full" in short
    whole = describe_run(state, program="mini-agent", full=True)
    assert f"  | +{MAX_SHOWN * 2 - 1}␛[2J" in whole
    assert "\x1b" not in whole


def test_a_killed_process_leaves_an_effect_that_is_named(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    child = place.start("run", "等十秒")
    until(child.stdout, "进度>")
    child.kill()
    child.communicate()
    dead = place.run()
    assert [(effect.tool, effect.outcome) for effect in dead.effects] == [("bash", "unknown")]
    assert place.here("status", dead.run_id) == Exit.DONE
    assert "（结果未知）" in capsys.readouterr().out
    assert place.here("resume", dead.run_id) == Exit.DONE
    assert "做了多少不得而知的改动，先查明：bash for n in".encode() in place.bytes()


def test_in_a_terminal_the_turn_waits_for_what_is_typed_after_the_question(place: Place) -> None:
    child = spawn(place)
    child.expect("你> ")
    child.send("等十秒\r")
    child.expect("允许吗")
    child.send("n\r")
    child.expect("你> ")
    child.send(f"{GOAL}\r")
    child.expect("助手> 三")
    child.send("y\r")  # before the question stands there
    child.expect("操作 1: edit todo.txt")
    child.expect("没有当作回答：y")
    child.expect("允许吗")
    assert todo(place) == "买菜\n写周报\n"
    child.send("y\r")
    child.expect("命令成功了")
    assert todo(place) == "买水果\n写周报\n"
    child.expect("你> ")
    child.close(force=True)

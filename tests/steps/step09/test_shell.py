"""The shell has the same powers, and a line is never more than what it says."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from mini_agent.cli.assembly import ChosenModel, CliDeps, assemble
from mini_agent.cli.describe import describe_end, describe_waiting, program
from mini_agent.extensions.loader import Sources
from mini_agent.fake_model import create_fake_model
from mini_agent.rules import RULES
from mini_agent.runs.events import ModelCalled, RunEnded
from mini_agent.runs.interaction import wait_for_user_input
from mini_agent.runs.log import runs_of
from mini_agent.runs.loop import RunConfig
from mini_agent.runs.reducer import record
from mini_agent.runs.state import AgentState
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore
from mini_agent.shell import run_shell
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import START, new_state, request
from tests.steps.step09.test_processes import GOAL

Talk = Callable[..., AgentState]


def no_model() -> ChosenModel:
    raise AssertionError("the shell is given its model")


def lines_of(lines: Iterable[str]) -> Callable[[str], str | None]:
    left = iter(lines)
    return lambda prompt: next(left, None)


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    """Return a function that talks, each time as a new process on the same session."""
    store = MemoryStore()

    def talk(*lines: str, at_terminal: bool = True, **config: object) -> AgentState:
        session = Session.open(store) if store.read() else Session.start(store, "s")
        none = tmp_path / "none"
        parts = assemble(
            session,
            Workspace(tmp_path),
            Sources(user_folder=none, project_folder=none),
            config=RunConfig(**config),  # type: ignore[arg-type]  # whatever a test wants
            deps=CliDeps(choose=no_model, notify=print),
        )
        run_shell(
            lines_of(lines),
            create_fake_model(RULES),
            conversation=parts.conversation,
            tools=parts.tools,
            surroundings=replace(parts.surroundings, at_terminal=at_terminal),
            notify=print,
        )
        state = [*runs_of(Session.open(store).entries()).values()][-1]
        assert state is not None
        return state

    return talk


def answers(state: AgentState) -> list[str]:
    return [one.answer.content for one in state.decisions if one.answer is not None]


def test_a_bare_line_answers_the_question_that_is_shown(talk: Talk, tmp_path: Path) -> None:
    assert answers(talk(GOAL, "李雷")) == ["李雷"]
    assert (tmp_path / "owner.txt").read_text(encoding="utf-8") == "负责人：李雷\n"


def test_an_option_is_chosen_by_its_number(talk: Talk) -> None:
    assert answers(talk(GOAL, "王芳", "2")) == ["王芳", "不通知"]


def test_the_question_is_shown_again_by_the_next_process(
    talk: Talk, capsys: pytest.CaptureFixture[str]
) -> None:
    pending = talk(GOAL).pending_user_input
    assert pending is not None
    capsys.readouterr()
    talk()
    assert f"requestId: {pending.id}" in capsys.readouterr().out


def test_without_a_terminal_a_line_is_no_answer(
    talk: Talk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert talk(GOAL, "y", "y", at_terminal=False).status == "waiting"
    assert "不当作回答" in capsys.readouterr().out
    assert answers(talk("/answer 王芳", at_terminal=False)) == ["王芳"]


def test_a_cancel_always_works(talk: Talk) -> None:
    state = talk(GOAL, "/cancel 算了", "/answer 王芳")
    assert (state.status, state.stop_reason) == ("cancelled", "算了")


def test_a_budget_that_is_used_up_can_be_raised(
    talk: Talk, capsys: pytest.CaptureFixture[str]
) -> None:
    state = talk(GOAL, "王芳", budget=2)
    assert (state.status, answers(state)) == ("waiting", [])
    assert "budget_exhausted" not in capsys.readouterr().out  # a text, and no code
    state = talk("/resume abc", "/resume 9", "王芳", budget=2)
    assert (state.budget, answers(state)) == (9, ["王芳"])


def test_no_branch_while_a_run_is_open(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    talk(GOAL, "/branch 0")
    assert "不能换分支" in capsys.readouterr().out
    talk("/cancel", "/branch 0")
    assert "回到了开头" in capsys.readouterr().out


def test_a_fork_goes_on_as_a_run_of_its_own(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    original = talk(GOAL, "/fork", "/status", "/answer 王芳")
    out = capsys.readouterr().out
    assert original.status == "waiting"  # what was said went to the copy
    assert f"运行 {original.run_id}：" not in out


def test_what_is_in_the_repository_is_not_asked(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "team.txt").write_text("负责人：李雷\n", encoding="utf-8")
    state = talk(GOAL)
    assert (state.status, state.decisions) == ("completed", ())


def test_what_the_model_writes_draws_no_lines_of_ours() -> None:
    forged = replace(request(), question="好吗？\n批准: curl … | sh", options=("甲\n乙", "丙"))
    state = wait_for_user_input(new_state(), forged, now=START)
    lines = describe_waiting(state, program="mini-agent").split("\n")
    assert [line.split(":")[0] for line in lines] == [
        *("runId", "requestId", "问题", "原因"),
        *("选项 1", "选项 2", "回答"),
    ]


def test_the_commands_that_are_shown_are_those_that_the_user_has() -> None:
    assert program("/home/u/.local/bin/mini-agent") == "mini-agent"
    assert program("lab chat 09 --") == "lab chat 09 --"
    main = "/x/mini agent/__main__.py"
    assert program(main, safe_path=False) == "python -m mini_agent"
    assert program(main, safe_path=True) == "python -P -m mini_agent"


def test_only_what_will_be_accepted_is_offered() -> None:
    state = record(new_state(budget=1), ModelCalled(), now=START)
    failed = record(state, RunEnded(status="failed", reason="budget_exhausted"), now=START)
    assert "resume s-1 --budget 21" in describe_end(failed, program="x", now=START)
    failed = record(new_state(), RunEnded(status="failed", reason="empty"), now=START)
    assert describe_end(failed, program="x", now=START).endswith("x resume s-1")
    done = record(new_state(), RunEnded(status="completed", reason="completed"), now=START)
    assert "resume" not in describe_end(done, program="x", now=START)

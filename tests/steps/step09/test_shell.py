"""The shell has the same powers, and a line is never more than what it says."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from mini_agent.assembly import context_for, create_extensions
from mini_agent.conversation import Conversation
from mini_agent.extension_loader import Sources
from mini_agent.fake_model import create_fake_model
from mini_agent.rules import RULES
from mini_agent.run_fold import runs_of
from mini_agent.run_state import AgentState
from mini_agent.run_terms import Terms
from mini_agent.session import Session
from mini_agent.session_store import MemoryStore
from mini_agent.shell import Surroundings, run_shell
from mini_agent.tools.registry import Registry
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.test_processes import GATE, GOAL

Talk = Callable[..., AgentState]


def lines_of(lines: Iterable[str]) -> Callable[[str], str | None]:
    left = iter(lines)
    return lambda prompt: next(left, None)


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    """Return a function that talks, each time as a new process on the same session."""
    folder = tmp_path
    store = MemoryStore()

    def talk(*lines: str, at_terminal: bool = True, gate: bool = False) -> AgentState:
        session = Session.open(store) if store.read() else Session.start(store, "s")
        workspace = Workspace(folder)
        none = folder / "none"
        sources = Sources(user_folder=none, project_folder=none, chosen=(GATE,) if gate else ())
        extensions = create_extensions(workspace, sources, notify=print)
        registry = Registry(extensions.tools.values())
        run_shell(
            lines_of(lines),
            create_fake_model(RULES),
            conversation=Conversation(session, context_for(registry), notify=print),
            tools=registry.toolset,
            surroundings=Surroundings(
                extensions=extensions, workspace=workspace, terms=Terms(), at_terminal=at_terminal
            ),
            notify=print,
        )
        state = [*runs_of(Session.open(store).entries()).values()][-1]
        assert state is not None
        return state

    return talk


def test_a_bare_line_answers_the_question_that_is_shown(talk: Talk) -> None:
    state = talk(GOAL, "王芳")
    assert [source.content for source in state.context_sources] == ["王芳"]


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
    state = talk("/answer 王芳", at_terminal=False)
    assert [source.content for source in state.context_sources] == ["王芳"]


def test_only_the_commands_decide_about_an_approval(talk: Talk) -> None:
    state = talk(GOAL, "王芳", "y", "yes", "/answer y", gate=True)
    assert state.pending_user_input is not None
    assert (state.pending_user_input.kind, state.approvals) == ("approval", ())
    state = talk("/approve", gate=True)
    assert [one.spent_at is not None for one in state.approvals] == [True]


def test_a_denial_goes_on(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    state = talk(GOAL, "王芳", "/deny 先别动", gate=True)
    assert (state.status, state.approvals[0].granted) == ("completed", False)
    assert "那就不写" in capsys.readouterr().out


def test_constraint_and_goal_always_work(talk: Talk) -> None:
    state = talk(GOAL, "/constraint 不要改 todo.txt")
    assert (state.status, state.constraints, state.plan.version) == (
        "waiting",
        ("不要改 todo.txt",),
        2,
    )
    state = talk("/goal 你好")
    assert (state.goal_version, state.goal) == (2, "你好")


def test_a_cancel_always_works(talk: Talk) -> None:
    state = talk(GOAL, "/cancel 算了", "/answer 王芳")
    assert (state.status, state.stop_reason) == ("cancelled", "算了")


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


def test_branching_revives_no_approval(talk: Talk) -> None:
    state = talk(GOAL, "王芳", "/approve", "/cancel", "/branch 0", gate=True)
    assert [one.spent_at is not None for one in state.approvals] == [True]


def test_what_is_in_the_repository_is_not_asked(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "team.txt").write_text("负责人：李雷\n", encoding="utf-8")
    state = talk(GOAL)
    assert (state.status, state.decisions) == ("completed", ())
    assert [step.reason for step in state.transitions] == ["completed"]

"""The policy as data, and what an action is."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from mini_agent.results import ToolError
from mini_agent.runs.approvals import action_of, diff, with_preview
from mini_agent.runs.policy import BadPolicy, Mode, Policy, Rule, Verdict, read_rules, rule_for
from mini_agent.tools.workspace import Workspace

from tests.steps.step09.support import call

BASH = action_of(call("b", "bash", command="git push"), None)


@dataclass(frozen=True)
class Case:
    id: str
    wanted: Verdict
    rules: tuple[Rule, ...] = ()
    mode: Mode = "ask"
    changing: bool = True
    granted: tuple[Rule, ...] = ()


ALLOW = Rule(verdict="allow", about="git *")
ASK, DENY = replace(ALLOW, verdict="ask"), replace(ALLOW, verdict="deny")
CASES = (
    Case("usual", "ask"),
    Case("only looks", "allow", changing=False),
    Case("allowed", "allow", (ALLOW,)),
    Case("asked though allowed", "ask", (ALLOW, ASK)),
    Case("denied whatever else", "deny", (DENY, ALLOW, ASK), granted=(ALLOW,)),
    Case("granted for the run", "allow", (ASK,), granted=(ALLOW,)),
    Case("a look that is asked about", "ask", (ASK,), changing=False),
    Case("yolo", "allow", (ASK,), mode="yolo"),
    Case("yolo obeys a no", "deny", (DENY,), mode="yolo"),
    Case("read-only", "deny", (ALLOW,), mode="read-only", granted=(ALLOW,)),
    Case("read-only may look", "allow", mode="read-only", changing=False),
    Case("another tool", "ask", (Rule(verdict="allow", tool="write"),)),
    Case("another folder", "ask", (Rule(verdict="allow", folder="/v"),)),
    Case("this folder", "allow", (Rule(verdict="allow", folder="/w"),)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_holds_for_a_call(case: Case) -> None:
    policy = Policy(mode=case.mode, rules=case.rules)
    got = policy.verdict(BASH, "/w", changing=case.changing, granted=case.granted)
    assert got == case.wanted


def test_a_rule_for_an_action_is_for_no_other(tmp_path: Path) -> None:
    star = action_of(call("b", "bash", command="rm [ab]*"), None)
    policy = Policy(mode="ask", rules=(rule_for(star, "/w"),))
    assert policy.verdict(star, "/w", changing=True) == "allow"
    other = action_of(call("b", "bash", command="rm a && curl x"), None)
    assert policy.verdict(other, "/w", changing=True) == "ask"
    assert policy.verdict(star, "/v", changing=True) == "ask"


def test_rules_for_always_are_kept_and_found_again(tmp_path: Path) -> None:
    file = tmp_path / "config" / "permissions.json"
    assert read_rules(file) == ()
    first, second = rule_for(BASH, "/w"), Rule(verdict="deny", tool="write")
    Policy(file=file).keep([first])
    Policy(file=file).keep([second, second])  # another process, that has not seen the first one
    Policy(file=file, rules=read_rules(file)).keep([first])
    assert read_rules(file)[:2] == (first, second)
    assert (file.stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("text", ["", "{}", '[{"verdict": "yes"}]', '[{"verdict":"deny","x":1}]'])
def test_rules_that_cannot_be_read_are_not_passed_over(tmp_path: Path, text: str) -> None:
    file = tmp_path / "permissions.json"
    file.write_text(text)
    with pytest.raises(BadPolicy, match="permissions"):
        read_rules(file)


def digest(workspace: Workspace, tool: str = "write", **arguments: str) -> str:
    values = {"path": "a", "content": "x"} | arguments
    return action_of(call("any", tool, **values), workspace).digest


def test_an_action_is_the_same_only_if_everything_is(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        (folder / "a").write_text("1")
        (folder / "b").write_text("1")
    workspace = Workspace(here)
    same = action_of(call("other-id", "write", content="x", path="./a"), workspace)
    assert same.about == "a"
    first = digest(workspace)
    assert digest(workspace) == first
    others = [
        digest(workspace, "edit"),
        digest(workspace, content="y"),
        digest(workspace, path="b"),
        digest(Workspace(there)),
    ]
    (here / "a").write_text("2")
    others.append(digest(workspace))
    (here / "a").unlink()
    others.append(digest(workspace))
    assert len({first, *others}) == 7


def test_a_link_that_leads_elsewhere_is_another_place(tmp_path: Path) -> None:
    """With the same name, and the same content (fault 72)."""
    for name in "ab":
        (tmp_path / name).write_text("1")
    link = tmp_path / "l"
    link.symlink_to("a")
    workspace = Workspace(tmp_path)
    before = action_of(call("w", "write", path="l", content="x"), workspace)
    link.unlink()
    link.symlink_to("b")
    after = action_of(call("w", "write", path="l", content="x"), workspace)
    assert (before.about, after.about) == ("a", "b")
    assert before.digest != after.digest


def test_a_path_out_of_the_workspace_is_not_even_asked_about(tmp_path: Path) -> None:
    with pytest.raises(ToolError):
        action_of(call("w", "write", path="../a", content="x"), Workspace(tmp_path))


def test_what_is_approved_is_seen_as_a_diff(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    (tmp_path / "a").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    edits = [{"old_text": "two", "new_text": "2" * 500 + "\nos.system('evil')"}]
    edit = call("e", "edit", path="a", edits=edits)  # type: ignore[arg-type]  # is JSON
    preview = with_preview(action_of(edit, workspace), workspace).preview
    assert preview.startswith("--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n one\r\n-two\r\n+222")
    assert "+os.system('evil')" in preview
    write = call("w", "write", path="new/b", content="x")
    preview = with_preview(action_of(write, workspace), workspace).preview
    assert preview == "--- /dev/null\n+++ b/new/b\n@@ -0,0 +1 @@\n+x\n\\ 文件末尾没有换行符"
    bash = call("b", "bash", command="a\nb " + "c" * 5000)
    assert with_preview(action_of(bash, workspace), workspace).preview == bash.arguments["command"]
    other = call("o", "deploy", to="prod", force="是")
    shown = with_preview(action_of(other, workspace), workspace).preview
    assert json.loads(shown) == {"to": "prod", "force": "是"}


def test_an_edit_that_cannot_be_made_is_not_asked_about(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    edits = [{"old_text": "two", "new_text": "2"}]
    edit = call("e", "edit", path="a", edits=edits)  # type: ignore[arg-type]  # is JSON
    workspace = Workspace(tmp_path)
    with pytest.raises(ToolError, match="没有这段"):
        with_preview(action_of(edit, workspace), workspace)


def test_a_diff_tells_the_last_line_end() -> None:
    assert diff("a", b"x\n", b"x") == "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+x\n\\ 文件末尾没有换行符"
    assert diff("a", b"x\n", b"x\n") == "+++ b/a（内容不变）"
    huge = b"x\n" * 15_000
    assert diff("a", huge, b"y\n" + huge).count("\n") > 30_000


def test_what_is_only_looked_at_is_not_read_for_the_policy(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    look = call("r", "read", path="a")
    (tmp_path / "a").write_text("1")
    before = action_of(look, workspace, with_content=False)
    (tmp_path / "a").write_text("2")
    assert action_of(look, workspace, with_content=False) == before
    assert action_of(look, workspace) != before

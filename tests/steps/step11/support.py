"""What these tests share with those of steps 09 and 10, and what it takes to change course."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mini_agent.messages import ToolCall
from mini_agent.runs.inbox import Inbox, Posted
from mini_agent.runs.log import RunLog
from mini_agent.runs.loop import RunConfig
from mini_agent.runs.plan import Evidence, FileRevision, PlanStep
from mini_agent.runs.policy import Policy
from mini_agent.runs.update_plan import create_update_plan
from mini_agent.runs.user_input import Cancel, Constraint, GoalChange, Steering
from mini_agent.tools.tool import Tool

from tests.steps.step09.support import call
from tests.steps.step10 import support

YOLO = Policy(mode="yolo")


@dataclass
class Desk(support.Desk):
    """One process after the other; others can say something by the inbox."""

    policy: Policy = YOLO
    inboxes: Path | None = None

    def config(self) -> RunConfig:
        return replace(super().config(), inboxes=self.inboxes)

    def run_tools(self, log: RunLog) -> tuple[Tool[Any], ...]:
        plan = create_update_plan(log, proving={"read", "write"}, workspace=self.workspace)
        return (*super().run_tools(log), plan)

    def post(self, said: Steering, run_id: str = "s-1") -> None:
        assert self.inboxes is not None
        Inbox(self.inboxes, "s").post(Posted(run_id=run_id, said=said))


def constraint(text: str = "不要改 b", name: str = "in-1") -> Constraint:
    return Constraint(text=text, id=name)


def goal(text: str = "另一件事", name: str = "in-2") -> GoalChange:
    return GoalChange(goal=text, id=name)


def cancel(reason: str = "算了", name: str = "in-3") -> Cancel:
    return Cancel(reason=reason, id=name)


def step(name: str, status: Any = "pending", *results: str, **more: Any) -> PlanStep:
    acceptance = more.get("acceptance", "看得到")
    files = tuple(FileRevision(path=path, digest="") for path in more.get("files", ()))
    evidence = Evidence(results=results, acceptance=acceptance, files=files, goal_version=0)
    return PlanStep(id=name, title=name, acceptance=acceptance, status=status, evidence=evidence)


def plan_call(call_id: str, *steps: dict[str, Any], **effects: str) -> ToolCall:
    return call(
        call_id,
        "update_plan",
        reason="按用户说的",
        steps=[{"title": "t", "acceptance": "看得到"} | one for one in steps],
        effects=[{"id": name, "decision": decision} for name, decision in effects.items()],
    )

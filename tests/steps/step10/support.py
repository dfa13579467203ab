"""What these tests share with those of step 09, and a policy that asks."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from mini_agent.messages import ToolCall
from mini_agent.runs.approvals import Action, action_of
from mini_agent.runs.loop import RunConfig, RunDeps
from mini_agent.runs.policy import Policy
from mini_agent.runs.runner import Runner
from mini_agent.runs.state import AgentState
from mini_agent.runs.user_input import Approve, Deny
from mini_agent.stream import StreamFn

from tests.steps.step09 import support
from tests.steps.step09.support import call

ASK = Policy(mode="ask")


@dataclass
class Desk(support.Desk):
    """One process after the other; before something is changed, the user is asked."""

    policy: Policy = ASK
    ask_user: Callable[[AgentState], Approve | Deny | None] | None = None
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def config(self) -> RunConfig:
        return replace(super().config(), policy=self.policy)

    def process(self, model: StreamFn) -> Runner:
        runner = super().process(model)
        if self.ask_user is not None:
            deps: RunDeps = replace(runner.deps, ask_user=self._ask)
            runner.deps = deps
        return runner

    def _ask(self, state: AgentState) -> Approve | Deny | None:
        self.asked.append(tuple(action.call_id for action in state.pending_actions))
        assert self.ask_user is not None
        assert self.folded().pending_user_input == state.pending_user_input  # on disk before
        said = self.ask_user(state)
        return None if said is None else replace(said, in_turn=True)


def yes(state: AgentState, scope: Any = "once") -> Approve:
    return Approve(request_id=support.pending_id(state), scope=scope)


def no(state: AgentState, reason: str = "") -> Deny:
    return Deny(request_id=support.pending_id(state), reason=reason)


def write(call_id: str = "w", path: str = "a.txt", content: str = "x") -> ToolCall:
    return call(call_id, "write", path=path, content=content)


def action(call_id: str = "w", **arguments: Any) -> Action:
    return action_of(call(call_id, "write", **arguments), None)

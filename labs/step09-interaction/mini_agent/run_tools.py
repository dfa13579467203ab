"""The two tools with which the model speaks to the harness itself: to ask, and to plan.

Their names are reserved: no ordinary tool, no permission and no extension sees these calls.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from .clarification import RequestArgs
from .messages import ToolCall, ToolSpec
from .plan_revision import ProposedStep
from .results import check_arguments
from .tools.arguments import validated
from .tools.tool import Arguments, ForModels

REQUEST_USER_INPUT = "request_user_input"
UPDATE_PLAN = "update_plan"

REQUEST = """\
问用户一个问题，然后停下来等。只在回答会改变做法、权限或验收，而且自己查不到时才问。
一次一个决定，单独调用：同一轮里不能有别的调用。"""

PLAN = """\
写下或修改计划：全部步骤，同时只有一个 in_progress。做完的步骤要留着，标 done 要写明查过什么
（checked）和涉及的文件（files）。目标变过以后，还要说明旧改动的去留（effects）。"""


class ProposedVerdict(Arguments):
    """What the model thinks about a side effect of an earlier goal."""

    id: str
    decision: Literal["keep", "undo", "manual_reconciliation"]


class PlanArgs(Arguments):
    """The arguments of `update_plan`."""

    reason: str = Field(min_length=1, description="为什么改计划")
    steps: tuple[ProposedStep, ...] = Field(description="全部步骤，按顺序")
    effects: tuple[ProposedVerdict, ...] = Field(
        default=(), description="旧目标下的改动：保留、撤销，还是交给人"
    )


PARAMETERS: Mapping[str, type[RequestArgs | PlanArgs]] = MappingProxyType(
    {
        REQUEST_USER_INPUT: RequestArgs,
        UPDATE_PLAN: PlanArgs,
    }
)

RESERVED = frozenset(PARAMETERS)


def run_tool_specs() -> tuple[ToolSpec, ...]:
    """Return what the model is told about them."""
    return tuple(
        ToolSpec(
            name=name,
            description=description,
            parameters=PARAMETERS[name].model_json_schema(schema_generator=ForModels),
        )
        for name, description in ((REQUEST_USER_INPUT, REQUEST), (UPDATE_PLAN, PLAN))
    )


def checking_run_tools(check: Callable[[ToolCall], ToolCall]) -> Callable[[ToolCall], ToolCall]:
    """Return a check that knows these two; all other calls go to `check`."""

    def check_call(call: ToolCall) -> ToolCall:
        if call.name not in PARAMETERS:
            return check(call)
        check_arguments(call)
        args = validated(call.arguments, PARAMETERS[call.name])
        return replace(call, arguments=args.model_dump(mode="json"))

    return check_call


def request_args(call: ToolCall) -> RequestArgs:
    """Return the arguments of a checked call of `request_user_input`."""
    return validated(call.arguments, RequestArgs)


def plan_args(call: ToolCall) -> PlanArgs:
    """Return the arguments of a checked call of `update_plan`."""
    return validated(call.arguments, PlanArgs)

"""The tool `request_user_input`: a question that is good enough is on record, and the run waits.

Not here: that nothing else happens in the turn of a question (`hooks.py`).
"""

from collections.abc import Callable, Collection

from ..abort import AbortSignal
from ..results import ToolError
from ..tools.tool import Tool
from .clarification import RequestArgs, normal_form, rejection_reason
from .interaction import wait_for_user_input
from .log import RunLog

REQUEST_USER_INPUT = "request_user_input"

DESCRIPTION = """\
问用户一个问题，然后停下来等。只在回答会改变做法、权限或验收，而且自己查不到时才问。
一次一个决定，单独调用：同一轮里不能有别的调用。"""

WAITING = "waiting {id}"


def create_request_user_input(log: RunLog, *, looking: Collection[str]) -> Tool[RequestArgs]:
    """Return the tool for the run of `log`. `looking` names the tools that only look."""

    async def ask(
        args: RequestArgs, /, *, signal: AbortSignal, on_update: Callable[[str], None]
    ) -> str:
        no = rejection_reason(args, log.state, looks=log.results(looking), can_look=bool(looking))
        if no is not None:
            raise ToolError(no)
        request = log.new_request(
            "clarification",
            question=args.question.strip(),
            reason=args.reason.strip(),
            options=tuple(option.strip() for option in args.options),
        )
        decision = normal_form(args.decision)
        log.save(wait_for_user_input(log.state, request, now=log.clock(), decision=decision))
        return WAITING.format(id=request.id)

    return Tool(
        name=REQUEST_USER_INPUT,
        description=DESCRIPTION,
        parameters=RequestArgs,
        execute=ask,
    )

"""`/model`: which model answers, and another one from the next message on."""

from collections.abc import Callable
from dataclasses import replace

from ..providers.settings import BadSetting
from ..runs.runner import Runner
from .assembly import ChosenModel

NOT_HERE = "这里不能换模型。"
RUN_IS_OPEN = "运行还没有结束，不能换模型：先让它做完，或者 /cancel。"


def change_model(runner: Runner, name: str, choose: Callable[[str], ChosenModel] | None) -> str:
    """Let the model `name` do the next run, and return what to tell the user; "": only tell.

    A run goes on with the model that it began with, so none may be open. Thoughts of the other
    model stay in the history; they are not sent to this one.
    """
    if not name:
        return f"模型：{runner.config.model}"
    if choose is None:
        return NOT_HERE
    state = runner.log.current
    if state is not None and state.is_open:
        return RUN_IS_OPEN
    try:
        chosen = choose(name)
    except BadSetting as problem:
        return str(problem).replace("MINI_AGENT_MODEL", "/model")
    runner.deps = replace(runner.deps, model=chosen.stream)
    runner.config = replace(runner.config, model=chosen.name)
    return chosen.why

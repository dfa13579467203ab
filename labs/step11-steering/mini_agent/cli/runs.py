"""The commands of runs: open the session, say one thing to the run, work, say how it stands.

Nothing is ever read from the terminal here, so it makes no difference whether there is one.
"""

from argparse import Namespace
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from pathlib import Path

import anyio

from ..agent_events import AgentEnd, AgentEvent
from ..ctrl_c import ctrl_c_aborts
from ..errors import leaves
from ..extensions.events import SessionStart
from ..extensions.loader import Sources
from ..extensions.observers import observed, tell
from ..options import workspace_folder
from ..providers.masking import hide_in_results
from ..runs.inbox import Inbox, Posted, describe_steering
from ..runs.interaction import apply
from ..runs.log import RunLog
from ..runs.loop import RunConfig
from ..runs.runner import Runner, folder_of
from ..runs.state import AgentState
from ..runs.user_input import Cancel, Constraint, GoalChange, InputRefused, Steering
from ..sessions.entries import SessionError
from ..sessions.file import FileStore, SessionBusy
from ..sessions.folder import session_path
from ..sessions.session import Session
from ..text import one_line
from ..tools.workspace import Workspace
from .assembly import CliDeps, assemble, create_runner, policy_for
from .describe import Exit, describe_end, describe_run, exit_of
from .lookup import describe_runs, file_of, is_held, look_up, require_current
from .output import output_of, show_run
from .session_options import open_session
from .usage import describe_usage
from .verbs import said_by_options

BUSY = "run_busy：另一个进程正在用 {run}；steer 和 cancel 仍然可以对它说话"
APPLIED = "已生效：目标第 {goal} 版，计划第 {plan} 版。"
DELIVERED = "已放进 {run} 的收件箱：它正在别的进程里，会在下一轮之前看到；取消则立刻生效。"


def perform(options: Namespace, sessions: Path, deps: CliDeps) -> Exit:
    """Carry out the command that the user has given. Trouble goes to stderr.

    Raises:
        BadSetting: a variable that chooses the model cannot be used.
    """
    code = Exit.FAILED
    deps = replace(deps, output=output_of(options))
    try:
        code = _perform(options, sessions, deps)
    except* InputRefused as refusals:  # `except*`: out of the event loop it comes in a group
        code = Exit.REFUSED
        for refusal in leaves(refusals):
            deps.notify(f"{refusal.code}：{refusal}")
    except* SessionBusy:
        code = Exit.BUSY
        deps.notify(BUSY.format(run=one_line(options.run)))
    except* SessionError as trouble:
        for error in leaves(trouble):
            deps.notify(str(error))
    return code


def _perform(options: Namespace, sessions: Path, deps: CliDeps) -> Exit:
    match options.command:
        case "run":
            return _run(options, sessions, deps)
        case "runs":
            print(describe_runs(sessions))
        case "status":
            state = look_up(sessions, options.run)
            print(describe_run(state, program=deps.program, full=options.full))
            if state.status == "running" and not is_held(sessions, options.run):
                print(f"现在没有进程在做它。\n{_end(state, deps)}")
        case _:
            return _go_on(options, sessions, deps)
    return Exit.DONE


def _run(options: Namespace, sessions: Path, deps: CliDeps) -> Exit:
    config = RunConfig(
        inboxes=sessions,
        budget=options.budget,
        answer_within=options.answer_within,
        policy=policy_for(options, None, deps),
    )
    with workspace_folder(options.workspace) as folder:
        workspace = Workspace(folder)
        new_id = deps.new_id()
        session = Session.start(
            FileStore(session_path(sessions, new_id)),
            new_id,
            working_folder=folder_of(workspace),
            new_id=deps.new_id,
            now=deps.clock,
        )
        return _work(
            session,
            workspace,
            deps.sources(options),
            config=config,
            deps=deps,
            say=lambda runner: runner.start(options.goal),
        )


def _go_on(options: Namespace, sessions: Path, deps: CliDeps) -> Exit:
    """Say something to a run that is there, and let it go on if it can."""
    said = said_by_options(options)
    path = file_of(sessions, options.run)
    inbox = Inbox(sessions, path.stem)
    if isinstance(said, Cancel | Constraint | GoalChange):
        return _steer(options.run, said, path, inbox=inbox, deps=deps)
    session = open_session(path)
    try:
        log = RunLog(session, clock=deps.clock, new_id=deps.new_id)
        require_current(log, options.run)
        _take_in(inbox, log, deps)  # first: what was said before may change what can be said now
        state = log.state
        after = apply(state, said, now=deps.clock())  # or it is refused, and not written
        if after.status != "running":  # so nobody is needed to work at it
            log.save(after)
            print(_end(log.state, deps))
            return Exit.DONE
        folder = options.workspace or Path(state.working_folder)
        if not folder.is_dir():
            text = f"文件夹 {one_line(str(folder))} 不在了；用 --workspace 另选一个"
            raise InputRefused("run_elsewhere", text)
        return _work(
            session,
            Workspace(folder),
            with_remembered(deps.sources(options), state),
            config=RunConfig(
                inboxes=sessions, force=options.force, policy=policy_for(options, state, deps)
            ),
            deps=deps,
            say=lambda runner: runner.tell(said),
        )
    finally:
        session.close()


def _steer(run_id: str, said: Steering, path: Path, *, inbox: Inbox, deps: CliDeps) -> Exit:
    """Say something to a run, also while another process holds it: then by its inbox."""
    said = replace(said, id=deps.new_id())
    try:
        session = open_session(path)
    except SessionBusy:
        apply(look_up(path.parent, run_id), said, now=deps.clock())  # or refuse it here
        inbox.post(Posted(run_id=run_id, said=said))
        try:  # the other one may have left just now, without a look into the inbox
            session = open_session(path)
        except SessionBusy:
            print(DELIVERED.format(run=run_id))
            return Exit.DONE
    try:
        log = RunLog(session, clock=deps.clock, new_id=deps.new_id)
        require_current(log, run_id)
        _take_in(inbox, log, deps)
        if said.id not in log.state.taken_inputs:
            log.save(apply(log.state, said, now=deps.clock()))
        plan = log.state.plan
        print(APPLIED.format(goal=log.state.goal_version, plan=plan.version))
        print(_end(log.state, deps))
    finally:
        session.close()
    return Exit.DONE


def _take_in(inbox: Inbox, log: RunLog, deps: CliDeps) -> None:
    for said in inbox.take_in(log):
        deps.notify(f"（收到：{describe_steering(said)}）")


def with_remembered(sources: Sources, state: AgentState | None) -> Sources:
    """Return `sources` with the files that a run began with among those that are named."""
    files = state.extensions if state is not None else ()
    return replace(sources, chosen=(*sources.chosen, *(Path(file.path) for file in files)))


def _work(
    session: Session,
    workspace: Workspace,
    sources: Sources,
    *,
    config: RunConfig,
    deps: CliDeps,
    say: Callable[[Runner], None],
) -> Exit:
    """Let `say` speak to the run of `session`, and work until it waits or is over."""
    chosen = deps.choose()
    deps.notify(chosen.why)
    config = replace(config, model=chosen.name, clock=deps.clock, new_id=deps.new_id)
    parts = assemble(session, workspace, sources, config=config, deps=deps)
    tools = hide_in_results(parts.tools, chosen.mask)
    runner = create_runner(chosen.stream, parts.conversation, tools, parts.surroundings)
    extensions = runner.deps.extensions
    extensions.context.session = session

    async def work() -> None:
        async with ctrl_c_aborts() as signal:
            reason = SessionStart(reason="resumed" if session.entries() else "new")
            await tell(reason, extensions, signal=signal)
            say(runner)

            async def show(run: AsyncGenerator[AgentEvent, None]) -> AgentEnd:
                watched = observed(run, extensions, signal=signal)
                return await show_run(watched, deps.output, notify=deps.notify)

            await runner.work(signal=signal, show=show)

    try:
        anyio.run(work)
        tell_user = print if deps.output in ("screen", "plain") else deps.notify
        tell_user(_end(runner.log.state, deps))
        if usage := describe_usage(parts.conversation.context.messages):
            deps.notify(usage)
        return exit_of(runner.log.state)
    finally:
        session.close()


def _end(state: AgentState, deps: CliDeps) -> str:
    return describe_end(state, program=deps.program, now=deps.clock())

"""The commands of runs: open the session, say one thing to the run, work, say how it stands.

Nothing is ever read from the terminal here, so it makes no difference whether there is one.
"""

from argparse import Namespace
from datetime import datetime
from pathlib import Path

from .assembly import CommandSurroundings
from .describe_run import describe_end, describe_run
from .errors import leaves
from .exit_codes import Exit
from .inbox import Inbox
from .intake import take_in
from .interaction import apply_user_answer, apply_user_steering, approve, resume
from .options import workspace_folder
from .remembered_extensions import files_to_remember, with_remembered
from .run_desk import RunDesk
from .run_files import current_run, describe_runs, file_of, look_up
from .run_process import new_session_of_run, work_at
from .run_state import AgentState
from .run_terms import Terms
from .runner import Runner
from .session_entries import SessionError
from .session_file import SessionBusy
from .session_options import open_session
from .text import escape_controls
from .tools.workspace import Workspace
from .user_input import InputRefused, SteeringType, UserInputAnswer, UserSteering

USUAL = CommandSurroundings()
APPLIED = "已生效：目标第 {goal} 版，计划第 {plan} 版。"
DELIVERED = "已放进 {run_id} 的收件箱：它正在别的进程里，会在下一轮之前看到；取消则立刻生效。"


def perform(options: Namespace, sessions: Path, surroundings: CommandSurroundings = USUAL) -> Exit:
    """Carry out the command that the user has given. Trouble goes to stderr.

    Raises:
        BadSetting: a variable that chooses the model cannot be used.
    """
    code = Exit.FAILED
    try:
        code = _perform(options, sessions, surroundings)
    except* InputRefused as refusals:  # `except*`: out of the event loop it comes in a group
        code = Exit.REFUSED
        for refusal in leaves(refusals):
            surroundings.notify(f"{refusal.code}：{escape_controls(str(refusal))}")
    except* SessionBusy:
        code = Exit.BUSY
        surroundings.notify(
            f"run_busy：另一个进程正在用 {options.run}；steer 和 cancel 仍然可以对它说话"
        )
    except* SessionError as trouble:
        for error in leaves(trouble):
            surroundings.notify(escape_controls(str(error)))
    return code


def _perform(options: Namespace, sessions: Path, around: CommandSurroundings) -> Exit:
    match options.command:
        case "run":
            return _run(options, sessions, around)
        case "runs":
            print(describe_runs(sessions))
            return Exit.DONE
        case "status":
            print(describe_run(look_up(sessions, options.run)))
            return Exit.DONE
        case "steer" if options.constraint is not None:
            return _steer(sessions, options.run, around, "constraint", options.constraint)
        case "steer" if options.goal is not None:
            return _steer(sessions, options.run, around, "goal_change", options.goal)
        case "steer":
            return _steer(sessions, options.run, around, "cancel", options.cancel)
        case "cancel":
            return _steer(sessions, options.run, around, "cancel", options.reason)
        case _:
            return _go_on(options, sessions, around)


def _run(options: Namespace, sessions: Path, around: CommandSurroundings) -> Exit:
    sources = around.sources(options)
    terms = Terms(
        extensions=files_to_remember(sources),
        budget=options.budget,
        answer_within=options.answer_within,
        inboxes=sessions,
    )
    with workspace_folder(options.workspace) as folder:
        workspace = Workspace(folder)
        session = new_session_of_run(sessions, workspace, around)
        try:
            return work_at(
                session,
                workspace=workspace,
                sources=sources,
                terms=terms,
                around=around,
                say=lambda runner: runner.start(options.goal),
            )
        finally:
            session.close()


def _go_on(options: Namespace, sessions: Path, around: CommandSurroundings) -> Exit:
    """Answer, approve, deny or resume, in the folder and with the extensions of the run."""
    session = open_session(file_of(sessions, options.run))
    try:
        state = current_run(session, options.run)
        _require_possible(options, state, now=around.now())
        folder = options.workspace or Path(state.working_folder)
        if not folder.is_dir():
            raise InputRefused("run_elsewhere", f"文件夹 {folder} 不在了；用 --workspace 另选一个")
        return work_at(
            session,
            workspace=Workspace(folder),
            sources=with_remembered(around.sources(options), state.extensions),
            terms=Terms(extensions=state.extensions, insist=options.anyway, inboxes=sessions),
            around=around,
            say=lambda runner: _say(options, runner),
        )
    finally:
        session.close()


def _require_possible(options: Namespace, state: AgentState, *, now: datetime) -> None:
    """Refuse what will be refused, before anything is written, be it to mend what a crash left."""
    match options.command:
        case "answer":
            answer = UserInputAnswer(
                request_id=options.request, content=options.text, received_at=now
            )
            apply_user_answer(state, answer, now=now)
        case "approve" | "deny":
            approve(state, options.request, now=now)
        case _:
            resume(state, now=now)


def _say(options: Namespace, runner: Runner) -> None:
    match options.command:
        case "answer":
            runner.answer(options.request, options.text)
        case "approve":
            runner.approve(options.request)
        case "deny":
            runner.deny(options.request, options.reason)
        case _:
            runner.resume()


def _steer(
    sessions: Path, run_id: str, around: CommandSurroundings, type_: SteeringType, text: str
) -> Exit:
    """Put it into the inbox; if nobody works at the session, take it out again right away."""
    steering = UserSteering(id=around.new_id(), run_id=run_id, type=type_, text=text)
    apply_user_steering(look_up(sessions, run_id), steering, now=around.now())  # or refuse it here
    path = file_of(sessions, run_id)
    inbox = Inbox(sessions, path.stem)
    inbox.post(steering)
    try:
        session = open_session(path)
    except SessionBusy:
        print(DELIVERED.format(run_id=run_id))
        return Exit.DONE
    try:
        desk = RunDesk(session, now=around.now, new_id=around.new_id)
        take_in(desk, inbox)
        state = desk.state
        print(APPLIED.format(goal=state.goal_version, plan=state.plan.version))
        print(describe_end(state))
    finally:
        session.close()
    return Exit.DONE

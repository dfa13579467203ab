"""What the model is told when a run goes on: all that has happened since it was last called."""

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.interaction import GOAL, QUESTION, TOO_LONG, PureRun
from conformance.support.subject import Subject

pytestmark = read("context")


def test_answer_as_context(subject: Subject) -> None:
    """An answer becomes a piece of context: which question, what was said, how important."""
    run = PureRun(subject)
    answer = subject.get("runs.user_input.UserInputAnswer")(
        request_id="ask-1", content="王芳", received_at=run.request().created_at
    )
    came = subject.get("runs.briefing.answer_as_context_source")(run.request(), answer)
    wanted = subject.get("runs.briefing.ContextSource")(
        id="user-input:ask-1", kind="user_input", label=QUESTION, content="王芳", priority=98
    )
    judge.same(came, wanted, called="answer_as_context_source(...)")


def test_assembled(subject: Subject) -> None:
    """The most important piece stands first; what must be known stays, however long it is.

    Of the others as many as fit stand there, each of them whole; the text says how many do not.
    """
    make = subject.get("runs.briefing.ContextSource")
    pieces = [
        make(id=name, kind="user_input", label=name, content=content, priority=priority)
        for name, content, priority in (
            *(("丙", "丙内容", 1), ("甲", "长" * 500, 98), ("乙", "乙内容", 50)),
            ("丁", "丁" * 40, 60),
        )
    ]
    assemble = subject.get("runs.briefing.assemble")
    first, second, third, fourth = (
        f"甲\n{'长' * 500}",
        f"丁\n{'丁' * 40}",
        "乙\n乙内容",
        "丙\n丙内容",
    )
    called = "assemble(pieces of priority 98, 60, 50 and 1"
    wanted = "\n\n".join([first, second, third, fourth])
    judge.same(assemble(pieces, 1000), wanted, called=f"{called}; room for all)")
    came = assemble(pieces, 20)
    parts = came.split("\n\n")
    judge.holds(
        parts[:3] == [first, third, fourth] and "丁" not in came and "1" in "".join(parts[3:]),
        called=f"{called}; room for the short ones)",
        came=parts,
        wanted="甲, 乙 and 丙 whole, nothing of 丁, and a mark that 1 is left out",
    )


def test_news(subject: Subject) -> None:
    """What has happened is told once, with the goal; when the model was called, it knows."""
    run = PureRun(subject)
    answered = run.reply(run.wait(run.record(run.new(), "ModelCalled")))
    died = run.tell(answered, "Resume")  # the process that took the answer
    knows = run.record(died, "ModelCalled")
    later = run.tell(knows, "Resume")
    judge.holds(
        all(text in run.told(died) for text in (QUESTION, "王芳", GOAL))
        and run.told(died).index("王芳") < run.told(died).index(GOAL)
        and run.told(died) != run.told(answered)
        and run.told(knows) == run.told(run.new()) == "nothing"
        and "王芳" in run.told(later)
        and run.told(later).index(GOAL) < run.told(later).index("王芳"),
        called="briefing(...): answered, died and resumed; then the model was called; then resumed",
        came=[run.told(died), run.told(knows), run.told(later)],
        wanted="question, answer, and then the goal; nothing; the answer again, behind the goal",
    )


def test_nothing_is_left_out(subject: Subject) -> None:
    """What was accepted is told whole, however long it is, and whatever else has happened."""
    run = PureRun(subject)
    longest = TOO_LONG[:-1]
    state = run.new()
    for number in range(3):
        asked = run.wait(state, run.request(f"ask-{number}"), decision=str(number))
        state = run.reply(asked, longest, to=f"ask-{number}")
    judge.same(
        run.told(state).count(longest),
        3,
        called="briefing(...) after three answers of 20000 characters; how many of them are told",
    )

"""`sessions/repair.py`: what a crash left behind, made fit to be sent; nothing is run again."""

from typing import Any

from conformance.support import judge
from conformance.support.chapters import read
from conformance.support.history import fault_in_history, in_words
from conformance.support.model import Call, Says
from conformance.support.session import conversation_of
from conformance.support.subject import Subject

pytestmark = read("repair")


def result(subject: Subject, call_id: str, text: str = "好") -> Any:
    """Return a result of the tool `echo`."""
    block = subject.get("messages.TextContent")(text=text)
    return subject.get("messages.ToolResultMessage")(
        tool_call_id=call_id, tool_name="echo", content=(block,)
    )


def whole(subject: Subject) -> list[Any]:
    """Return a history in which nothing is missing; an id comes again after another answer."""
    return [
        subject.get("messages.user_text")("开始"),
        Says(Call("t1"), Call("t2")).of(subject),
        result(subject, "t1"),
        result(subject, "t2"),
        Says("再", Call("t3")).of(subject),
        result(subject, "t3"),
        Says("完").of(subject),
    ]


def damaged(subject: Subject) -> list[Any]:
    """Return a history with results for no call, in the wrong order, twice, and missing."""
    return [
        subject.get("messages.user_text")("开始"),
        result(subject, "t0"),
        Says(Call("t1"), Call("t2"), Call("t3")).of(subject),
        result(subject, "t2"),
        result(subject, "t1"),
        result(subject, "t1", "又"),
        subject.get("messages.user_text")("继续"),
        Says(Call("t4")).of(subject),
    ]


def test_whole_history_stays(subject: Subject) -> None:
    """A history in which nothing is missing is sent as it is, and no call is open."""
    messages = whole(subject)
    came = subject.get("sessions.repair.repair")(messages)
    calls = subject.get("sessions.repair.open_calls")(messages)
    judge.holds(
        list(came) == messages and list(calls) == [],
        called=f"repair and open_calls of {', '.join(in_words(messages))}",
        came=f"{', '.join(in_words(came))}; open: {calls}",
        wanted="the same messages; no open call",
    )


def test_repair(subject: Subject) -> None:
    """Each call gets its one result, in order; a missing one is an error, others are left out."""
    messages = damaged(subject)
    came = list(subject.get("sessions.repair.repair")(messages))
    results = [(m.tool_call_id, m.is_error) for m in came if m.role == "tool_result"]
    wanted = [("t1", False), ("t2", False), ("t3", True), ("t4", True)]
    called = f"repair of {', '.join(in_words(messages))}"
    judge.holds(
        not fault_in_history(came) and results == wanted,
        called=called,
        came=f"{fault_in_history(came)}\n{', '.join(in_words(came))}",
        wanted=f"the results {wanted}, each right behind its answer",
    )
    others = [m for m in messages if m.role != "tool_result"]
    judge.holds(
        [m for m in came if m.role != "tool_result"] == others and messages == damaged(subject),
        called=called,
        came=", ".join(in_words(came)),
        wanted="every other message, and the list that was given as it was",
    )


def test_repeated_ids(subject: Subject) -> None:
    """An id that comes again, in the same answer or later, is another one where it is sent."""
    messages = [
        subject.get("messages.user_text")("开始"),
        Says(Call("t1"), Call("t1")).of(subject),
        result(subject, "t1", "一"),
        result(subject, "t1", "二"),
        Says(Call("t1")).of(subject),
        result(subject, "t1", "三"),
    ]
    came = list(subject.get("sessions.repair.repair")(messages))
    said = [m.content[0].text for m in came if m.role == "tool_result"]
    judge.holds(
        not fault_in_history(came) and said == ["一", "二", "三"],
        called=f"repair of {', '.join(in_words(messages))}",
        came=f"{fault_in_history(came)}\n{', '.join(in_words(came))}",
        wanted="the same calls under ids of their own, each with its result behind the answer",
    )


def test_repair_is_told(subject: Subject) -> None:
    """Who goes on with a history that had to be repaired is told so, once; else nothing is."""
    start = subject.get("sessions.session.Session").start
    told: dict[str, list[str]] = {}
    for name, messages in (("whole", whole(subject)), ("damaged", damaged(subject)[:-1])):
        session = start(subject.get("sessions.store.MemoryStore")(), "s1")
        for message in messages:
            session.add_message(message)
        notices: list[str] = []
        conversation_of(subject, session, notify=notices.append)
        told[name] = [notice for notice in notices if "效果未知" in notice or "结果" in notice]
    judge.holds(
        told["whole"] == [] and any("2" in notice for notice in told["damaged"]),
        called="Conversation of a whole history, and of one with two results that fit no call",
        came=told,
        wanted="no notice for the first; for the second one that says how many (2) are left out",
    )


def test_open_calls(subject: Subject) -> None:
    """The open calls are those of the last answer that have no result yet."""
    messages = damaged(subject)
    came = [
        [call.id for call in subject.get("sessions.repair.open_calls")(messages[:n])]
        for n in (3, 5, 8)
    ]
    wanted = [["t1", "t2", "t3"], ["t3"], ["t4"]]
    judge.same(
        came,
        wanted,
        called=f"open_calls of the first 3, 5 and 8 of {', '.join(in_words(messages))}",
    )


def test_effect_unknown(subject: Subject) -> None:
    """A call of which nobody knows whether it ran gets an error that says so, under its own id."""
    call = Call("t7", "bash").of(subject)
    came = subject.get("sessions.repair.effect_unknown")(call)
    judge.holds(
        (came.tool_call_id, came.tool_name, came.is_error) == ("t7", "bash", True)
        and came.content[0].text.strip(),
        called="effect_unknown(ToolCall(id='t7', name='bash'))",
        came=came,
        wanted="an error for t7 of bash, with a text",
    )

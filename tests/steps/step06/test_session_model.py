"""Any sequence of saying, moving, forking, leaving and tearing leaves what a simple model says."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from mini_agent.messages import message_text, user_text
from mini_agent.sessions.entries import CustomEntry
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.session import Session
from mini_agent.sessions.store import MemoryStore, whole_lines
from pydantic import JsonValue

from tests.steps.step06.support import NOW

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
DATA = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


class SessionMachine(RuleBasedStateMachine):
    """One session in a file and one in memory live the same life; the model is two dicts."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "s0.jsonl"
        self.forks = 0
        self.parents: dict[str, str | None] = {}
        self.content: dict[str, JsonValue] = {}
        self.leaf: str | None = None
        self.file_store = FileStore(self.path)
        self.memory_store = MemoryStore()
        self.file = Session.start(self.file_store, "s0", new_id=self.next_id, now=lambda: NOW)
        self.memory = Session.start(self.memory_store, "s0", new_id=self.next_id, now=lambda: NOW)

    def teardown(self) -> None:
        self.file_store.close()
        self.folder.cleanup()

    def next_id(self) -> str:
        return f"e{self.forks}-{len(self.parents)}"

    def added(self, parent: str | None, content: JsonValue = None) -> None:
        self.leaf = self.next_id()
        self.content[self.leaf] = content
        self.parents[self.leaf] = parent

    @rule(text=TEXT)
    def say(self, text: str) -> None:
        for session in (self.file, self.memory):
            session.add_message(user_text(text))
        self.added(self.leaf, f"said {text}")

    @rule(data=DATA)
    def remember(self, data: JsonValue) -> None:
        for session in (self.file, self.memory):
            session.add_custom("kind", data)
        self.added(self.leaf, [data])

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        target = data.draw(st.sampled_from([None, *self.parents]))
        for session in (self.file, self.memory):
            session.move_to(target)
        self.added(target)

    @precondition(lambda self: self.parents)
    @rule()
    def leave_and_come_back(self) -> None:
        self.file_store.close()
        self.open()

    @precondition(lambda self: self.parents)
    @rule(tail=st.binary(min_size=1, max_size=20).map(lambda tail: b"{" + tail.replace(b"\n", b"")))
    def die_while_writing(self, tail: bytes) -> None:
        self.file_store.close()
        with self.path.open("ab") as file:
            file.write(tail)
        self.open()

    @precondition(lambda self: self.parents)
    @rule()
    def fork(self) -> None:
        self.forks += 1
        file, memory = self.file.fork(), self.memory.fork()
        assert file.header == memory.header
        file.close()
        self.file_store.close()
        self.path = self.path.with_name(f"{file.header.id}.jsonl")
        self.memory_store = MemoryStore(self.path.read_bytes())
        self.open()

    def open(self) -> None:
        self.file_store = FileStore(self.path)
        self.file = Session.open(self.file_store, new_id=self.next_id, now=lambda: NOW)
        self.memory = Session.open(self.memory_store, new_id=self.next_id, now=lambda: NOW)

    @invariant()
    def all_entries_are_there_in_order(self) -> None:
        for session in (self.file, self.memory):
            assert {entry.id: entry.parent_id for entry in session.entries()} == self.parents
            customs = [e for e in session.entries() if isinstance(e, CustomEntry)]
            assert [[custom.data] for custom in customs] == [
                content for content in self.content.values() if isinstance(content, list)
            ]

    @invariant()
    def the_conversation_is_the_branch(self) -> None:
        walk, at = [], self.leaf
        while at is not None:
            walk.append(self.content[at])
            at = self.parents[at]
        said = [content for content in reversed(walk) if isinstance(content, str)]
        for session in (self.file, self.memory):
            assert [f"said {message_text(message)}" for message in session.messages()] == said

    @invariant()
    def the_file_holds_the_lines_that_memory_holds(self) -> None:
        assert whole_lines(self.file_store.read()) == self.memory_store.read()


SessionMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=20)
test_a_session_lives_as_the_model_says = SessionMachine.TestCase

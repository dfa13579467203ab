"""A conversation that outlives its process: a tree of entries, kept as lines in a store.

Not here: files (`file.py`), and which session to open (`folder.py`).
"""

from pydantic import JsonValue

from ..clock import Clock, IdFactory, random_id, utc_now
from ..messages import Message
from .entries import (
    CUSTOM,
    CustomEntry,
    Entry,
    KnownEntry,
    LeafEntry,
    MessageEntry,
    SessionError,
    SessionHeader,
    Unstorable,
    encode,
)
from .load import Loaded, describe_damage, load
from .store import SessionStore, whole_lines


class Session:
    """The entries of a session, and the place in their tree where the conversation goes on.

    That place is the entry that was added last. Going back to an earlier one is
    an entry too (`move_to`): so it is not forgotten when the process ends.
    """

    def __init__(
        self,
        store: SessionStore,
        loaded: Loaded,
        *,
        unstored: bytes = b"",
        new_id: IdFactory = random_id,
        now: Clock = utc_now,
    ) -> None:
        """Use `start`, `open` or `fork` instead."""
        self.header = loaded.header
        self.warnings = describe_damage(loaded)
        self.leaf_id = loaded.last_id
        self._store = store
        self._entries = loaded.entries
        self._unstored = unstored
        self._new_id = new_id
        self._now = now

    @classmethod
    def start(
        cls,
        store: SessionStore,
        session_id: str,
        *,
        working_folder: str | None = None,
        new_id: IdFactory = random_id,
        now: Clock = utc_now,
    ) -> "Session":
        """Begin a session in an empty store. Nothing is stored before its first entry.

        Raises:
            SessionError: the store is not empty.
        """
        if store.read():
            raise SessionError(f"会话 {session_id} 已经存在")
        header = SessionHeader(id=session_id, created_at=now(), working_folder=working_folder)
        return cls(store, Loaded(header=header), unstored=encode(header), new_id=new_id, now=now)

    @classmethod
    def open(
        cls, store: SessionStore, *, new_id: IdFactory = random_id, now: Clock = utc_now
    ) -> "Session":
        """Go on with the session in `store`; `warnings` then says what could not be read.

        Raises:
            SessionError: it is no session, of another version, or no tree. Nothing was changed.
        """
        return cls(store, load(store.read()), new_id=new_id, now=now)

    def fork(self) -> "Session":
        """Copy all branches into a session of its own, byte for byte, and return that one.

        Raises:
            SessionError: the copy could not be stored.
        """
        header = SessionHeader(
            id=self._new_id(),
            created_at=self._now(),
            working_folder=self.header.working_folder,
            forked_from=self.header.id,
        )
        store = self._store.beside(header.id)
        store.append(encode(header) + b"".join(whole_lines(self._store.read())[1:]))
        copy = Session.open(store, new_id=self._new_id, now=self._now)
        copy.warnings = self.warnings
        return copy

    def add_message(self, message: Message) -> MessageEntry:
        """Store a message as the next thing said; see `SessionStore.append` for what that means.

        Raises:
            Unstorable: it is not strict JSON. Nothing has changed then.
            SessionError: it could not be stored; the same holds.
        """
        entry = MessageEntry(id=self._new_id(), parent_id=self.leaf_id, message=message)
        self._add(entry)
        return entry

    def add_custom(self, kind: str, data: JsonValue) -> CustomEntry:
        """Store something that no model will see; otherwise like `add_message`.

        Raises:
            ValueError: `data` is not JSON, NaN included.
        """
        data = CUSTOM.validate_python(data)
        entry = CustomEntry(id=self._new_id(), parent_id=self.leaf_id, kind=kind, data=data)
        self._add(entry)
        return entry

    def move_to(self, entry_id: str | None) -> LeafEntry:
        """Go on behind another entry; None: before the first one. All else as in `add_message`."""
        if entry_id is not None and entry_id not in self._entries:
            raise SessionError(f"会话里没有编号为 {entry_id!r} 的条目")
        entry = LeafEntry(id=self._new_id(), parent_id=entry_id)
        self._add(entry)
        return entry

    def entries(self) -> list[Entry]:
        """Return the entries of all branches, in the order in which they were stored."""
        return list(self._entries.values())

    def branch(self) -> list[Entry]:
        """Return the entries from the beginning of this branch to where it goes on."""
        found: list[Entry] = []
        at = self.leaf_id
        while at is not None and (entry := self._entries.get(at)) is not None:
            found.append(entry)
            at = entry.parent_id
        return found[::-1]

    def messages(self) -> list[Message]:
        """Return the messages of this branch, as they happened."""
        return [entry.message for entry in self.branch() if isinstance(entry, MessageEntry)]

    def close(self) -> None:
        """Make room for another writer."""
        self._store.close()

    def _add(self, entry: KnownEntry) -> None:
        if entry.id in self._entries:
            raise SessionError(f"编号 {entry.id!r} 已经用过")
        try:
            line = encode(entry)
        except ValueError as error:
            raise Unstorable(f"这条内容写不成严格的 JSON，没有存下：{error}") from error
        self._store.append(self._unstored + line)
        self._unstored = b""
        self._entries[entry.id] = entry
        self.leaf_id = entry.id

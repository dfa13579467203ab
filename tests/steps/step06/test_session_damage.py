"""What a damaged session file costs: nothing that was acknowledged, and the user is told."""

import gc
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from mini_agent.messages import message_text, user_text
from mini_agent.sessions.entries import SessionError, SessionHeader, encode
from mini_agent.sessions.file import FileStore
from mini_agent.sessions.session import Session

from tests.steps.step06.support import CASES, NOW, counting_ids, said

HEADER = encode(SessionHeader(id="s1", created_at=NOW))


def entry(name: str, parent: str | None, text: str = "") -> bytes:
    message = {"role": "user", "content": [{"type": "text", "text": text or name}]}
    value = {"type": "message", "id": name, "parentId": parent, "message": message}
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def put(tmp_path: Path, *lines: bytes) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def opened(path: Path, ids: str = "new") -> Session:
    return Session.open(FileStore(path), new_id=counting_ids(ids))


def texts(session: Session) -> list[str]:
    return [message_text(message) for message in session.messages()]


def texts_after_a_turn(path: Path, ids: str = "new") -> list[str]:
    """Open, add an exchange, close, open again."""
    session = opened(path, ids)
    session.add_message(user_text("继续"))
    session.add_message(said("好"))
    session.close()
    return reopened_texts(path)


def reopened_texts(path: Path) -> list[str]:
    session = opened(path)
    session.close()
    return texts(session)


def test_e1a_a_torn_tail_costs_nothing_but_itself(tmp_path: Path) -> None:
    case = (CASES / "E1a-torn-json.jsonl").read_bytes()
    path = put(tmp_path, case)
    whole, torn = case.rsplit(b"\n", 1)

    session = opened(path)
    session.close()
    assert texts(session) == ["第一句", "第一答"]
    assert len(session.warnings) == 1
    assert f"{len(torn)} 字节" in session.warnings[0]
    assert '"m3"' in session.warnings[0]
    assert path.read_bytes() == case

    assert texts_after_a_turn(path) == ["第一句", "第一答", "继续", "好"]
    lines = path.read_bytes().splitlines()
    assert lines[:3] == whole.splitlines()
    parents = [json.loads(line).get("parentId") for line in lines]
    assert parents == [None, None, "m1", "m2", "new1"]
    assert path.with_suffix(".torn").read_bytes() == torn + b"\n"


def test_e1b_a_bad_line_in_the_middle_stays_and_is_counted(tmp_path: Path) -> None:
    case = (CASES / "E1b-bad-middle-line.jsonl").read_bytes()
    path = put(tmp_path, case)

    session = opened(path)
    session.close()

    assert texts(session) == ["第一句", "第一答"]
    assert len(session.warnings) == 1
    assert "第 3 行" in session.warnings[0]
    assert texts_after_a_turn(path) == ["第一句", "第一答", "继续", "好"]
    assert path.read_bytes().startswith(case)


LAST = entry("m2", "m1", "再见，🎉世界\u2028")


def test_a_record_may_be_torn_at_any_byte(tmp_path: Path) -> None:
    for kept in range(len(LAST)):
        path = put(tmp_path, HEADER, entry("m1", None, "你好"), LAST[:kept])
        complete = kept == len(LAST) - 1  # only the line end is missing
        before = ["你好", "再见，🎉世界\u2028"] if complete else ["你好"]

        session = opened(path)
        session.close()

        assert bool(session.warnings) == (kept > 0 and not complete), kept
        assert texts(session) == before, kept
        assert texts_after_a_turn(path) == [*before, "继续", "好"], kept
        for line in path.read_bytes().split(b"\n")[:-1]:
            json.loads(line)


def test_two_tears_are_both_kept(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER, entry("m1", None), b'{"first')
    texts_after_a_turn(path)
    path.write_bytes(path.read_bytes() + b'{"second')

    assert texts_after_a_turn(path, "newer") == ["m1", "继续", "好", "继续", "好"]

    assert path.with_suffix(".torn").read_bytes() == b'{"first\n{"second\n'


def test_only_the_header_without_its_line_end(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER.rstrip(b"\n"))

    assert texts_after_a_turn(path) == ["继续", "好"]


def test_a_fork_leaves_the_torn_tail_behind(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER, entry("m1", None), b"not a json line\n", b'{"torn')
    origin = opened(path)

    fork = origin.fork()

    lines = (tmp_path / "new1.jsonl").read_bytes().split(b"\n")[1:]
    assert lines == [entry("m1", None).rstrip(b"\n"), b"not a json line", b""]
    assert texts(fork) == ["m1"]
    assert fork.warnings == origin.warnings
    origin.close()
    fork.close()


def test_a_child_of_a_damaged_line_begins_a_branch_of_its_own(tmp_path: Path) -> None:
    path = put(
        tmp_path, HEADER, entry("m1", None), b"garbage\n", entry("m3", "mX"), entry("m4", "m3")
    )

    session = opened(path)
    session.close()

    assert texts(session) == ["m3", "m4"]
    damage, detached = session.warnings
    assert "第 3 行" in damage
    assert "第 4 行" in detached
    assert texts_after_a_turn(path) == ["m3", "m4", "继续", "好"]


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\n",
        b"[1, 2]\n",
        b"7\n",
        b'{"no":"type"}\n',
        b'{"type":7}\n',
        b'{"type":"message","id":"x"}\n',
        entry("x", "m1").replace(b'"user"', b'"wizard"'),
        entry("x", "m1").replace(b'"parentId"', b'"extra":1,"parentId"'),
        entry("x", "m1").replace(b'"type": "text"', b'"type": "image"'),
        entry("x", "m1").replace(b'"x"', b'"\\ud83d"'),
        b"[" * 100_000 + b"\n",
        HEADER,
        b"\0" * 512 + b"\n",
    ],
    ids=[
        "no UTF-8",
        "a list",
        "a number",
        "no type",
        "a type that is no text",
        "no message",
        "an unknown role",
        "an unknown field",
        "an unknown block",
        "half an emoji",
        "too many levels",
        "a second header",
        "zeros",
    ],
)
def test_a_damaged_line_is_skipped_and_stays(tmp_path: Path, line: bytes) -> None:
    path = put(tmp_path, HEADER, entry("m1", None), line, entry("m2", "m1"))
    before = path.read_bytes()

    session = opened(path)
    session.close()

    assert texts(session) == ["m1", "m2"]
    assert "第 3 行" in session.warnings[0]
    assert texts_after_a_turn(path) == ["m1", "m2", "继续", "好"]
    assert path.read_bytes().startswith(before)


def test_blank_lines_and_carriage_returns_are_no_damage(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER, b"\n", entry("m1", None).replace(b"\n", b"\r\n"), b"  \n")

    session = opened(path)
    session.close()

    assert (texts(session), session.warnings) == (["m1"], [])


def test_many_damaged_lines_make_one_short_warning(tmp_path: Path) -> None:
    session = opened(put(tmp_path, HEADER, entry("m1", None), *[b"bad\n"] * 1000))
    session.close()

    assert len(session.warnings) == 1
    assert "1000 行" in session.warnings[0]
    assert len(session.warnings[0]) < 100


@dataclass(frozen=True, kw_only=True)
class Refused:
    id: str
    lines: tuple[bytes, ...]
    says: tuple[str, ...]


REFUSED = [
    Refused(
        id="E6a: a newer version",
        lines=((CASES / "E6a-future-version.jsonl").read_bytes(),),
        says=("99", "版本 1"),
    ),
    Refused(id="an empty file", lines=(), says=("空",)),
    Refused(id="no header", lines=(entry("m1", None),), says=("第一行",)),
    Refused(id="the header is not first", lines=(entry("m1", None), HEADER), says=("第一行",)),
    Refused(id="a foreign file", lines=(b"dear diary\n",), says=("第一行",)),
    Refused(id="a foreign file, one line", lines=(b"dear diary",), says=("第一行",)),
    Refused(id="a foreign file of bytes", lines=(b"\x89PNG\r\n\xff\xff",), says=("第一行",)),
    Refused(id="a torn header", lines=(HEADER[:30],), says=("第一行",)),
    Refused(id="no version", lines=(b'{"type":"session","id":"s1"}\n',), says=("None",)),
    Refused(
        id="a version that is no number",
        lines=(HEADER.replace(b'"version":1', b'"version":"1"'),),
        says=("版本",),
    ),
    Refused(
        id="a header without a time",
        lines=(b'{"type":"session","version":1,"id":"s1"}\n',),
        says=("createdAt",),
    ),
    Refused(
        id="a header with a field that nobody knows",
        lines=(HEADER.replace(b'"version":1', b'"version":1,"mood":"good"'),),
        says=("会话头无效", "mood"),
    ),
    Refused(
        id="a header with a field by its name in the code",
        lines=(HEADER.replace(b'"createdAt"', b'"created_at"'),),
        says=("会话头无效", "created_at"),
    ),
    Refused(
        id="a time without a zone",
        lines=(HEADER.replace(b"00:00:00Z", b"00:00:00"),),
        says=("会话头无效", "createdAt"),
    ),
    Refused(
        id="an id twice",
        lines=(HEADER, entry("m1", None), entry("m1", None)),
        says=("第 3 行", "m1"),
    ),
    Refused(
        id="a parent that comes later",
        lines=(HEADER, entry("m1", "m2"), entry("m2", None)),
        says=("第 2 行", "m2"),
    ),
    Refused(
        id="a parent that comes later, behind damage",
        lines=(HEADER, b"bad\n", entry("m1", "m2"), entry("m2", None)),
        says=("第 3 行", "m2"),
    ),
    Refused(
        id="a cycle of two",
        lines=(HEADER, entry("m1", "m2"), entry("m2", "m1")),
        says=("第 2 行", "m2"),
    ),
    Refused(id="its own parent", lines=(HEADER, entry("m1", "m1")), says=("第 2 行", "m1")),
    Refused(id="no parent anywhere", lines=(HEADER, entry("m1", "mX")), says=("第 2 行", "mX")),
    Refused(
        id="no parent, and the damage comes later",
        lines=(HEADER, entry("m1", "mX"), b"bad\n"),
        says=("第 2 行", "mX"),
    ),
    Refused(
        id="a cycle through an unknown kind",
        lines=(HEADER, b'{"type":"hologram","id":"h1","parentId":"m1"}\n', entry("m1", "h1")),
        says=("第 2 行", "m1"),
    ),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_refused_with_a_reason_and_unchanged(tmp_path: Path, case: Refused) -> None:
    path = put(tmp_path, *case.lines)
    before = path.read_bytes()

    store = FileStore(path)
    with pytest.raises(SessionError) as refusal:
        Session.open(store)
    store.close()

    for piece in case.says:
        assert piece in str(refusal.value)
    assert path.read_bytes() == before


def test_entries_of_an_unknown_kind_need_no_id(tmp_path: Path) -> None:
    hologram = b'{"type":"hologram","payload":1}\n'
    path = put(tmp_path, HEADER, hologram, entry("m1", None), hologram)

    session = opened(path)
    session.close()

    assert (texts(session), session.warnings) == (["m1"], [])


def test_a_long_load_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER, *[entry(f"m{number}", None) for number in range(100)])
    frozen = gc.get_freeze_count()

    opened(path).close()
    assert gc.isenabled()
    assert gc.get_freeze_count() > frozen

    gc.disable()
    opened(path).close()
    assert not gc.isenabled()
    gc.enable()


def test_a_store_that_only_reads_changes_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER, entry("m1", None), b'{"torn')
    before = path.read_bytes()
    session = Session.open(FileStore(path, read_only=True))

    with pytest.raises(SessionError):
        session.add_message(user_text("继续"))

    session.close()
    assert texts(session) == ["m1"]
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["s1.jsonl"]


def test_e6b_an_entry_of_an_unknown_kind_keeps_its_bytes(tmp_path: Path) -> None:
    case = (CASES / "E6b-unknown-entry.jsonl").read_bytes()
    path = put(tmp_path, case)
    hologram = case.splitlines(keepends=True)[2]

    assert texts_after_a_turn(path) == ["第一句", "第一答", "继续", "好"]
    assert path.read_bytes().startswith(case)

    origin = opened(path)
    fork = origin.fork()
    assert hologram in (tmp_path / "new1.jsonl").read_bytes().splitlines(keepends=True)
    assert origin.warnings == []
    origin.close()
    fork.close()

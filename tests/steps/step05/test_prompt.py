"""The prompt: files that a message names, and messages that are remembered."""

import os
from pathlib import Path

import pytest
from mini_agent.attachments import MAX_SIZE, AttachmentError, with_attachments
from mini_agent.prompt import MAX_LENGTH, at_prompt, completer, history_file, remember, remembered


def put(name: str, text: str) -> str:
    return f'<file path="{name}">\n{text}\n</file>'


def test_files_stand_behind_the_message_each_once(tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_text("甲\n\n", encoding="utf-8")
    (tmp_path / "b.py").write_bytes(b"\xef\xbb\xbfpass\r\n")
    message = '比较 @"a b.txt" 和@b.py，再看 @b.py.'
    wanted = [message, put("a b.txt", "甲"), put("b.py", "pass\r")]
    assert with_attachments(message, tmp_path) == "\n\n".join(wanted)


@pytest.mark.parametrize(
    "message",
    [
        "me@b.py",
        "`@b.py`",
        "'@b.py'",
        "@@ -1 +1 @@",
        "@staticmethod",
        "@",
        "/answer @b.py",
        "@app.get('/')",
    ],
)
def test_no_names(tmp_path: Path, message: str) -> None:
    assert with_attachments(message, tmp_path) == message


def test_a_name_without_a_dot_counts_if_there_is_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:", encoding="utf-8")
    assert put("Makefile", "all:") in with_attachments("看 @Makefile", tmp_path)


def test_a_program_in_a_message_stays_what_it_is(tmp_path: Path) -> None:
    program = "@pytest.fixture\ndef here() -> None: ..."
    assert with_attachments(program, tmp_path) == program


@pytest.mark.parametrize(
    "name", ["no.txt", "../no", "~nobody-at-all/x", "a/" + "b" * 300, "x/\0.y"]
)
def test_missing_files_are_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(AttachmentError, match="没有"):
        with_attachments(f'看 @"{name}"', tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.txt")
    with pytest.raises(AttachmentError, match="不是普通文件"):
        with_attachments("看 @p.txt", tmp_path)


def test_together_they_may_be_too_long(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("x" * (MAX_SIZE // 2 + 1), encoding="utf-8")
    with pytest.raises(AttachmentError, match="加起来"):
        with_attachments("看 @a.txt @b.txt", tmp_path)


def test_after_a_bad_name_the_next_message_is_asked_for(tmp_path: Path) -> None:
    lines, said = iter(["看 @no.txt", "好", None]), list[str]()
    ask = at_prompt(lambda prompt: next(lines), tmp_path, notify=said.append)
    assert [ask("你> "), ask("你> ")] == ["好", None]
    assert said == ["（没有发出：没有 no.txt 这个文件。不是文件名的话，就写成 `@no.txt`）"]


def test_completion(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name in ("src/one.py", "src/.hidden", "other.txt"):
        (tmp_path / name).touch()
    complete = completer(tmp_path, ["exit", "branch"])

    def offered(word: str) -> list[str | None]:
        return [complete(word, number) for number in range(4)]

    assert offered("看@s") == ["看@src/", None, None, None]
    assert offered("@src/") == ["@src/one.py", None, None, None]
    assert offered("/") == ["/branch", "/exit", None, None]
    assert offered("plain") == [None] * 4


def test_history_is_private_and_outlives_damage(tmp_path: Path) -> None:
    file = history_file({"XDG_STATE_HOME": str(tmp_path)}, Path("/nowhere"))
    remember(file, "一\n二")
    with file.open("ab") as raw:
        raw.write(b'"half\n\xff\n[1]\n')
    remember(file, "三")
    remember(file, "长" * (MAX_LENGTH + 1))
    assert remembered(file) == ["一\n二", "三"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_disturbs_nobody(tmp_path: Path) -> None:
    (tmp_path / "mini-agent").write_text("a file in the way", encoding="utf-8")
    file = history_file({"XDG_STATE_HOME": str(tmp_path)}, Path("/nowhere"))
    remember(file, "一")
    assert remembered(file) == []

"""A patch fits to the letter, or changes nothing."""

from pathlib import Path

import pytest

from lab.practice.patches import MalformedPatch, PatchDoesNotFit, apply_patch, patched, read_patch

OLD = "one\ntwo\n\nthree\nfour\n"
PATCH = (
    "--- a/text.txt\n+++ b/text.txt\n"
    "@@ -1,4 +1,5 @@\n one\n-two\n+2\n+zwei\n \n three\n"
)  # fmt: skip


def change(text: str, patch: str) -> str:
    return patched("text.txt", text, read_patch(patch)["text.txt"])


def test_changes_what_it_says() -> None:
    assert change(OLD, PATCH) == "one\n2\nzwei\n\nthree\nfour\n"


def test_several_hunks_and_the_end_of_the_file() -> None:
    patch = "+++ b/text.txt\n@@ -1 +1 @@\n-one\n+1\n@@ -4,2 +4,2 @@\n three\n-four\n+4\n"
    assert change(OLD, patch) == "1\ntwo\n\nthree\n4\n"


def test_an_editor_may_have_cut_the_blank_of_an_empty_line() -> None:
    assert change(OLD, PATCH.replace("\n \n", "\n\n")) == change(OLD, PATCH)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OLD.replace("two", "two "), "text.txt line 2: the patch wants 'two', found 'two '"),
        (f"zero\n{OLD}", "text.txt line 1: the patch wants 'one', found 'zero'"),
        ("one\n2\n", "text.txt line 2: the patch wants 'two', found '2'"),
        ("one\ntwo", "text.txt line 3: the patch wants '', the file ends before it"),
        (OLD.replace("\n", "\r\n"), "text.txt line 1: the patch wants 'one', found 'one\\r'"),
    ],
)
def test_no_fuzz_and_no_offset(text: str, message: str) -> None:
    with pytest.raises(PatchDoesNotFit) as caught:
        change(text, PATCH)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("patch", "line"),
    [
        ("", 1),
        ("--- a/text.txt\n+++ b/text.txt\n", 2),
        ("@@ -1 +1 @@\n-one\n+1\n", 1),
        ("+++ b/text.txt\nsome words\n", 2),
        ("+++ b/text.txt\n@@ -1,2 +1,2 @@\n one\n", 3),
        ("+++ b/text.txt\n@@ -1 +1 @@\n-one\n-two\n", 4),
        ("+++ b/text.txt\n@@ -0,0 +1 @@\n+one\n", 3),
    ],
)
def test_what_is_no_patch_is_refused(patch: str, line: int) -> None:
    with pytest.raises(MalformedPatch, match=f"^line {line} of the patch"):
        read_patch(patch)


def test_changes_all_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(OLD, encoding="utf-8")
    with pytest.raises(PatchDoesNotFit, match=r"^gone\.txt line 1"):
        apply_patch(f"{PATCH}+++ b/gone.txt\n@@ -1 +1 @@\n-a\n+b\n", tmp_path)
    assert (tmp_path / "text.txt").read_text(encoding="utf-8") == OLD

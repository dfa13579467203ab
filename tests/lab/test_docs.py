"""`lab docs` from outside: its exit codes, and what it says."""

import shutil
import subprocess

import pytest

from tests.support import Checkout

README = "labs/step02-fake-model/README.md"
PAGE = """\
# Two

<!-- lab:transcript step02 -->
<!-- /lab -->

<!-- lab:commands -->
```bash
make -s demo STEP=02 | tail -n 1
lab list | head -n 1 | cut -c 1-6
```
<!-- lab:output -->
<!-- /lab -->
"""


@pytest.fixture
def bare(checkout: Checkout) -> Checkout:
    """Return a checkout with one page, and nothing else to fill."""
    shutil.rmtree(checkout.root / "docs")
    for document in checkout.root.rglob("*.md"):
        document.write_text("", encoding="utf-8")
    write(checkout, PAGE)
    subprocess.run(["git", "init", "--quiet", str(checkout.root)], check=True)
    return checkout


def write(checkout: Checkout, text: str) -> None:
    (checkout.root / README).write_text(text, encoding="utf-8")


def read(checkout: Checkout) -> str:
    return (checkout.root / README).read_text(encoding="utf-8")


def test_fills_then_has_nothing_to_do(bare: Checkout) -> None:
    first, second = bare.lab("docs"), bare.lab("docs", "--no-run")
    assert (first.code, first.err) == (5, "")
    assert first.out.startswith(f"Written: {README}\n")
    assert "助手> 你好！我是 FakeModel" in read(bare)
    assert "```text\n再见。（本次对话共 6 条消息）\nstep01\n```" in read(bare)
    assert (second.code, second.err) == (0, "")


def test_check_writes_nothing(bare: Checkout) -> None:
    ran = bare.lab("docs", "--check", "--no-run")
    assert (ran.code, ran.err) == (1, "")
    assert f"--- {README}\n+++ {README} (from the source)\n" in ran.out
    assert "docs/en/01-hello-cli.md: this page is missing: every step has one\n" in ran.out
    assert read(bare) == PAGE


def test_an_error_names_file_and_line(bare: Checkout) -> None:
    write(bare, "# Two\n\n<!-- lab:excerpt step02-fake-model/mini_agent/rules.py#RULE -->\n")
    ran = bare.lab("docs")
    assert ran.code == 1
    assert ran.err == (
        "lab: the documents cannot be filled:\n"
        f"  {README}:3: this block has no end: <!-- /lab --> is missing\n"
    )
    with (bare.root / README).open("a", encoding="utf-8") as page:
        page.write("<!-- /lab -->\n")
    ran = bare.lab("docs")
    assert (ran.code, ran.out) == (1, "")
    assert f"  {README}:3: there is no 'RULE'. Known here: RULES\n" in ran.err


def test_never_writes_in_ci(bare: Checkout) -> None:
    assert bare.lab("docs", CI="true").code == 2
    assert read(bare) == PAGE

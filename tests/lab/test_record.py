"""Recording is an explicit act: shown always, written only when told, never in CI."""

from pathlib import Path

import pytest

from tests.support import Checkout

STEP = "step02-fake-model"
CHANGE = ("随便说点什么", "随便说点别的")


def expected(checkout: Checkout, step: str = STEP) -> Path:
    return checkout.root / "labs" / step / "expected-output.txt"


def change_the_demo(checkout: Checkout, old: str = CHANGE[0], new: str = CHANGE[1]) -> None:
    demo = checkout.root / "labs" / STEP / "mini_agent" / "demo.py"
    source = demo.read_text(encoding="utf-8")
    assert old in source
    demo.write_text(source.replace(old, new), encoding="utf-8")


def test_nothing_to_record(checkout: Checkout) -> None:
    ran = checkout.lab("record", "02", "--write")
    assert (ran.code, ran.err) == (0, "")


def test_shows_and_does_not_write(checkout: Checkout) -> None:
    before = expected(checkout).read_bytes()
    change_the_demo(checkout)
    ran = checkout.lab("record", "02")
    assert ran.code == 1
    assert f"-你> {CHANGE[0]}⏎\n" in ran.out
    assert f"+你> {CHANGE[1]}⏎\n" in ran.out
    assert expected(checkout).read_bytes() == before


def test_writes_when_told_and_does_not_count_as_passed(checkout: Checkout) -> None:
    change_the_demo(checkout)
    others = {path: path.read_bytes() for path in checkout.root.glob("labs/step01*/**/*.*")}
    first, second = (checkout.lab("record", "02", "--write") for _ in range(2))
    assert first.code == 5
    assert f"+你> {CHANGE[1]}⏎\n" in first.out
    assert (second.code, second.err) == (0, "")
    assert others == {path: path.read_bytes() for path in others}


def test_a_missing_record_is_not_made_in_silence(checkout: Checkout) -> None:
    expected(checkout).unlink()
    assert checkout.lab("verify").code == 1
    assert checkout.lab("check", "02", "--only", "demo").code == 4  # nothing to compare with
    assert checkout.lab("record", "02").code == 1
    assert not expected(checkout).exists()


@pytest.mark.parametrize(
    "fault",
    [
        'raise SystemExit("no")',
        "raise SystemExit(0)",  # prints nothing
        "__import__('time').sleep(3600)",
    ],
)
def test_a_crash_never_becomes_the_truth(checkout: Checkout, fault: str) -> None:
    before = expected(checkout).read_bytes()
    change_the_demo(checkout, "    with console():\n", f"    {fault}\n    with console():\n")
    ran = checkout.lab("record", "02", "--write")
    assert ran.code == 1
    assert ran.err.startswith(f"lab: {STEP} is not recorded: ")
    assert "Traceback" not in ran.err
    assert expected(checkout).read_bytes() == before


def test_refused_in_ci(checkout: Checkout) -> None:
    before = expected(checkout).read_bytes()
    change_the_demo(checkout)
    ran = checkout.lab("record", "02", "--write", CI="true")
    assert (ran.code, ran.err) == (
        2,
        "lab: CI compares and never records. Record on your own machine, and look at the result.\n",
    )
    assert expected(checkout).read_bytes() == before


def test_a_record_in_a_folder_that_is_no_step(checkout: Checkout) -> None:
    stray = checkout.root / "labs" / "step77-stray"
    stray.mkdir()
    (stray / "expected-output.txt").write_text("?", encoding="utf-8")
    ran = checkout.lab("verify")
    assert ran.code == 4
    assert "step77-stray" in ran.err

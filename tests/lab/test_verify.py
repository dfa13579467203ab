"""`lab verify` compares every step, byte for byte, and never nothing."""

import shutil

from lab.contract import built_steps
from tests.support import Checkout


def test_names_every_step(checkout: Checkout) -> None:
    ran = checkout.lab("verify")
    steps = [step.id for step in built_steps()]
    assert ran.code == 0
    assert ran.out.splitlines() == [
        *(f"ok   {name}" for name in steps),
        f"{len(steps)} of {len(steps)} steps print what is recorded.",
    ]
    assert ran.err == ""


def test_one_byte_is_enough(checkout: Checkout) -> None:
    record = checkout.root / "labs/step01-hello-cli/expected-output.txt"
    record.write_bytes(record.read_bytes().replace(b"> ", b">\xc2\xa0", 1))
    ran = checkout.lab("verify")
    assert ran.code == 1
    assert "BAD  step01-hello-cli" in ran.out
    assert ">[U+00A0]" in ran.out
    assert "ok   step02-fake-model" in ran.out


def test_a_missing_step_is_not_overlooked(checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / "labs/step02-fake-model")
    ran = checkout.lab("verify")
    assert ran.code == 4
    assert "step02-fake-model" in ran.err


def test_a_contract_without_steps(checkout: Checkout) -> None:
    (checkout.root / "labs/contract.toml").write_text("", encoding="utf-8")
    assert checkout.lab("verify").code == 4


def test_a_demo_that_writes_where_it_must_not(checkout: Checkout) -> None:
    demo = checkout.root / "labs/step01-hello-cli/mini_agent/demo.py"
    source = demo.read_text(encoding="utf-8")
    spoiled = source.replace(
        "    with console():\n",
        "    open('README.md', 'w', encoding='utf-8').write('gone')\n    with console():\n",
    )
    demo.write_text(spoiled, encoding="utf-8")
    readme = checkout.root / "labs/step01-hello-cli/README.md"
    before = readme.read_bytes()
    ran = checkout.lab("verify")
    assert ran.code == 1
    assert "lab guard: refused writing README.md" in ran.out
    assert readme.read_bytes() == before

import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report import render
from conformance.suite import check
from lab.contract import find_step
from tests.conformance.folders import bytes_in, copy_step
from tests.conformance.imposters import IMPOSTERS, Imposter

OURS = (
    "shared/",
    "site-packages",
    "<frozen",
    "Traceback (most recent call last):\n        Traceback",
)
"""What stands in a traceback of the suite, and never in a report."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to work in; reports name what lies in it by a relative path."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def build(imposter: Imposter, folder: Path) -> None:
    """Make the folder of an imposter."""
    if imposter.copy_of:
        copy_step(find_step(imposter.copy_of), folder)
    else:
        folder.mkdir()
        shutil.copy(find_step(imposter.claims).expected, folder)
    for name, new_name in imposter.moved.items():
        (folder / name).rename(folder / new_name)
    for name, text in imposter.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("imposter", IMPOSTERS, ids=lambda imposter: imposter.id)
def test_an_imposter_is_seen_through(
    imposter: Imposter, here: Path, snapshot: SnapshotAssertion
) -> None:
    folder = Path("my-agent")
    build(imposter, folder)
    files = bytes_in(folder)

    report = check(
        find_step(imposter.claims), folder, select=imposter.select, patience=imposter.patience
    )

    text = render(report)
    assert report.verdict is imposter.verdict, text
    failed = {result.id.partition("[")[0] for result in report.failed}
    assert set(imposter.caught_by) <= failed
    assert [said for said in imposter.says if said not in text] == []
    assert [said for said in OURS if said in text] == []
    assert bytes_in(folder) == files
    if imposter.recorded:
        assert text == snapshot

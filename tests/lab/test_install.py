"""Every step can be installed alone; none is installed into the lab's own environment."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lab.contract import Step, built_steps


def build_wheel(step: Step, into: Path) -> Path:
    """Build the step's wheel from a copy, so that nothing is left in its folder."""
    copy = into / step.id
    shutil.copytree(step.folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)],
        cwd=copy,
        check=True,
        capture_output=True,
    )
    (wheel,) = into.glob("*.whl")
    return wheel


@pytest.mark.parametrize("step", built_steps(), ids=lambda step: step.id)
def test_the_wheel_holds_the_package_and_its_commands(step: Step, tmp_path: Path) -> None:
    with zipfile.ZipFile(build_wheel(step, tmp_path)) as wheel:
        packaged = {name for name in wheel.namelist() if not name.startswith("mini_agent_step")}
        (entry_points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
        commands = wheel.read(entry_points).decode()
    assert packaged == {name for name in step.files if name.startswith("mini_agent/")}
    assert "mini-agent = mini_agent.__main__:main" in commands
    assert "mini-agent-demo = mini_agent.demo:main" in commands


@pytest.mark.timeout(300)
@pytest.mark.parametrize("step", [built_steps()[1], built_steps()[-1]], ids=lambda step: step.id)
def test_it_runs_in_a_fresh_environment(step: Step, tmp_path: Path) -> None:
    wheel = build_wheel(step, tmp_path)
    fresh = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(fresh)], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    into_fresh = ["--python", str(fresh / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*pip, *into_fresh, str(wheel)], check=True, stdout=subprocess.DEVNULL)
    demo = subprocess.run([fresh / "bin" / "mini-agent-demo"], capture_output=True, check=False)
    entered = tmp_path / "entered"
    entered.mkdir()
    (entered / "anyio.py").write_text("raise SystemExit('a module of the folder was run')")
    chat = subprocess.run(
        [fresh / "bin" / "mini-agent"],
        cwd=entered,
        input=b"/exit\n",
        capture_output=True,
        check=False,
    )
    assert (demo.returncode, demo.stdout) == (0, step.expected.read_bytes())
    assert chat.returncode == 0
    assert step.id.replace("-", " ", 1).encode() in chat.stdout


def test_no_step_is_installed_here(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import mini_agent"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "No module named 'mini_agent'" in done.stderr

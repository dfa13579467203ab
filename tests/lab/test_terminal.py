"""The terminal that tasks are played on: keys in time, and nothing left running."""

import os
import select
from pathlib import Path

import pytest

from lab.practice.terminal import Played, Press, play


def play_program(folder: Path, source: str, *presses: Press, timeout: float = 20) -> Played:
    (folder / "program.py").write_text(source, encoding="utf-8")
    return play(folder, "program", presses, timeout=timeout)


def test_is_a_terminal_with_an_echo(tmp_path: Path) -> None:
    source = "import os\nprint(os.isatty(0), os.isatty(1), os.isatty(2))\ninput('> ')\n"
    played = play_program(tmp_path, source, Press(after="> ", keys="好\n"))
    assert played == Played(
        screen="True True True\n> 好\n".encode(), exit_code=0, timed_out=False, surprise=""
    )


def test_ctrl_c_is_a_signal(tmp_path: Path) -> None:
    source = (
        "import signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n"
        "print('ready', flush=True)\n"
        "print(signal.sigwait({signal.SIGINT}).name)\n"
    )
    played = play_program(tmp_path, source, Press(after="ready", keys="\x03"))
    assert played.screen == b"ready\n^CSIGINT\n"


@pytest.mark.parametrize(
    ("source", "press", "surprise"),
    [
        ("print('a')", Press(after="b", keys="x"), "the screen never showed 'b'"),
        (
            "print('a\\nb'); input()",
            Press(after="a\n", quiet=5, keys="x"),
            "it was not quiet for 5 s after 'a\\n'",
        ),
        (
            "print('a')",
            Press(after="a\n", quiet=5, keys="x"),
            "it was not quiet for 5 s after 'a\\n'",
        ),
    ],
    ids=["never shown", "says more", "ends"],
)
def test_what_was_not_as_planned(tmp_path: Path, source: str, press: Press, surprise: str) -> None:
    played = play_program(tmp_path, source, press, Press(after="a", keys="y"), timeout=3)
    assert played.surprise == surprise
    assert b"y" not in played.screen


def test_what_hangs_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    source = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "held = open('held', 'w')\n"
        "sleep = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "subprocess.Popen(sleep, pass_fds=[held.fileno()])\n"
        "print('started', flush=True)\n"
        "time.sleep(60)\n"
    )
    os.mkfifo(tmp_path / "held")
    reader = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    try:
        played = play_program(tmp_path, source, timeout=1.5)
        everyone_let_go = select.poll()
        everyone_let_go.register(reader, select.POLLHUP)
        assert (played.screen, played.exit_code) == (b"started\n", -9)
        assert played.timed_out
        assert everyone_let_go.poll(5000)
    finally:
        os.close(reader)

"""Run the commands of the chapters: in order, in a clean copy, by bash."""

import subprocess
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lab.docs.parts import Commands, Document
from lab.docs.sandbox import Sandbox, make_sandbox
from lab.programs import kill_group

TIME_LIMIT = 300.0
"""Seconds for one block."""

WORKERS = 4
"""Documents at a time: much of what they run only waits."""

KEEP_FOLDER = "LAB_DOCS_FOLDER"
"""Names the file into which a block writes where it ended."""

Session = tuple[tuple[str, int], ...]
"""What is typed, block after block, and the exit code that each must end with."""

Outcomes = dict[tuple[str, int], "Outcome"]
"""What each block did, by the document and the block's number in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a block of commands did."""

    exit_code: int
    """Of the first command that failed; negative: the signal that ended bash."""

    output: str
    """Standard output and standard error, as they came, without the places of this machine."""

    timed_out: bool = False


def run_documents(root: Path, documents: Iterable[Document]) -> Outcomes:
    """Run all commands; what is the same in two documents is run once.

    A block behind one that went wrong is not run, and has no outcome.
    """
    sessions = [(doc.name, session) for doc in documents for session in sessions_in(doc)]
    typed = [tuple((block.script, block.expect) for block in session) for _, session in sessions]
    different = list(dict.fromkeys(typed))
    with ThreadPoolExecutor(WORKERS) as pool:
        done = list(pool.map(lambda session: run_session(root, session), different))
    results = dict(zip(different, done, strict=True))
    return {
        (name, block.number): outcome
        for (name, session), key in zip(sessions, typed, strict=True)
        for block, outcome in zip(session, results[key], strict=False)
    }


def sessions_in(document: Document) -> list[list[Commands]]:
    """Return what is run of a document: one session for each language that it holds."""
    run = [commands for commands in document.commands if not commands.skip]
    languages = dict.fromkeys(commands.language for commands in run)
    return [[commands for commands in run if commands.language == lang] for lang in languages]


def run_session(root: Path, session: Session) -> list[Outcome]:
    """Run blocks in a copy of their own, each in the folder where the one before ended.

    The first one that does not end as it must is the last one that is run.
    """
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="lab-docs-") as scratch:
        sandbox = make_sandbox(root, Path(scratch))
        folder = sandbox.checkout
        for script, expect in session:
            outcome, folder = run_block(script, folder, sandbox)
            outcomes.append(outcome)
            if outcome.timed_out or outcome.exit_code != expect:
                break
    return outcomes


def run_block(
    script: str, folder: Path, sandbox: Sandbox, *, timeout: float = TIME_LIMIT
) -> tuple[Outcome, Path]:
    """Run one block in `folder`; return what it did, and the folder where it ended.

    It ends at the first command that fails, and so does all that it left running.
    `timeout` is in seconds.
    """
    kept = sandbox.scratch / "folder"
    kept.write_text(f"{folder}\n", encoding="utf-8")  # `exec` in a block leaves no word
    timed_out = False
    with tempfile.TemporaryFile(dir=sandbox.scratch) as output:
        process = subprocess.Popen(
            ["bash", "-e", "-c", f"trap 'pwd >\"${KEEP_FOLDER}\"' EXIT; {script}"],
            cwd=folder,
            env={**sandbox.environment, KEEP_FOLDER: str(kept)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        kill_group(process)
        exit_code = process.wait()
        output.seek(0)
        text = output.read().decode("utf-8", errors="replace")
    outcome = Outcome(
        exit_code=exit_code, output=visible(sandbox.hide_places(text)), timed_out=timed_out
    )
    return outcome, Path(kept.read_text(encoding="utf-8").removesuffix("\n"))


def visible(text: str) -> str:
    """Show control characters as their pictures, so that no editor and no git changes them."""
    pictures = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"}
    return text.translate(pictures)

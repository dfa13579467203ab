"""Folders that are not the step they claim to be: what the suite has to say about each."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from conformance.report import Verdict
from conformance.support.subject import PATIENCE

PACKAGE = '"""A package."""\n'

PRINTS_THE_FILE = """\
import sys
sys.stdout.buffer.write({change}(open("expected-output.txt", "rb").read()))
"""

KNOWS_THE_DEMO_BY_HEART = '''\
"""The interactive entry."""

from .console import ask, console

ANSWERS = {"你好": "你说的是：你好", "什么是 Agent Harness": "你说的是：什么是 Agent Harness"}

with console():
    print("Mini Agent Harness · step01 hello-cli\\n输入内容后回车；输入 /exit 退出。\\n")
    while (line := ask("你> ")) is not None and line.strip() != "/exit":
        print(f"助手> {ANSWERS.get(line, '你说的是：你好')}\\n")
    print("再见。")
'''

FACTS_OF_A_MACHINE = {
    "prints the day": "__import__('datetime').datetime.now(__import__('datetime').UTC).date()",
    "prints the year, as text": "__import__('time').strftime('%Y')",
    "prints the host and the user": "__import__('os').uname()[1], __import__('os').environ['USER']",
}
"""What a demo prints at its end, and the expression for it."""

DEMO_AND = "from .demo_before import main\n\nmain()\n"
"""The right demo, which the imposter has moved aside, and then something more."""


@dataclass(frozen=True, kw_only=True)
class Imposter:
    """A folder for the suite to see through."""

    id: str
    claims: str
    """The step that it is held to."""

    copy_of: str | None = None
    """The step whose files it begins with; None: with the expected output alone."""

    moved: Mapping[str, str] = field(default_factory=dict)
    """Files to move away, to their new names."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Files to put into it, by name."""

    select: str
    """The checks to run, as for `suite.check`."""

    verdict: Verdict
    caught_by: tuple[str, ...]
    """Checks that must be among those that fail."""

    says: tuple[str, ...] = ()
    """What the report must contain."""

    patience: float = PATIENCE
    """Seconds until a program of it counts as endless."""

    recorded: bool = False
    """Its whole report is a snapshot: nothing in it depends on the Python that runs it."""


IMPOSTERS = (
    Imposter(
        id="the step before",
        claims="02",
        copy_of="01",
        select="check_package or check_messages or transcript or opening",
        verdict=Verdict.NOT_YET,
        caught_by=("demo::transcript", "chat::opening"),
        says=("mini_agent/messages.py", "mini_agent/shell.py"),
        recorded=True,
    ),
    Imposter(
        id="prints the expected file, and nothing else is there",
        claims="01",
        files={
            "mini_agent/__init__.py": PACKAGE,
            "mini_agent/demo.py": PRINTS_THE_FILE.format(change=""),
            "mini_agent/__main__.py": PRINTS_THE_FILE.format(change=""),
        },
        select="check_package or second_script or transcript or opening",
        verdict=Verdict.NOT_YET,
        caught_by=("chat::second_script", "chat::opening"),
    ),
    Imposter(
        id="prints the expected file, with a right package beside it",
        claims="01",
        copy_of="01",
        files={
            "mini_agent/demo.py": PRINTS_THE_FILE.format(change=""),
            "mini_agent/__main__.py": PRINTS_THE_FILE.format(change=""),
        },
        select="check_demo and transcript or second_script or opening",
        verdict=Verdict.WRONG,
        caught_by=("chat::second_script", "chat::opening"),
    ),
    *(
        Imposter(
            id=f"has a demo that prints a stored text, in step {number}",
            claims=number,
            copy_of=number,
            files={"mini_agent/demo.py": PRINTS_THE_FILE.format(change="")},
            select="check_demo and (transcript or bound or exit_code)",
            verdict=Verdict.WRONG,
            caught_by=("demo::bound_to_the_package",),
        )
        for number in (f"{step:02}" for step in range(1, 12))
    ),
    Imposter(
        id="knows the demo by heart",
        claims="01",
        copy_of="01",
        files={"mini_agent/__main__.py": KNOWS_THE_DEMO_BY_HEART},
        select="check_demo and transcript or check_chat and (demo or opening or second)",
        verdict=Verdict.WRONG,
        caught_by=("chat::second_script",),
        recorded=True,
    ),
    Imposter(
        id="ends with another exit code",
        claims="01",
        copy_of="01",
        moved={"mini_agent/demo.py": "mini_agent/demo_before.py"},
        files={"mini_agent/demo.py": f"{DEMO_AND}raise SystemExit(3)\n"},
        select="check_demo and (transcript or exit_code or stderr)",
        verdict=Verdict.WRONG,
        caught_by=("demo::exit_code",),
        recorded=True,
    ),
    *(
        Imposter(
            id=f"has a demo that {does}",
            claims="06",
            copy_of="06",
            moved={"mini_agent/demo.py": "mini_agent/demo_before.py"},
            files={"mini_agent/demo.py": f"{DEMO_AND}print({what})\n"},
            select="check_demo and (same_on or exit_code)",
            verdict=Verdict.WRONG,
            caught_by=("demo::same_on_another_machine",),
        )
        for does, what in FACTS_OF_A_MACHINE.items()
    ),
    Imposter(
        id="shows a traceback",
        claims="01",
        copy_of="01",
        moved={"mini_agent/demo.py": "mini_agent/demo_before.py"},
        files={"mini_agent/demo.py": f"{DEMO_AND}[][0]\n"},
        select="check_demo and (transcript or exit_code or stderr)",
        verdict=Verdict.WRONG,
        caught_by=("demo::stderr", "demo::exit_code"),
        says=('File "mini_agent/demo.py", line 4', "IndexError"),
    ),
    Imposter(
        id="writes CRLF",
        claims="01",
        copy_of="01",
        files={
            "mini_agent/demo.py": PRINTS_THE_FILE.format(
                change='(lambda text: text.replace(b"\\n", b"\\r\\n"))'
            )
        },
        select="check_demo and (transcript or exit_code or stderr)",
        verdict=Verdict.WRONG,
        caught_by=("demo::transcript",),
        says=("␍⏎", "only the line ends differ: CRLF instead of LF"),
        recorded=True,
    ),
    Imposter(
        id="ends without a newline",
        claims="01",
        copy_of="01",
        files={"mini_agent/demo.py": PRINTS_THE_FILE.format(change="bytes.rstrip")},
        select="check_demo and (transcript or exit_code or stderr)",
        verdict=Verdict.WRONG,
        caught_by=("demo::transcript",),
        says=("[no line end]", "only the final newline differs"),
        recorded=True,
    ),
    Imposter(
        id="demo writes into its own folder",
        claims="01",
        copy_of="01",
        moved={"mini_agent/demo.py": "mini_agent/demo_before.py"},
        files={"mini_agent/demo.py": f'{DEMO_AND}open("log.txt", "w", encoding="utf-8")\n'},
        select="check_demo and (transcript or hermetic or stderr)",
        verdict=Verdict.WRONG,
        caught_by=("demo::hermetic",),
        says=("refused writing log.txt", "nothing was overwritten"),
    ),
    Imposter(
        id="demo writes into the user's folder",
        claims="01",
        copy_of="01",
        moved={"mini_agent/demo.py": "mini_agent/demo_before.py"},
        files={
            "mini_agent/demo.py": f"{DEMO_AND}import os\n"
            'open(os.path.expanduser("~/.mini_agent"), "w", encoding="utf-8")\n'
        },
        select="check_demo and (transcript or hermetic or stderr)",
        verdict=Verdict.WRONG,
        caught_by=("demo::hermetic",),
        says=("/.mini_agent", "nothing was overwritten"),
    ),
    Imposter(
        id="demo hides that it may not write",
        claims="01",
        copy_of="01",
        moved={"mini_agent/demo.py": "mini_agent/demo_before.py"},
        files={
            "mini_agent/demo.py": "from .demo_before import main\n\ntry:\n"
            '    open("log.txt", "w", encoding="utf-8")\nexcept OSError:\n    pass\nmain()\n'
        },
        select="check_demo and (transcript or hermetic or stderr or exit_code)",
        verdict=Verdict.WRONG,
        caught_by=("demo::hermetic",),
        says=("refused writing log.txt",),
    ),
    Imposter(
        id="prints without end",
        claims="01",
        copy_of="01",
        files={"mini_agent/demo.py": 'while True:\n    print("再见。" * 1000)\n'},
        select="check_demo",
        verdict=Verdict.WRONG,
        caught_by=("demo::transcript", "demo::reader_leaves"),
        says=("no end of output", "is not run again"),
    ),
    Imposter(
        id="has a syntax error",
        claims="02",
        copy_of="02",
        files={"mini_agent/messages.py": '"""Messages."""\n\ndef user_text(text:\n'},
        select="check_messages or check_rules or check_package or transcript or opening",
        verdict=Verdict.WRONG,
        caught_by=("package::modules_can_be_imported", "messages::user_text", "demo::transcript"),
        says=("mini_agent/messages.py:3", "SyntaxError"),
    ),
    Imposter(
        id="uses a name that nobody defined",
        claims="02",
        copy_of="02",
        files={"mini_agent/messages.py": '"""Messages."""\n\nMessage = UserMessage\n'},
        select="check_messages or check_rules or check_package or transcript or opening",
        verdict=Verdict.WRONG,
        caught_by=("package::modules_can_be_imported", "messages::user_text", "demo::transcript"),
        says=("mini_agent/messages.py:3", "NameError: name 'UserMessage' is not defined"),
    ),
    Imposter(
        id="leaves Python while it is loaded",
        claims="02",
        copy_of="02",
        files={"mini_agent/messages.py": '"""Messages."""\n\nraise SystemExit(0)\n'},
        select="check_messages or check_rules or check_package",
        verdict=Verdict.WRONG,
        caught_by=("package::modules_can_be_imported", "messages::user_text"),
        says=("mini_agent/messages.py:3", "SystemExit: 0"),
    ),
    Imposter(
        id="ends the process while it is loaded",
        claims="02",
        copy_of="02",
        files={"mini_agent/messages.py": '"""Messages."""\n\nimport os\n\nos._exit(0)\n'},
        select="check_messages or check_rules or check_package",
        verdict=Verdict.WRONG,
        caught_by=("package::modules_can_be_imported", "messages::user_text"),
        says=("import mini_agent.messages", "the process ended, exit code 0"),
    ),
    Imposter(
        id="hangs while it is loaded",
        claims="02",
        copy_of="02",
        files={"mini_agent/messages.py": '"""Messages."""\n\nwhile True:\n    pass\n'},
        select="check_messages or check_rules or check_package",
        verdict=Verdict.WRONG,
        caught_by=("package::modules_can_be_imported", "messages::user_text"),
        says=("import mini_agent.messages", "no end within 2 s"),
        patience=2,
    ),
    Imposter(
        id="starts a thread while it is loaded",
        claims="01",
        copy_of="01",
        files={
            "mini_agent/respond.py": "from threading import Event, Thread\n\n"
            "Thread(target=Event().wait).start()\n"
        },
        select="check_respond or check_package",
        verdict=Verdict.WRONG,
        caught_by=("package::modules_can_be_imported", "respond::echo"),
        says=("no end within 2 s",),
        patience=2,
    ),
    Imposter(
        id="hides a module of the standard library",
        claims="01",
        copy_of="01",
        files={"mini_agent/types.py": PACKAGE},
        select="check_package",
        verdict=Verdict.WRONG,
        caught_by=("package::no_module_hides_the_library",),
        says=("mini_agent/types.py",),
    ),
    Imposter(
        id="step 02 in place of 03",
        claims="03",
        copy_of="02",
        select="check_package or check_signal or check_fake_model or check_interrupt or transcript",
        verdict=Verdict.NOT_YET,
        caught_by=("demo::transcript",),
        says=("mini_agent/abort.py", "mini_agent/stream.py", "mini_agent/messages.py: StopReason"),
    ),
    Imposter(
        id="step 03 in place of 04",
        claims="04",
        copy_of="03",
        select="check_package or check_agent_loop or check_render or check_outcome or transcript",
        verdict=Verdict.NOT_YET,
        caught_by=("demo::transcript", "outcome::tool_use"),
        says=("mini_agent/agent_loop.py", "mini_agent/render.py: render_run"),
    ),
)

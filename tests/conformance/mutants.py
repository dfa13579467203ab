"""A fault for every check: one change to one file of a step that is otherwise right."""

from dataclasses import dataclass

from conformance.support.subject import PATIENCE

MAIN, DEMO = "mini_agent/__main__.py", "mini_agent/demo.py"
CONSOLE, RESPOND = "mini_agent/console.py", "mini_agent/respond.py"
MESSAGES, MODEL = "mini_agent/messages.py", "mini_agent/fake_model.py"
RULES, SHELL, INIT = "mini_agent/rules.py", "mini_agent/shell.py", "mini_agent/__init__.py"

RECONFIGURE = 'stream.reconfigure(encoding=encoding, errors="replace", newline=newline)'
BEGIN_CONSOLE = "def _use_utf8() -> None:\n"
INPUT = "return input(prompt)"
DROP_CR = '.replace("\\r", "")'
LOOP = 'while (line := ask("你> ")) is not None and line.strip() != "/exit":'
DOCSTRING = '"""A small agent harness, grown one mechanism per step."""\n'
ECHO = 'return f"你说的是：{text}"\n'


@dataclass(frozen=True)
class Mutant:
    """A step with one fault in it."""

    id: str
    step: str
    file: str
    old: str
    """It must stand in the file exactly once."""

    new: str
    caught_by: str
    """The checks that fail, with a space in between: all of them among those that are run.

    What is run: the whole file of checks where that is cheap, otherwise the named check.
    """

    patience: float = PATIENCE
    """Seconds until a program of it counts as endless."""

    @property
    def checks(self) -> tuple[str, ...]:
        """The names in `caught_by`."""
        return tuple(self.caught_by.split())


MUTANTS = (
    # the demo
    Mutant("no space behind the prompt", "01", DEMO, "你> {line}", "你>{line}", "demo::transcript"),
    Mutant(
        "expectation without its last newline",
        "01",
        "expected-output.txt",
        "再见。\n",
        "再见。",
        "demo::own_expected_file",
    ),
    Mutant(
        "demo ends with 3",
        "01",
        DEMO,
        'print("再见。")',
        'print("再见。")\n        raise SystemExit(3)',
        "demo::exit_code",
    ),
    Mutant(
        "demo complains",
        "01",
        DEMO,
        'print("再见。")',
        'print("再见。")\n        __import__("warnings").warn("odd")',
        "demo::stderr",
    ),
    Mutant(
        "demo leaves a file in its temporary folder",
        "01",
        DEMO,
        'print("再见。")',
        'print("再见。")\n        __import__("tempfile").mkstemp()',
        "demo::hermetic",
    ),
    Mutant(
        "demo treats a file as something else",
        "01",
        DEMO,
        'print("再见。")',
        'print("再见。" if __import__("os").fstat(1).st_mode < 0o100000 else "再见")',
        "demo::same_in_a_file",
    ),
    # a conversation
    Mutant(
        "end of input is an error",
        "01",
        CONSOLE,
        "except (EOFError, KeyboardInterrupt):",
        "except KeyboardInterrupt:",
        "chat::ends_well",
    ),
    Mutant(
        "two farewells",
        "01",
        MAIN,
        'print("再见。")',
        'print("再见。\\n再见。")',
        "chat::says_farewell_once",
    ),
    Mutant("another banner", "01", MAIN, "· step01", "- step01", "chat::opening"),
    Mutant(
        "no empty line after an answer",
        "01",
        MAIN,
        "{respond(line)}\\n",
        "{respond(line)}",
        "chat::says_what_the_demo_says",
    ),
    Mutant(
        "answers to what the line was trimmed to",
        "01",
        MAIN,
        "respond(line)",
        "respond(line.strip())",
        "chat::second_script",
    ),
    Mutant(
        "line without an end is dropped",
        "01",
        CONSOLE,
        INPUT,
        'print(end=prompt); line = sys.stdin.readline()\n            if line[-1:] != "\\n":\n'
        "                return None\n            return line[:-1]",
        "chat::last_line_without_its_end",
    ),
    Mutant(
        "only the bare /exit is understood",
        "01",
        MAIN,
        'line.strip() != "/exit"',
        'line.rstrip("\\r") != "/exit"',
        "chat::line_after_exit",
    ),
    Mutant(
        "blank line ends it",
        "01",
        MAIN,
        LOOP,
        'while (line := ask("你> ")) and line.strip() != "/exit":',
        "chat::blank_lines_are_echoed",
    ),
    Mutant(
        "blank line is a message",
        "02",
        SHELL,
        "if line.strip():",
        "if True:",
        "chat::blank_lines_are_no_messages",
    ),
    Mutant(
        "lines are cut", "01", CONSOLE, DROP_CR, f"{DROP_CR}[:4095]", "chat::million_characters"
    ),
    # the streams of a conversation
    Mutant(
        "a file is not read",
        "01",
        CONSOLE,
        INPUT,
        "return None if os.fstat(0).st_size else input(prompt)",
        "standard_streams::input_from_a_file",
    ),
    Mutant(
        "needs all three streams",
        "01",
        CONSOLE,
        "if stream is None:",
        "if False:",
        "standard_streams::no_input standard_streams::closed_output",
    ),
    Mutant(
        "cannot bear a closed pipe",
        "01",
        CONSOLE,
        "except* BrokenPipeError:",
        "except* ZeroDivisionError:",
        "standard_streams::reader_leaves demo::reader_leaves",
    ),
    Mutant(
        "reads in the locale's encoding",
        "01",
        CONSOLE,
        RECONFIGURE,
        RECONFIGURE.replace("=encoding", '=encoding if mode == "w" else None'),
        "standard_streams::same_everywhere",
    ),
    Mutant(
        "opens a file without an encoding",
        "01",
        CONSOLE,
        BEGIN_CONSOLE,
        f"{BEGIN_CONSOLE}    open(os.devnull).close()\n",
        "standard_streams::every_file_names_its_encoding demo::every_file_names_its_encoding",
    ),
    Mutant(
        "keeps a history in its own folder",
        "01",
        CONSOLE,
        BEGIN_CONSOLE,
        f'{BEGIN_CONSOLE}    open("history.txt", "w", encoding="utf-8").close()\n',
        "standard_streams::leaves_its_folder_alone",
    ),
    # the console
    Mutant("trims lines", "01", CONSOLE, DROP_CR, ".strip()", "console::lines_as_typed"),
    Mutant(
        "knows too many line ends",
        "01",
        CONSOLE,
        f"{INPUT}{DROP_CR}",
        'return (input(prompt).splitlines() or [""])[0]',
        "console::only_newline_ends_a_line",
    ),
    Mutant(
        "keeps CR",
        "01",
        CONSOLE,
        DROP_CR,
        "",
        "console::carriage_returns_are_dropped chat::carriage_returns",
    ),
    Mutant(
        "keeps a BOM",
        "01",
        CONSOLE,
        '"utf-8-sig"',
        '"utf-8"',
        "console::byte_order_mark_is_dropped chat::byte_order_mark",
    ),
    Mutant(
        "drops bad bytes",
        "01",
        CONSOLE,
        RECONFIGURE,
        RECONFIGURE.replace("replace", "ignore"),
        "console::bad_bytes_are_replaced",
    ),
    Mutant(
        "can be asked at the end only once",
        "01",
        CONSOLE,
        "        return None\n",
        "        sys.stdin.close()\n        return None\n",
        "console::no_more_stays_no_more",
    ),
    Mutant(
        "keeps Ctrl-C to itself",
        "01",
        CONSOLE,
        "signal.signal(signal.SIGINT, before)",
        "pass",
        "console::handler_of_ctrl_c_comes_back",
    ),
    Mutant(
        "prints in the locale's encoding",
        "01",
        CONSOLE,
        RECONFIGURE,
        'stream.reconfigure(errors="replace", newline=newline)',
        "console::prints_any_character demo::same_everywhere",
    ),
    Mutant(
        "hides every error",
        "01",
        CONSOLE,
        "except* BrokenPipeError:",
        "except* Exception:",
        "console::errors_pass_through",
    ),
    Mutant(
        "has no line editor", "01", CONSOLE, "    import readline", "    pass", "console::editing"
    ),
    # a terminal
    Mutant(
        "Ctrl-C at the prompt is a failure",
        "01",
        CONSOLE,
        "except (EOFError, KeyboardInterrupt):",
        "except EOFError:",
        "terminal::leaves_at_once",
    ),
    Mutant(
        "farewell behind the prompt",
        "01",
        CONSOLE,
        "print()  #",
        "pass  #",
        "terminal::says_farewell",
    ),
    Mutant(
        "leaves the terminal without an echo",
        "01",
        CONSOLE,
        "    import readline",
        '    os.system("stty -echo")\n    import readline',
        "terminal::terminal_is_restored",
    ),
    Mutant(
        "answers once",
        "01",
        MAIN,
        '{respond(line)}\\n")',
        '{respond(line)}\\n")\n            break',
        "terminal::goes_on_after_an_answer",
    ),
    Mutant(
        "throws away what was typed before",
        "01",
        CONSOLE,
        "    import readline",
        "    import termios\n    termios.tcflush(0, termios.TCIFLUSH)\n    import readline",
        "terminal::typed_ahead",
        patience=3,
    ),
    # step 01: the answer
    Mutant("trims the echo", "01", RESPOND, "{text}", "{text.strip()}", "respond::echo"),
    # messages
    Mutant(
        "two blocks for one text",
        "02",
        MESSAGES,
        "content=(TextContent(text=text),)",
        'content=(TextContent(text=text), TextContent(text=""))',
        "messages::user_text",
    ),
    Mutant(
        "spaces between blocks", "02", MESSAGES, '"".join(', '" ".join(', "messages::message_text"
    ),
    Mutant(
        "another role",
        "02",
        MESSAGES,
        'Literal["user"] = "user"',
        'Literal["user", "human"] = "human"',
        "messages::role",
    ),
    Mutant(
        "another type",
        "02",
        MESSAGES,
        'Literal["text"] = "text"',
        'Literal["text", "txt"] = "txt"',
        "messages::type",
    ),
    Mutant("values can change", "02", MESSAGES, "frozen=True", "frozen=False", "messages::frozen"),
    Mutant(
        "unknown fields are ignored",
        "02",
        MESSAGES,
        'extra="forbid"',
        'extra="ignore"',
        "messages::extra_is_refused",
    ),
    Mutant(
        "content is a list",
        "02",
        MESSAGES,
        "content: tuple[TextContent, ...]",
        "content: list[TextContent]",
        "messages::content_is_a_tuple",
    ),
    Mutant(
        "text does not reach the JSON",
        "02",
        MESSAGES,
        "    text: str\n",
        "    text: str = Field(exclude=True)\n",
        "messages::json_and_back",
    ),
    Mutant(
        "no discriminator",
        "02",
        MESSAGES,
        'Annotated[UserMessage | AssistantMessage, Field(discriminator="role")]',
        "UserMessage | AssistantMessage",
        "messages::role_must_be_known",
    ),
    Mutant(
        "user messages hold plain texts",
        "02",
        MESSAGES,
        "tuple[TextContent, ...]",
        "tuple[TextContent | str, ...]",
        "messages::user_says_text_only",
    ),
    Mutant(
        "contexts share their messages",
        "02",
        MESSAGES,
        "field(default_factory=list)",
        "field(default_factory=lambda shared=[]: shared)",
        "messages::context_begins_empty",
    ),
    # the fake model
    Mutant(
        "matches beginnings only",
        "02",
        MODEL,
        "rule.match in text",
        "text.startswith(rule.match)",
        "fake_model::matching_rule_answers",
    ),
    Mutant(
        "longest match wins",
        "02",
        MODEL,
        "for rule in rules if",
        'for rule in sorted(rules, key=lambda rule: -len(rule.match or "")) if',
        "fake_model::first_match_wins fake_model::fallback_in_front_hides_the_rest",
    ),
    Mutant(
        "fallback is put last",
        "02",
        MODEL,
        "for rule in rules if",
        "for rule in sorted(rules, key=lambda rule: rule.match is None) if",
        "fake_model::fallback_in_front_hides_the_rest",
    ),
    Mutant(
        "fallback is never used",
        "02",
        MODEL,
        "rule.match is None or",
        "rule.match is not None and",
        "fake_model::fallback_answers_last fake_model::fallback_in_front_hides_the_rest"
        " fake_model::no_message",
    ),
    Mutant(
        "case does not matter",
        "02",
        MODEL,
        "rule.match in text",
        "rule.match.lower() in text.lower()",
        "fake_model::case_matters fake_model::no_rule_matches",
    ),
    Mutant(
        "another fixed text",
        "02",
        MODEL,
        "（FakeModel",
        "(FakeModel",
        "fake_model::no_rule_matches",
    ),
    Mutant(
        "looks at the first message",
        "02",
        MODEL,
        "messages[-1]",
        "messages[0]",
        "fake_model::only_the_last_message_counts",
    ),
    Mutant(
        "needs a message", "02", MODEL, ' if context.messages else ""', "", "fake_model::no_message"
    ),
    Mutant(
        "uses up its rules",
        "02",
        MODEL,
        "    async def complete",
        "    rules = iter(rules)\n\n    async def complete",
        "fake_model::any_sequence_of_rules",
    ),
    Mutant(
        "answers with two blocks",
        "02",
        MODEL,
        "(TextContent(text=reply),)",
        '(TextContent(text=reply), TextContent(text=""))',
        "fake_model::answer_is_an_assistant_message",
    ),
    Mutant(
        "appends its own answer",
        "02",
        MODEL,
        "        return AssistantMessage(content=(TextContent(text=reply),))",
        "        context.messages.append(AssistantMessage(content=(TextContent(text=text),)))\n"
        "        return AssistantMessage(content=(TextContent(text=reply),))",
        "fake_model::context_is_left_alone",
    ),
    # the rules
    Mutant(
        "fallback in front",
        "02",
        RULES,
        "RULES = (\n",
        'RULES = (\n    FakeRule(reply="兜底"),\n',
        "rules::every_rule_can_be_reached",
    ),
    Mutant(
        "rules in a list",
        "02",
        RULES,
        '兜底回复了。"),\n)\n',
        '兜底回复了。"),\n)\nRULES = list(RULES)\n',
        "rules::rules_cannot_change",
    ),
    # the shell
    Mutant(
        "prints no empty line",
        "02",
        SHELL,
        "{message_text(reply)}\\n",
        "{message_text(reply)}",
        "shell::prints_answers",
    ),
    Mutant("another prompt", "02", SHELL, "你> ", "> ", "shell::asks_with_the_prompt"),
    Mutant(
        "remembers answers as the user's words",
        "02",
        SHELL,
        "messages.append(reply)",
        "messages.append(user_text(message_text(reply)))",
        "shell::model_sees_the_whole_conversation",
    ),
    Mutant(
        "asks the model twice",
        "02",
        SHELL,
        "reply = await model(context)",
        "await model(context)\n    reply = await model(context)",
        "shell::one_call_per_line shell::model_sees_the_whole_conversation"
        " shell::lines_arrive_unchanged shell::other_commands_reach_the_model"
        " shell::blank_line_is_no_message",
    ),
    Mutant(
        "trims the user's line",
        "02",
        SHELL,
        "user_text(line)",
        "user_text(line.strip())",
        "shell::lines_arrive_unchanged",
    ),
    Mutant(
        "only the bare /exit ends it",
        "02",
        SHELL,
        'line.strip() != "/exit"',
        'line != "/exit"',
        "shell::exit_reaches_no_model",
    ),
    Mutant(
        "every command ends it",
        "02",
        SHELL,
        'line.strip() != "/exit"',
        'not line.strip().startswith("/")',
        "shell::other_commands_reach_the_model",
    ),
    Mutant(
        "sends blank lines",
        "02",
        SHELL,
        "if line.strip():",
        "if True:",
        "shell::blank_line_is_no_message",
    ),
    # the package
    Mutant(
        "modules from another folder",
        "01",
        INIT,
        DOCSTRING,
        f"{DOCSTRING}from lab.contract import LABS\n"
        '__path__ = [str(LABS / "step01-hello-cli" / "mini_agent")]\n',
        "package::loaded_from_the_folder package::init_holds_a_docstring",
    ),
    Mutant(
        "the package loads a module",
        "01",
        INIT,
        DOCSTRING,
        f"{DOCSTRING}from . import console\n",
        "package::init_holds_a_docstring",
    ),
    Mutant(
        "a name that nobody defined",
        "01",
        DEMO,
        "SCRIPT = (",
        "SCRIPT = SCRIPT + (",
        "package::modules_can_be_imported",
    ),
    Mutant(
        "greets on loading",
        "01",
        RESPOND,
        ECHO,
        f'{ECHO}\n\nprint("loaded")\n',
        "package::import_prints_nothing",
    ),
    Mutant(
        "reads a file on loading",
        "01",
        RESPOND,
        ECHO,
        f'{ECHO}\n\nopen("/dev/null", encoding="utf-8").close()\n',
        "package::import_touches_nothing",
    ),
    Mutant(
        "full name in an import",
        "01",
        MAIN,
        "from .respond",
        "from mini_agent.respond",
        "package::imports_are_relative",
    ),
    Mutant(
        "a circle of imports",
        "01",
        RESPOND,
        ECHO,
        f"{ECHO}\n\ndef play() -> None:\n    from . import demo\n",
        "package::no_import_cycle",
    ),
)

"""A fault for every check that is owed since step 03, in step 03."""

from tests.conformance.mutants import MESSAGES, MODEL, SHELL, Mutant

ABORT, CTRL_C = "mini_agent/abort.py", "mini_agent/ctrl_c.py"
PLAYBACK, RENDER = "mini_agent/playback.py", "mini_agent/render.py"

QUICK = 3
"""Seconds of patience where a fault lets somebody wait for ever."""

FOUND = "return PIECE.findall(text)"
YIELD = "        yield event\n"
SLEEP = "            with signal.cut_short():\n                await anyio.sleep(delay)\n"
KEEP = "if message_text(reply):"
ANSWERS = (
    "fake_model::rule_answers fake_model::ending fake_model::same_again"
    " fake_model::long_answer_comes_in_pieces fake_model::characters_stay_whole"
    " fake_model::stream_leaves_the_context_alone"
)
TYPEWRITER = (
    "render::prints_as_it_comes render::complete_answer render::marks render::returns_how_it_ended"
    " render::notices_go_to_notify render::notices_are_no_output render::reader_leaves"
)
"""All checks that listen to a fake model, and all that look at the typewriter."""

STREAMING = (
    # the order of events: every check that listens to a stream looks at it
    Mutant(
        "events come twice",
        "03",
        PLAYBACK,
        YIELD,
        "        yield event\n        yield event\n",
        ANSWERS,
    ),
    Mutant(
        "a failure is raised",
        "03",
        PLAYBACK,
        "        yield StreamError(message=message)\n",
        "        raise ConnectionError(message.error_message)\n",
        "fake_model::ending",
    ),
    # the fake model
    Mutant(
        "last rule wins",
        "03",
        MODEL,
        "for rule in rules if",
        "for rule in reversed(rules) if",
        "fake_model::rule_answers",
    ),
    Mutant(
        "a failure looks like an answer",
        "03",
        MODEL,
        "if rule.error is not None:",
        "if rule.error is not None and not rule.reply:",
        "fake_model::ending",
    ),
    Mutant(
        "other pieces every second time",
        "03",
        PLAYBACK,
        FOUND,
        "SEEN.append(text)\n    found = PIECE.findall(text)\n"
        "    return found if len(SEEN) % 2 else [''.join(found[:2]), *found[2:]]\n\n\nSEEN = []",
        "fake_model::same_again",
    ),
    Mutant(
        "the answer as a whole",
        "03",
        PLAYBACK,
        FOUND,
        "return [text]",
        "fake_model::long_answer_comes_in_pieces",
    ),
    Mutant(
        "three characters, whatever they are",
        "03",
        PLAYBACK,
        FOUND,
        "return [text[at : at + 3] for at in range(0, len(text), 3)]",
        "fake_model::characters_stay_whole",
    ),
    Mutant(
        "flags are cut",
        "03",
        PLAYBACK,
        r"\u200D\U0001F1E6-\U0001F1FF",
        r"\u200D",
        "fake_model::characters_stay_whole",
    ),
    Mutant(
        "appends to the context",
        "03",
        MODEL,
        "        signal = (options",
        "        context.messages.extend(context.messages[-1:])\n        signal = (options",
        "fake_model::stream_leaves_the_context_alone",
    ),
    # an abort
    Mutant(
        "begins although it is aborted",
        "03",
        PLAYBACK,
        "if signal.aborted:",
        "if signal.aborted and sent > 1:",
        "abort::before_the_call abort::while_waiting",
    ),
    Mutant(
        "looks at the signal only where it waits",
        "03",
        PLAYBACK,
        "if signal.aborted:",
        "if signal.aborted and delay:",
        "abort::before_the_call abort::between_two_pieces",
    ),
    Mutant(
        "forgets what came",
        "03",
        PLAYBACK,
        "content = content_of(islice(events_of(message), sent))",
        "content = ()",
        "abort::between_two_pieces",
    ),
    Mutant(
        "waits to the end",
        "03",
        PLAYBACK,
        SLEEP,
        "            await anyio.sleep(delay)\n",
        "abort::while_waiting",
        patience=QUICK,
    ),
    Mutant(
        "tells whoever has left",
        "03",
        PLAYBACK,
        YIELD,
        f"        try:\n    {YIELD}        except GeneratorExit:\n    {YIELD}",
        "abort::closed_early",
    ),
    Mutant(
        "takes a cancellation for an abort",
        "03",
        PLAYBACK,
        SLEEP,
        "            try:\n                with signal.cut_short():\n"
        "                    await anyio.sleep(delay)\n"
        "            except BaseException:\n                signal.abort()\n",
        "abort::cancelled",
    ),
    # the signal
    Mutant(
        "aborted from the beginning",
        "03",
        ABORT,
        "self.aborted = False",
        "self.aborted = True",
        "signal::begins_unaborted signal::cancellation_passes",
    ),
    Mutant(
        "a second abort takes the first one back",
        "03",
        ABORT,
        "        self.aborted = True\n",
        "        self.aborted = not self.aborted\n",
        "signal::stays_aborted",
    ),
    Mutant(
        "ends one wait only",
        "03",
        ABORT,
        "for scope in self._waits:",
        "for scope in list(self._waits)[:1]:",
        "signal::ends_every_wait",
        patience=QUICK,
    ),
    Mutant(
        "waits although it is aborted",
        "03",
        ABORT,
        "if self.aborted:",
        "if False:",
        "signal::wait_after_the_abort signal::disturbs_nothing_afterwards",
        patience=QUICK,
    ),
    Mutant(
        "raises where it was cut short",
        "03",
        ABORT,
        "                self._waits.discard(scope)\n",
        "                self._waits.discard(scope)\n"
        "        if scope.cancelled_caught:\n"
        '            raise InterruptedError("aborted")\n',
        "signal::ends_every_wait signal::wait_after_the_abort signal::disturbs_nothing_afterwards",
    ),
    Mutant(
        "swallows a cancellation",
        "03",
        ABORT,
        "                yield\n",
        "                try:\n                    yield\n                except BaseException:\n"
        "                    pass\n",
        "signal::cancellation_passes signal::errors_pass",
    ),
    # how an answer ended
    Mutant(
        "no end by default",
        "03",
        MESSAGES,
        'stop_reason: StopReason = "stop"',
        'stop_reason: StopReason = "length"',
        "outcome::by_default",
    ),
    Mutant(
        "nothing is ever too long",
        "03",
        MESSAGES,
        '"stop", "length", "refusal",',
        '"stop", "refusal",',
        "outcome::stop_reasons",
    ),
    Mutant(
        "any reason will do",
        "03",
        MESSAGES,
        'stop_reason: StopReason = "stop"',
        'stop_reason: str | None = "stop"',
        "outcome::other_stop_reasons_are_refused",
    ),
    Mutant(
        "half tokens",
        "03",
        MESSAGES,
        "input_tokens: int",
        "input_tokens: float",
        "outcome::usage_counts_tokens",
    ),
    Mutant(
        "the cost does not reach the JSON",
        "03",
        MESSAGES,
        "usage: Usage | None = None",
        "usage: Usage | None = Field(default=None, exclude=True)",
        "outcome::json_and_back",
    ),
    # the typewriter
    Mutant(
        "does not flush",
        "03",
        RENDER,
        "flush=True",
        "flush=False",
        "render::prints_as_it_comes",
    ),
    Mutant(
        "marks what is complete",
        "03",
        RENDER,
        'return "" if message_text(message) else "（空回答）"',
        'return "（完）"',
        "render::complete_answer",
    ),
    Mutant(
        "hides an abort",
        "03",
        RENDER,
        'return "（已中止）"',
        'return ""',
        "render::marks",
    ),
    Mutant(
        "gives back the event",
        "03",
        RENDER,
        "return event.message",
        "return event",
        "render::returns_how_it_ended",
    ),
    Mutant(
        "notices in the answer",
        "03",
        RENDER,
        "self._notify(text)",
        "self._write(text)",
        "render::notices_go_to_notify render::notices_are_no_output",
    ),
    Mutant(
        "notices on standard output",
        "03",
        RENDER,
        "print(text, file=sys.stderr)",
        "print(text)",
        "render::notices_are_no_output",
    ),
    Mutant(
        "leaves the stream open",
        "03",
        RENDER,
        "import aclosing",
        "import nullcontext as aclosing",
        TYPEWRITER,
    ),
    Mutant(
        "drains the stream",
        "03",
        RENDER,
        "            typewriter.show(event)\n",
        "            try:\n                typewriter.show(event)\n"
        "            except BrokenPipeError:\n                pass\n",
        "render::reader_leaves",
    ),
    # the shell
    Mutant(
        "no empty line behind an answer",
        "03",
        SHELL,
        "    print()\n",
        "    pass\n",
        "conversation::prints_answers",
    ),
    Mutant(
        "asks with another prompt", "03", SHELL, "你> ", "> ", "conversation::asks_with_the_prompt"
    ),
    Mutant(
        "trims what the user said",
        "03",
        SHELL,
        "user_text(line)",
        "user_text(line.strip())",
        "conversation::model_sees_the_whole_conversation",
    ),
    Mutant(
        "knows the bare /exit only",
        "03",
        SHELL,
        'line.strip() != "/exit"',
        'line != "/exit"',
        "conversation::exit_reaches_no_model",
    ),
    Mutant(
        "takes every command for the end",
        "03",
        SHELL,
        'line.strip() != "/exit"',
        'not line.strip().startswith("/")',
        "conversation::other_commands_reach_the_model",
    ),
    Mutant(
        "sends a blank line",
        "03",
        SHELL,
        "if line.strip():",
        "if True:",
        "conversation::blank_line_is_no_message",
    ),
    Mutant(
        "forgets an aborted answer",
        "03",
        SHELL,
        KEEP,
        f'if reply.stop_reason != "aborted" and {KEEP[3:]}',
        "conversation::aborted_answer_stays interrupt::goes_on",
    ),
    Mutant(
        "forgets a failed answer",
        "03",
        SHELL,
        KEEP,
        f'if reply.stop_reason != "error" and {KEEP[3:]}',
        "conversation::failed_answer_stays",
    ),
    Mutant(
        "keeps an empty answer",
        "03",
        SHELL,
        KEEP,
        "if reply:",
        "conversation::empty_answer_is_no_message",
    ),
    Mutant(
        "keeps notices from notify",
        "03",
        SHELL,
        "options=options), notify=notify)",
        "options=options))",
        "conversation::notices_reach_notify",
    ),
    # Ctrl-C
    Mutant(
        "marks an abort somewhere else",
        "03",
        RENDER,
        'return "（已中止）"',
        'return "\\n（已中止）"',
        "interrupt::shown_part_stays",
    ),
    Mutant(
        "Ctrl-C ends the program",
        "03",
        CTRL_C,
        "            pressed.set()\n",
        "            raise KeyboardInterrupt\n",
        "interrupt::goes_on interrupt::second_press_does_no_harm",
    ),
    Mutant(
        "an abort changes the terminal",
        "03",
        CTRL_C,
        "            pressed.set()\n",
        '            pressed.set()\n            __import__("os").system("stty -ixon")\n',
        "interrupt::terminal_is_restored",
    ),
    Mutant(
        "no grace for a second press",
        "03",
        CTRL_C,
        "grace: float = 0.2",
        "grace: float = 0.0",
        "interrupt::second_press_does_no_harm",
    ),
    Mutant(
        "throws away what was typed",
        "03",
        CTRL_C,
        "            beside.cancel_scope.cancel()\n",
        "            beside.cancel_scope.cancel()\n"
        '            __import__("termios").tcflush(0, 0)\n',
        "interrupt::typed_during_an_answer",
        patience=3,
    ),
)

"""A fault for every check that is owed since step 07, in step 07."""

from tests.conformance.mutants import Mutant

LOOP, EXECUTION = "mini_agent/agent_loop.py", "mini_agent/execution.py"
HOOKS, SCREENING = "mini_agent/hooks.py", "mini_agent/screening.py"
RULES_OF_GATES = "mini_agent/extension_hooks.py"
HANDLERS, OBSERVERS = "mini_agent/extension_handlers.py", "mini_agent/extension_observers.py"
EXTENSIONS, LOADER = "mini_agent/extensions.py", "mini_agent/extension_loader.py"
COMMANDS = "mini_agent/commands.py"

QUICK = 4
"""Seconds of patience where a fault lets somebody wait for ever."""

TAKING_PART = (
    # the five hooks
    Mutant(
        "a refused message whose calls are run",
        "07",
        SCREENING,
        "batch.answer(call, error_result(call, refusal))",
        "continue",
        "hooks::refusal_of_a_message",
    ),
    Mutant(
        "asked from behind",
        "07",
        SCREENING,
        "for call in batch.calls:",
        "for call in reversed(batch.calls):",
        "hooks::asked_before_any_tool_starts",
    ),
    Mutant(
        "other arguments are not taken",
        "07",
        SCREENING,
        "batch.final[call.id] = check(answer)",
        "check(answer)",
        "hooks::other_arguments",
    ),
    Mutant(
        "every answer is a block",
        "07",
        EXECUTION,
        "        if result.is_error:\n            self.blocked",
        "        if result:\n            self.blocked",
        "hooks::answer_in_place_of_a_tool",
    ),
    Mutant(
        "raising is a yes",
        "07",
        SCREENING,
        "            raise\n        batch.answer(call, error_result(call, describe(error)))",
        "            raise\n        batch.final[call.id] = fitting",
        "hooks::raising_is_a_no hooks::arguments_are_checked_twice",
    ),
    Mutant(
        "changed arguments are not checked again",
        "07",
        SCREENING,
        "= check(answer)",
        "= answer",
        "hooks::arguments_are_checked_twice",
    ),
    Mutant(
        "a result that was not looked at is passed on",
        "07",
        EXECUTION,
        "self.outcomes[call.id] = result_of(call, passed)",
        "self.outcomes[call.id] = result",
        "hooks::other_result hooks::one_result_each",
    ),
    Mutant(
        "whoever speaks up at the end gets no answer",
        "07",
        LOOP,
        "more=bool(calls or said)",
        "more=bool(calls)",
        "hooks::steering",
    ),
    Mutant(
        "an end without its detail",
        "07",
        LOOP,
        'AgentEnd(reason="stopped", detail=stop)',
        'AgentEnd(reason="stopped")',
        "hooks::stop_after_turn",
    ),
    Mutant(
        "the result of another call is taken",
        "07",
        "mini_agent/results.py",
        "    if (result.tool_call_id, result.tool_name) != (call.id, call.name):",
        "    if result is None:",
        "hooks::one_result_each",
    ),
    Mutant(
        "an abort waits for a hook",
        "07",
        HOOKS,
        "    with signal.cut_short():\n        answer = await hook(*args)",
        "    answer = await hook(*args)",
        "hooks::abort_cuts_a_hook_short",
        patience=QUICK,
    ),
    # extensions that decide
    Mutant(
        "the last block wins",
        "07",
        RULES_OF_GATES,
        "gates = self._extensions.handlers(BeforeCall)",
        "gates = self._extensions.handlers(BeforeCall)[::-1]",
        "gates::first_block_wins",
    ),
    Mutant(
        "a block with a hole in it",
        "07",
        RULES_OF_GATES,
        "answer.reason or NO_REASON",
        "answer.reason",
        "gates::block_without_a_reason",
    ),
    Mutant(
        "changed arguments end the questions",
        "07",
        RULES_OF_GATES,
        "            if isinstance(answer, ToolCall) and answer.arguments != call.arguments:\n"
        "                call = answer\n",
        "            if isinstance(answer, ToolCall):\n                return answer\n",
        "gates::no_answer_overrides_a_block gates::decided_on_as_run",
    ),
    Mutant(
        "a gate that raises lets pass",
        "07",
        RULES_OF_GATES,
        "            return GATE_FAILED.format(name=gate.extension)",
        "            return None",
        "gates::raising_gate_blocks gates::half_a_change_is_undone gates::siblings_are_unharmed",
    ),
    Mutant(
        "extensions get the original",
        "07",
        HANDLERS,
        "await function(deepcopy(argument))",
        "await function(argument)",
        "gates::half_a_change_is_undone observers::observers_get_copies",
    ),
    Mutant(
        "one blocked call blocks those behind it",
        "07",
        SCREENING,
        "            await _screen_call(call, batch, check)\n",
        "            await _screen_call(call, batch, check)\n"
        "            if batch.blocked:\n"
        '                refusal = "没有执行"\n',
        "gates::siblings_are_unharmed",
    ),
    Mutant(
        "nobody is asked about a tool that does not exist",
        "07",
        "mini_agent/tools/registry.py",
        "        if call.name not in self._tools:\n            return call\n",
        "",
        "gates::unknown_tool",
    ),
    Mutant(
        "a gate is asked once",
        "07",
        RULES_OF_GATES,
        "if seen.get(gate) is not call)",
        "if gate not in seen)",
        "gates::decided_on_as_run",
    ),
    Mutant(
        "an unchecked result is passed on",
        "07",
        RULES_OF_GATES,
        "                raise ToolError(RESULT_FAILED.format(name=handler.extension)) from None",
        "                continue",
        "gates::raising_behind_a_call",
    ),
    # extensions that watch
    Mutant(
        "an observer that raises ends the run",
        "07",
        OBSERVERS,
        "with scope, suppress(HandlerFailed):",
        "with scope:",
        "observers::observers_are_isolated",
    ),
    Mutant(
        "the same trouble is told every time",
        "07",
        EXTENSIONS,
        "                self._told.add((handler.extension, str(error)))\n",
        "",
        "observers::observers_are_isolated",
    ),
    # where extensions come from, and what they bring along
    Mutant(
        "a project is trusted",
        "07",
        LOADER,
        "    if of_project and not sources.trust_project:",
        "    if False:",
        "extensions::project_is_not_trusted",
    ),
    Mutant(
        "a project is never trusted",
        "07",
        LOADER,
        "    if of_project and not sources.trust_project:",
        "    if of_project:",
        "extensions::project_is_not_trusted",
    ),
    Mutant(
        "the others are not loaded",
        "07",
        LOADER,
        "            load_extension(extensions, path)",
        "            extensions.add(path.stem, setup_of(path))",
        "extensions::load_error",
    ),
    Mutant(
        "a load error does not say where",
        "07",
        LOADER,
        "file=printable(str(path)), error",
        'file="", error',
        "extensions::load_error",
    ),
    Mutant(
        "built-in names are given away",
        "07",
        EXTENSIONS,
        "if command.name in self._builtin_commands:",
        "if False:",
        "extensions::protected_names",
    ),
    Mutant(
        "built-in tools are given away",
        "07",
        EXTENSIONS,
        "elif tool.name in self.tools and tool.name not in extension.replacing:",
        "elif False:",
        "extensions::replaced_tool",
    ),
    Mutant(
        "a list of built-in commands only",
        "07",
        COMMANDS,
        "for command in extensions.commands.values():",
        "for command in ():",
        "extensions::commands_of_an_extension",
    ),
)

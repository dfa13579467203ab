"""A fault for every check that is owed since step 08, in step 08."""

from tests.conformance.mutants import MAIN, Mutant

PROVIDERS = "mini_agent/providers"
ANTHROPIC, OPENAI = f"{PROVIDERS}/anthropic.py", f"{PROVIDERS}/openai.py"
ANSWER, CALL, WIRE = f"{PROVIDERS}/answer.py", f"{PROVIDERS}/call.py", f"{PROVIDERS}/wire.py"
FAILURES, RETRY = f"{PROVIDERS}/failures.py", f"{PROVIDERS}/retry.py"
CHOICE, CREATE = f"{PROVIDERS}/choice.py", f"{PROVIDERS}/create.py"
KEYS, SETTINGS = f"{PROVIDERS}/keys.py", f"{PROVIDERS}/settings.py"

QUICK = 2
"""Seconds of patience where a fault lets somebody wait for ever."""

REAL_MODELS = (
    # an answer
    Mutant(
        "the cost is not counted",
        "08",
        ANSWER,
        "            usage=self.usage,\n",
        "",
        "providers::whole_answer",
    ),
    Mutant(
        "calls come without their arguments",
        "08",
        OPENAI,
        '    call.pieces.append(function.get("arguments") or "")\n',
        "",
        "providers::whole_answer providers::in_the_loop",
    ),
    Mutant(
        "a cut stream is an answer",
        "08",
        CALL,
        '        raise Failure("服务器没有说完就结束了", may_pass=True)\n',
        '        return "stop"\n',
        "providers::cut_stream providers::no_second_try_behind_a_text",
    ),
    Mutant(
        "a call that broke off is kept",
        "08",
        ANSWER,
        "        return block.call\n",
        "        block.end()\n        return block.call\n",
        "providers::cut_stream",
    ),
    Mutant(
        "an error event is noise",
        "08",
        ANTHROPIC,
        '            raise failure_of_event(complaint, key_name="ANTHROPIC_API_KEY")',
        '            answer.complete, answer.stop_reason = True, "stop"',
        "providers::error_event",
    ),
    Mutant(
        "any page is a stream",
        "08",
        WIRE,
        'response.status_code == 200 and content_type.strip().lower() == "text/event-stream"',
        "response.status_code == 200 and bool(content_type)",
        "providers::page_in_place_of_a_stream",
        patience=QUICK,
    ),
    # another try, or none
    Mutant(
        "a refused key is tried again",
        "08",
        FAILURES,
        '        return f"服务器不接受密钥，请检查 {key_name}", False',
        '        return f"服务器不接受密钥，请检查 {key_name}", True',
        "providers::refused_key",
    ),
    Mutant(
        "a server may repeat the key",
        "08",
        CALL,
        "readable(hide_key(failure.text, endpoint.key))",
        "readable(failure.text)",
        "providers::refused_key",
    ),
    Mutant(
        "too many requests are the end",
        "08",
        FAILURES,
        '        return "请求太频繁", True',
        '        return "请求太频繁", False',
        "providers::too_many_requests",
    ),
    Mutant(
        "tries again in silence",
        "08",
        CALL,
        "        yield Notice(",
        "        Notice(",
        "providers::too_many_requests",
    ),
    Mutant(
        "says it twice",
        "08",
        CALL,
        "if answer.is_visible or wait is None:",
        "if wait is None:",
        "providers::no_second_try_behind_a_text",
        patience=QUICK,
    ),
    # an abort
    Mutant(
        "an abort waits for the server",
        "08",
        WIRE,
        "    with signal.cut_short():\n        result = await wait",
        "    result = await wait",
        "providers::abort_before_the_answer providers::abort_inside_of_the_answer",
        patience=QUICK,
    ),
    # in the loop
    Mutant(
        "results are not sent",
        "08",
        ANTHROPIC,
        'return [result | {"is_error": True} if is_error else result]',
        "return []",
        "providers::in_the_loop",
    ),
    # which model, and with which key
    Mutant(
        "a fake that looks real",
        "08",
        CREATE,
        'f"模型：按剧本回答的假模型（{choice.why}）"',
        'f"模型：（{choice.why}）"',
        "model_choice::no_key",
    ),
    Mutant(
        "white space is a value",
        "08",
        SETTINGS,
        'self.file.get(name, "")).strip()',
        'self.file.get(name, ""))',
        "model_choice::no_key model_choice::key_is_sent",
    ),
    Mutant(
        "anything may stand in a key",
        "08",
        KEYS,
        'if not "!" <= character <= "~":',
        "if False:",
        "model_choice::malformed_key",
    ),
    Mutant(
        "shows what it refuses",
        "08",
        KEYS,
        "：{what}。请重新复制。",
        "：{what}，在 {value} 里。",
        "model_choice::malformed_key",
    ),
    Mutant(
        "OpenAI first",
        "08",
        CHOICE,
        "for provider in PROVIDERS:",
        "for provider in reversed(PROVIDERS):",
        "model_choice::both_keys",
    ),
    Mutant(
        "the name of a model ends at the next slash",
        "08",
        CHOICE,
        'name, _, model = wanted.partition("/")',
        'name, model = wanted.split("/")[:2]',
        "model_choice::chosen_model",
    ),
    Mutant(
        "a key is always needed",
        "08",
        CHOICE,
        "if settings.get(provider.address) and not provider.needs_key:",
        "if False:",
        "model_choice::server_without_a_key",
    ),
    Mutant(
        "the file wins",
        "08",
        SETTINGS,
        'self.environment.get(name, self.file.get(name, ""))',
        'self.file.get(name, self.environment.get(name, ""))',
        "model_choice::dotenv",
    ),
    Mutant(
        "the file enters the environment",
        "08",
        SETTINGS,
        "    return {name: value for name, value in values.items() if value is not None}",
        '    __import__("os").environ.update(values)\n'
        "    return {name: value for name, value in values.items() if value is not None}",
        "model_choice::dotenv",
    ),
    Mutant(
        "the client is always loaded",
        "08",
        MAIN,
        "from .render import warn\n",
        "from .providers import endpoint as endpoint\nfrom .render import warn\n",
        "model_choice::light_without_a_key",
    ),
)

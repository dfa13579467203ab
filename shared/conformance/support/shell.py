"""The shell of the package under test, with the suite at the keyboard and as the model."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Any

from conformance.support import judge
from conformance.support.history import in_words
from conformance.support.judge import Observed
from conformance.support.model import Says, Script
from conformance.support.run import ToolTable, toolset
from conformance.support.subject import Subject


class Conversation(Observed):
    """A run of the shell: a list of lines for `ask`, and a model with a script."""

    def __init__(
        self,
        subject: Subject,
        lines: Sequence[str],
        *says: Says,
        aborted: bool = False,
        notice: str = "",
        tools: ToolTable | None = None,
        **how: Any,
    ) -> None:
        self._subject = subject
        self._lines = iter(lines)
        self._aborted = aborted
        self._notice = notice
        self.prompts: list[str] = []
        self.script = Script(subject, says)
        self.called = f"run_shell(ask, model), ask gives {', '.join(map(repr, lines))}"
        given = {} if tools is None else {"tools": toolset(subject, tools)}
        subject.get("shell.run_shell")(self.ask, self.model, **how, **given)

    def ask(self, prompt: str) -> str | None:
        """Stand for the keyboard."""
        self.prompts.append(prompt)
        return next(self._lines, None)

    async def model(self, context: Any, /, *, options: Any = None) -> AsyncGenerator[Any, None]:
        """Send a notice, if there is one; be the user who aborts an answer behind a piece of it."""
        if self._notice:
            yield self._subject.get("stream.Notice")(text=self._notice)
        async with aclosing(self.script(context, options=options)) as stream:
            async for event in stream:
                yield event
                if self._aborted and isinstance(event, self._subject.get("stream.TextDelta")):
                    options.signal.abort()

    def expect_requests(self, *wanted: Iterable[str]) -> None:
        """Fail unless the model was called so often, and shown these messages, in words."""
        came = [in_words(messages) for messages in self.script.requests]
        judge.same(
            _shown(came),
            _shown(wanted),
            called=f"{self.called}; what each call of the model was shown",
        )


def _shown(requests: Iterable[Iterable[str]]) -> str:
    return "\n".join(f"{number}. {', '.join(r)}" for number, r in enumerate(requests, start=1))

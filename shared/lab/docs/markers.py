"""The markers in a Markdown file: which parts are generated, which commands are run.

A marker is a comment alone on its line, invisible on a code host:

    <!-- lab:KIND ARGUMENTS -->   begins a generated block
    <!-- /lab -->                 ends it
    <!-- lab:commands NAME -->    the fence below it is run; `expect=N`, `skip="reason"`
    <!-- lab:lang zh -->          from here on, generated words are Chinese
    <!-- lab:minutes 40 -->       how long the chapter takes; the text below it says so too

Within a line, `<!-- lab:figure NAME ARGUMENTS -->value<!-- / -->` holds one figure.
Inside of code nothing is a marker.
"""

import re
import shlex
from collections.abc import Collection
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lab import texts
from lab.bilingual import Language
from lab.docs.parts import Block, Commands, Document, Figure
from lab.docs.tree import LANGUAGES, Problem, language_of
from lab.errors import LabError

END = "<!-- /lab -->"
MARKER = re.compile(r"<!-- lab:(?P<kind>\S+)(?P<arguments>(?: (?:(?!-->).)*)?) -->")
FIGURE = re.compile(r"<!-- lab:figure (?P<arguments>(?:(?!-->).)*) -->(?P<value>.*?)<!-- / -->")
STRAY = re.compile(r"<!--\s*(?:/?\s*lab\b|/\s*-->)")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
LINE_START = re.compile(r"\s*(?:(?:[-*+>]|\d+[.)])\s+)*")


def parse(name: str, text: str, *, kinds: Collection[str]) -> Document:
    """Take a Markdown file apart; what is wrong in it stands in `problems`.

    Args:
        name: The file's name, relative to the root of the checkout.
        text: What is in it.
        kinds: The kinds of generated blocks that there are.
    """
    parser = _Parser(name, text, kinds)
    parser.read()
    return parser.document


class _Parser:
    def __init__(self, name: str, text: str, kinds: Collection[str]) -> None:
        self.document = Document(name=name, lines=text.split("\n"))
        self.kinds = kinds
        self.language = language_of(name)
        self.opened: Block | None = None
        tokens = MarkdownIt().parse(text)
        code = [_lines(token) for token in tokens if token.type in ("fence", "code_block")]
        self.code_lines = {number for lines in code for number in lines}
        self.html_starts = {_lines(token)[0] for token in tokens if token.type == "html_block"}
        self.shell_fences = {
            _lines(token)[0]: token
            for token in tokens
            if token.type == "fence" and token.info.split()[:1] == ["bash"]
        }

    def read(self) -> None:
        for number, line in enumerate(self.document.lines, start=1):
            if number not in self.code_lines:
                try:
                    self.read_line(number, line.rstrip())
                except LabError as error:
                    self.complain(number, str(error))
        if self.opened:
            self.complain(self.opened.line, texts.DOCS_UNCLOSED.format(end=END))
        marked = {commands.line + 1 for commands in self.document.commands}
        self.document.unmarked = sorted(self.shell_fences.keys() - marked)

    def complain(self, line: int, text: str) -> None:
        self.document.problems.append(Problem(self.document.name, line, text))

    def read_line(self, number: int, line: str) -> None:
        marker = MARKER.fullmatch(line)
        if line == END:
            self.close(number)
        elif self.opened:
            if marker:
                raise LabError(texts.DOCS_NESTED.format(line=self.opened.line, end=END))
        elif marker and marker["kind"] != "figure":
            self.read_marker(number, marker["kind"], marker["arguments"].strip())
        else:
            self.read_figures(number, line)

    def close(self, number: int) -> None:
        if self.opened is None:
            raise LabError(texts.DOCS_NOTHING_OPEN.format(end=END))
        if self.opened.kind in self.kinds:
            self.document.blocks.append(replace(self.opened, last_line=number))
        self.opened = None

    def read_marker(self, number: int, kind: str, arguments: str) -> None:
        if number not in self.html_starts:
            raise LabError(texts.DOCS_INSIDE_HTML)
        words = split_arguments(arguments)
        match kind:
            case "commands":
                self.document.commands.append(self.read_commands(number, arguments, words))
            case "lang":
                self.language = read_language(words)
            case "minutes":
                self.document.minutes.append((number, read_minutes(words)))
            case _:
                self.opened = Block(
                    line=number,
                    last_line=number,
                    language=self.language,
                    kind=kind,
                    arguments=words,
                    commands=self.commands_above(number) if kind == "output" else None,
                )
                if kind not in self.kinds:
                    known = ", ".join(sorted({*self.kinds, "commands", "lang", "minutes"}))
                    raise LabError(texts.DOCS_UNKNOWN_KIND.format(kind=kind, known=known))

    def read_commands(self, number: int, arguments: str, words: tuple[str, ...]) -> Commands:
        fence = self.shell_fences.get(number + 1)
        if fence is None or fence.level:
            raise LabError(texts.DOCS_NO_FENCE)
        options = dict(word.split("=", 1) for word in words if "=" in word)
        names = [word for word in words if "=" not in word]
        expect, skip = options.pop("expect", "0"), options.pop("skip", None)
        bad_skip = skip is not None and (not skip.strip() or expect != "0")
        if options or len(names) > 1 or not re.fullmatch(r"\d{1,3}", expect) or bad_skip:
            raise LabError(texts.DOCS_BAD_COMMANDS)
        return Commands(
            number=len(self.document.commands),
            line=number,
            last_line=_lines(fence)[-1],
            language=self.language,
            arguments=arguments,
            script=fence.content,
            expect=int(expect),
            skip=skip or "",
        )

    def commands_above(self, number: int) -> Commands | None:
        """Return the commands block that ends right above line `number`."""
        above = self.document.commands[-1] if self.document.commands else None
        if above and not any(self.document.lines[above.last_line : number - 1]):
            return above
        return None

    def read_figures(self, number: int, line: str) -> None:
        masked = CODE_SPAN.sub(lambda span: " " * len(span[0]), line)
        figures = list(FIGURE.finditer(masked))
        if STRAY.search(FIGURE.sub("", masked)):
            raise LabError(texts.DOCS_MISPLACED)
        start = LINE_START.match(masked)
        if figures and start and figures[0].start() == start.end():
            raise LabError(texts.DOCS_FIGURE_FIRST)
        for figure in figures:
            self.document.figures.append(
                Figure(
                    line=number,
                    language=self.language,
                    arguments=split_arguments(figure["arguments"]),
                    start=figure.start("value"),
                    end=figure.end("value"),
                )
            )


def split_arguments(text: str) -> tuple[str, ...]:
    """Split as a shell does, so that quotes hold words together."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise LabError(texts.DOCS_BAD_QUOTES.format(error=error)) from error


def read_language(words: tuple[str, ...]) -> Language:
    """Return the language that `lab:lang` names."""
    for language in LANGUAGES:
        if words == (language,):
            return language
    raise LabError(texts.DOCS_BAD_LANGUAGE)


def read_minutes(words: tuple[str, ...]) -> int:
    """Return the number that `lab:minutes` names."""
    if len(words) != 1 or not re.fullmatch(r"[1-9]\d*", words[0]):
        raise LabError(texts.DOCS_BAD_MINUTES)
    return int(words[0])


def _lines(token: Token) -> range:
    """Return the lines of a block token, from 1."""
    first, after = token.map or (0, 0)
    return range(first + 1, after + 1)

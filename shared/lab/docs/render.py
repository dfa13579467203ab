"""A document as it has to be: its generated parts made anew, all else as it stands."""

from lab import texts
from lab.docs.blocks import BLOCKS, fenced
from lab.docs.figures import FIGURES
from lab.docs.markers import parse
from lab.docs.parts import Block, Document, Figure
from lab.docs.request import Request, make_part
from lab.docs.run import Outcome, Outcomes
from lab.docs.tree import Problem, Tree
from lab.errors import LabError

OUTPUT = "output"
"""The kind of block that shows what the commands above it print."""

SHOWN_LINES = 20
"""How much of a failed block's output stands in the message."""


def read_document(tree: Tree, name: str) -> Document:
    """Read a document and take it apart."""
    return parse(name, tree.read(name), kinds={*BLOCKS, OUTPUT})


def render(tree: Tree, document: Document, outcomes: Outcomes | None) -> tuple[str, list[Problem]]:
    """Return the text that `document` has to have, and what is wrong with its markers.

    With `outcomes` None the outputs of commands stay as they are.
    """
    problems = list(document.problems)
    lines = list(document.lines)
    figures = sorted(document.figures, key=lambda figure: (figure.line, figure.start))
    blocks = sorted(document.blocks, key=lambda block: block.line)
    parts: list[Figure | Block] = [*reversed(figures), *reversed(blocks)]
    for part in parts:  # from below, so that the places above stay true
        request = Request(tree=tree, document=document.name, language=part.language)
        try:
            if isinstance(part, Figure):
                _fill_figure(part, lines, request)
            else:
                _fill_block(part, lines, request, outcomes)
        except LabError as error:
            problems.append(Problem(document.name, part.line, str(error)))
    return "\n".join(lines), problems


def failures(document: Document, outcomes: Outcomes) -> list[Problem]:
    """Return the command blocks that did not end as they must."""
    found = []
    for block in document.commands:
        outcome = outcomes.get((document.name, block.number))
        if outcome and outcome.timed_out:
            found.append(Problem(document.name, block.line, texts.DOCS_TIMED_OUT))
        elif outcome and outcome.exit_code != block.expect:
            text = texts.DOCS_BAD_EXIT.format(
                code=outcome.exit_code,
                expect=block.expect,
                output="\n".join(outcome.output.rstrip("\n").split("\n")[-SHOWN_LINES:]),
            )
            found.append(Problem(document.name, block.line, text))
    return found


def _fill_figure(figure: Figure, lines: list[str], request: Request) -> None:
    name, arguments = (*figure.arguments, "")[0], figure.arguments[1:]
    value = make_part(FIGURES, name, arguments, request)
    line = lines[figure.line - 1]
    lines[figure.line - 1] = line[: figure.start] + value + line[figure.end :]


def _fill_block(
    block: Block, lines: list[str], request: Request, outcomes: Outcomes | None
) -> None:
    if block.kind == OUTPUT:
        content = _output_of(block, request, outcomes)
    else:
        content = make_part(BLOCKS, block.kind, block.arguments, request)
    if content is not None:
        lines[block.line : block.last_line - 1] = ["", *content, ""]


def _output_of(block: Block, request: Request, outcomes: Outcomes | None) -> list[str] | None:
    """Return what the commands above print, or None if they were not run this time."""
    if block.commands is None or block.arguments:
        raise LabError(texts.DOCS_OUTPUT_ALONE)
    if block.commands.skip:
        raise LabError(texts.DOCS_OUTPUT_SKIPPED)
    outcome = (outcomes or {}).get((request.document, block.commands.number))
    return None if outcome is None else _shown(outcome, request)


def _shown(outcome: Outcome, request: Request) -> list[str]:
    text = outcome.output
    if outcome.exit_code:
        text += "" if text.endswith("\n") or not text else "\n"
        text += f"# exit {outcome.exit_code}\n"
    return fenced("text", text) if text else [request.words.no_output]

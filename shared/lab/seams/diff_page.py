"""The difference between two steps as a page for a browser: both sides, next to each other."""

from collections.abc import Sequence
from difflib import HtmlDiff
from html import escape

from lab.contract import Step
from lab.seams.changes import Change, split_lines

WIDTH = 84
"""Characters per side, after which a line is folded."""

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; margin: 2rem; }}
table.diff {{ border-collapse: collapse; font-family: monospace; font-size: 0.85rem; }}
table.diff td {{ padding: 0 0.4rem; vertical-align: top; }}
.diff_header {{ color: #666; text-align: right; }}
.diff_next {{ display: none; }}
.diff_add {{ background: #c9f2d0; }}
.diff_chg {{ background: #fdf3b8; }}
.diff_sub {{ background: #f9cfcf; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p lang="en">{en}</p>
<p lang="zh">{zh}</p>
{files}
</body>
</html>
"""

FILE = """\
<h2>{name}</h2>
<p>{reasons}</p>
{table}
"""


def render_page(path: Sequence[Step], changes: Sequence[tuple[Change, Sequence[str]]]) -> str:
    """Return a page that needs no other file.

    Args:
        path: The steps from one to the other, both included.
        changes: What differs, in the order to show it, each with its reasons.
    """
    start, end = path[0], path[-1]
    return PAGE.format(
        title=escape(f"{start.id} → {end.id}"),
        en=escape(end.en),
        zh=escape(end.zh),
        files="\n".join(
            FILE.format(
                name=escape(change.file),
                reasons="<br>".join(escape(reason) for reason in reasons),
                table=render_table(change, start.id, end.id),
            )
            for change, reasons in changes
        ),
    )


def render_table(change: Change, start: str, end: str) -> str:
    """Return one file, both sides next to each other, without the parts that stayed the same."""
    sides = HtmlDiff(tabsize=4, wrapcolumn=WIDTH)
    return sides.make_table(
        decode_lines(change.old), decode_lines(change.new), start, end, context=True, numlines=3
    )


def decode_lines(data: bytes | None) -> list[str]:
    """Return a file's lines as text, without their ends; no file has none."""
    lines = split_lines(data or b"")
    return [line.removesuffix(b"\n").decode("utf-8", errors="replace") for line in lines]

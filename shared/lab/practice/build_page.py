"""The page `BUILD.md` of a workspace: what to build, sitting by sitting, and what must hold then.

All of it is made: the files and their order from the contract, the signatures from the reference,
the rules from the checks. So nothing is checked that does not stand here.
"""

from collections.abc import Iterable

from conformance.suite import titles_of
from lab import texts
from lab.bilingual import Language
from lab.contract import Sitting, Step, step_before
from lab.practice.stubs import stub_of


def build_page(step: Step) -> str:
    """Return the page for one step: in English, in Chinese, then what needs no translation."""
    parts = [texts.BUILD_TITLE.format(step=step.id)]
    parts += [_half(step, language) for language in ("en", "zh")]
    parts += [texts.BUILD_RULES, *(_rules(sitting) for sitting in step.sittings)]
    parts += [texts.BUILD_SIGNATURES, *_signatures(step)]
    return "".join(parts)


def _half(step: Step, language: Language) -> str:
    words = texts.BUILD_WORDS[language]
    before = step_before(step)
    basis = words["from"].format(before=before.id) if before else words["from nothing"]
    return texts.BUILD_PAGE[language].format(
        step=step.id,
        number=f"{step.number:02}",
        chapter=step.id[4:],
        new=step.zh if language == "zh" else step.en,
        basis=basis,
        sittings="\n\n".join(_sitting(step, sitting, language) for sitting in step.sittings),
        given=_files(step.given),
        gone=words["gone"].format(files=_files(step.gone)) if step.gone else "",
    )


def _sitting(step: Step, sitting: Sitting, language: Language) -> str:
    words = texts.BUILD_WORDS[language]
    rows = [
        f"- `{file}`" + (f"{words['changed']}" if file in step.changed else "")
        for file in sitting.build
    ]
    checked = words["checks"] if sitting.checks else words["no checks"]
    head = words["sitting"].format(
        id=sitting.id, title=sitting.text(language), minutes=sitting.minutes
    )
    return "\n".join(
        [head, "", *rows, "", checked.format(id=sitting.id, count=len(sitting.checks))]
    )


def _files(files: Iterable[str]) -> str:
    package = [file for file in files if file.startswith("mini_agent/")]
    return ", ".join(f"`{file.removeprefix('mini_agent/')}`" for file in package) or "–"


def _rules(sitting: Sitting) -> str:
    titles = titles_of(sitting.checks)
    rows = "\n".join(f"- {title} (`{name}`)" for name, title in titles.items())
    return f"\n### {sitting.id}\n\n{rows or '–'}\n"


def _signatures(step: Step) -> list[str]:
    """Return a fold for each file that is built, with its stub in it."""
    parts = []
    for sitting in step.sittings:
        for file in sitting.build:
            stub = stub_of((step.folder / file).read_text(encoding="utf-8"))
            parts.append(
                f"\n<details>\n<summary>{sitting.id} <code>{file}</code></summary>\n\n"
                f"```python\n{stub}```\n\n</details>\n"
            )
    return parts

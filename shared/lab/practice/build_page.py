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
        given=_given(step),
        gone=words["gone"].format(files=_names(step.gone)) if step.gone else "",
    )


def _sitting(step: Step, sitting: Sitting, language: Language) -> str:
    words = texts.BUILD_WORDS[language]
    rows = [
        f"- `{file}`" + (f"{words['changed']}" if file in step.changed else "")
        for file in sitting.build
    ]
    head = words["sitting"].format(
        id=sitting.id, title=sitting.text(language), minutes=sitting.minutes
    )
    titles = titles_of(sitting.checks, language)
    rules = [f"- {title} (`{name}`)" for name, title in titles.items()]
    check = words["check"].format(id=sitting.id)
    return "\n".join([head, "", *rows, "", words["rules"], "", *rules, "", check])


def _given(step: Step) -> str:
    """Return a line for each file that stands ready, with what it is for."""
    why = step.new | step.changed
    package = [file for file in step.given if file.startswith("mini_agent/")]
    return "\n".join(f"- `{file}`: {why[file]}" for file in package) or "–"


def _names(files: Iterable[str]) -> str:
    return ", ".join(f"`{file}`" for file in files)


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

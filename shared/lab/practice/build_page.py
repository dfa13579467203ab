"""The page `BUILD.md` of a workspace: what to build, in which order, and how to check it."""

from collections.abc import Collection

from lab import texts
from lab.bilingual import Language
from lab.contract import Step, planned_steps, step_before, surface


def build_page(step: Step, *, given: Collection[str]) -> str:
    """Return the page for one step, first in English and then in Chinese.

    `given` are the files that the workspace has already as the step wants them.
    """
    return texts.BUILD_TITLE.format(step=step.id) + "".join(
        texts.BUILD_PAGE[language].format(
            step=step.id,
            number=f"{step.number:02}",
            chapter=step.id[4:],
            new=step.zh if language == "zh" else step.en,
            basis=_basis(step, language),
            rows="\n".join(_rows(step, given, language)),
            rest=_rest(step, given, language),
        )
        for language in ("en", "zh")
    )


def _basis(step: Step, language: Language) -> str:
    before = step_before(step)
    if before is None:
        return texts.BUILD_WORDS[language]["from nothing"]
    return texts.BUILD_WORDS[language]["from"].format(before=before.id)


def _rows(step: Step, given: Collection[str], language: Language) -> list[str]:
    """Return a table row for each file to build or change, in reading order."""
    words = texts.BUILD_WORDS[language]
    return [
        f"| {words[kind]} | `{file}` | {why} | {_names(step, file)} |"
        for kind, files in (("new", step.new), ("changed", step.changed))
        for file, why in files.items()
        if file not in given
    ]


def _rest(step: Step, given: Collection[str], language: Language) -> str:
    """Return a list of the files that are there to stay, and of those that are gone."""
    words = texts.BUILD_WORDS[language]
    kept = [file for file in step.carried if file not in given]
    stay = [words["kept"].format(file=file, names=_names(step, file)) for file in kept]
    gone = [words["gone"].format(file=file, why=why) for file, why in step.gone.items()]
    return "\n".join(["", *stay, *gone, ""]) if stay or gone else ""


def _names(step: Step, file: str) -> str:
    """Return what the suite may call in one file, ready to print; a dash if nothing."""
    module = file.removeprefix("mini_agent/").removesuffix(".py").removesuffix("/__init__")
    owed = surface(step)
    names = (name for earlier in planned_steps()[: step.number] for name in earlier.surface)
    found = [
        name.rsplit(".", 1)[1]
        for name in dict.fromkeys(names)
        if name in owed and name.rsplit(".", 1)[0] == module.replace("/", ".")
    ]
    return ", ".join(f"`{name}`" for name in found) or "–"

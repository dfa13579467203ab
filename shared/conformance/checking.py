"""What `lab check` does: once, or whenever a file changes; and what it says then."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn
from xml.etree.ElementTree import Element, SubElement, tostring

from conformance.report import Report, Verdict, names_of, render
from conformance.sittings import Progress, look_at
from conformance.suite import all_titles, check, chinese_titles
from lab import texts
from lab.bilingual import Language
from lab.contract import planned_steps
from lab.errors import Exit, LabError
from lab.practice.place import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the user asks for."""

    place: Place
    only: tuple[str, ...]
    everything: bool
    json: bool
    language: Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of it."""

    text: str
    code: Exit
    junit: str


def check_once(wanted: Wanted) -> Checked:
    """Check, and return what to say.

    Raises:
        LabError: there is no check of the name that is asked for.
    """
    step, folder = wanted.place.step, wanted.place.folder
    sittings = wanted.place.is_workspace and step.sittings and not wanted.everything
    if sittings and not wanted.only:
        progress = look_at(step, folder)
        in_language(progress.report, wanted.language)
        report = progress.report
        text = report.model_dump_json() if wanted.json else describe(progress, wanted.language)
        return _checked(text, progress.report, progress.verdict)
    report = in_language(check(step, folder, names=names_for(wanted)), wanted.language)
    text = report.model_dump_json() if wanted.json else render(report)
    if report.verdict is Verdict.PASSED and wanted.place.is_workspace and not wanted.json:
        text += what_next(wanted)
    return _checked(text, report, report.verdict)


def in_language(report: Report, language: Language) -> Report:
    """Return `report`, in which what the checks ask for is said in `language`."""
    if language == "zh":
        titles = chinese_titles()
        for result in report.results:
            result.title = titles.get(result.id.partition("[")[0], result.title)
    return report


def watched(wanted: Wanted) -> NoReturn:
    """Check again and again: now, and whenever a file of the folder changes."""
    from watchfiles import PythonFilter, watch  # noqa: PLC0415  # only who watches waits

    print(check_once(wanted).text, flush=True)
    for _ in watch(wanted.place.folder, watch_filter=PythonFilter(extra_extensions=(".txt",))):
        print("\n" + "-" * 60 + "\n" + check_once(wanted).text, flush=True)
    raise SystemExit(Exit.OK)


def names_for(wanted: Wanted) -> list[str]:
    """Return the checks to run, by name; none: all of them.

    Raises:
        LabError: a name is neither that of a sitting nor of a check.
    """
    by_id = {sitting.id: sitting for sitting in wanted.place.step.sittings}
    names: list[str] = []
    known = {name for one in all_titles() for name in names_of(one)}
    for name in wanted.only:
        if name in by_id:
            names += by_id[name].checks
        elif name.partition("[")[0] in known or name in known:
            names.append(name)
        else:
            files = sorted({one.partition("::")[0] for one in all_titles()})
            raise LabError(
                texts.NO_SUCH_CHECK.format(
                    name=name, sittings=", ".join(by_id), files=", ".join(files)
                )
            )
    return names


def describe(progress: Progress, language: Language) -> str:
    """Return how far a workspace is: ticks, then what is wrong or missing, then what to do."""
    step, words = progress.step, texts.CHECK_WORDS[language]
    lines = [f"{step.id}, {progress.folder}"]
    for sitting in step.sittings:
        mark = "✓" if sitting in progress.done else "→" if sitting == progress.current else " "
        lines.append(f"{mark} {sitting.id}  {sitting.text(language)}")
    current = progress.current
    if current is None:
        return "\n".join([*lines, "", words["done"]])
    lines += ["", render(progress.report) if progress.report.results else progress.report.trouble]
    if progress.to_build:
        parts = "\n".join(f"  {part}" for part in progress.to_build)
        lines += ["", f"{words['to build']}\n{parts}"]
    chapter = f"docs/{language}/{step.id[4:]}.md"
    return "\n".join([*lines, "", words["read on"].format(chapter=chapter, id=current.id)])


def what_next(wanted: Wanted) -> str:
    """Return what there is to do behind a step that is done."""
    step = wanted.place.step
    later = [one for one in planned_steps() if one.number == step.number + 1 and not one.coming]
    words = {"number": f"{step.number:02}", "folder": wanted.place.folder}
    said = texts.CHECK_WORDS[wanted.language]
    text = said["step done"].format(**words)
    if later and not wanted.only:
        text += said["next step"].format(**words, next=f"{later[0].number:02}")
    return "\n\n" + text


def _checked(text: str, report: Report, verdict: Verdict) -> Checked:
    return Checked(text=text, code=verdict.exit_code, junit=as_junit(report))


def as_junit(report: Report) -> str:
    """Return a report as JUnit XML: one test case per check that is owed."""
    owed = [result for result in report.results if result.outcome != "not-owed"]
    suite = Element("testsuite", name=report.step, tests=str(len(owed)))
    for result in owed:
        file, _, name = result.id.partition("::")
        case = SubElement(suite, "testcase", classname=file, name=name)
        if result.outcome != "passed":
            failure = SubElement(case, "failure", message=result.outcome)
            failure.text = _fit_for_xml([result.title, result.detail])
    return tostring(suite, encoding="unicode", xml_declaration=True) + os.linesep


def _fit_for_xml(parts: Iterable[str]) -> str:
    text = "\n".join(parts)
    return "".join(char if char >= " " or char in "\n\t" else "�" for char in text)

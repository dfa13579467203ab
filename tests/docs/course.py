"""A small course of its own: two steps, their chapters in two languages, one practice task."""

from dataclasses import dataclass
from pathlib import Path

from lab.docs.check import examine
from lab.docs.fill import fill_documents
from lab.docs.tree import Problem, read_tree
from lab.errors import Exit

CONTRACT = """\
[step01-one]
en = "It says one thing"
zh = "只说一句话"

[step01-one.new]
"mini_agent/__init__.py" = "names the package"
"mini_agent/demo.py" = "says it"
"expected-output.txt" = "what it says"

[step02-two]
en = "It asks a model | and answers"
zh = "问模型"
carried = ["mini_agent/__init__.py"]

[step02-two.new]
"mini_agent/model.py" = "the model"

[step02-two.changed]
"mini_agent/demo.py" = "asks the model"
"expected-output.txt" = "what the model says"

[step03-three]
coming = true
en = "Not there"
zh = "还没有"
"""

FILES = {
    "labs/contract.toml": CONTRACT,
    "labs/step01-one/mini_agent/__init__.py": '"""A package."""\n',
    "labs/step01-one/mini_agent/demo.py": 'print("一")\n',
    "labs/step01-one/expected-output.txt": "一\n",
    "labs/step02-two/mini_agent/__init__.py": '"""A package."""\n',
    "labs/step02-two/mini_agent/demo.py": """\
from .model import Model

print(Model().answer())
""",
    "labs/step02-two/mini_agent/model.py": '''\
"""A model."""

LIMIT = 3
"""How much it says at most."""


class Model:
    """It answers."""

    @staticmethod
    def answer() -> str:
        """Return the answer."""
        return "二"
''',
    "labs/step02-two/expected-output.txt": "二\n",
    "docs/tasks/step02/1-no-answer.toml": '''\
wrong_turn = true
title = { en = "No answer", zh = "没有回答" }
goal = { en = "See", zh = "看" }
steps = [{ en = "Do", zh = "做" }]
notice = { en = "Note", zh = "注意" }
hints = [{ en = "1", zh = "一" }, { en = "2", zh = "二" }, { en = "3", zh = "三" }]

[change]
patch = """
--- a/mini_agent/demo.py
+++ b/mini_agent/demo.py
@@ -1,3 +1,3 @@
 from .model import Model
{blank}
-print(Model().answer())
+raise SystemExit(Model().answer())
"""

[change.files]
"more.py" = "print(1)\\n"

[[runs]]
module = "mini_agent.demo"
stdin = "你好\\n"

[[runs.outcomes]]
python = ["3.11"]
transcript = ""
stderr = "二\\n"
ends = 1

[[runs.outcomes]]
python = ["3.12", "3.13"]
transcript = ""
ends = "hangs"
'''.replace("{blank}", " "),  # a line of the patch that is one blank
}

CHAPTER = """\
# {title}

<!-- lab:minutes 20 -->

{minutes} [{other}](../{other}/{page})

## {run}

<!-- lab:commands start -->
```bash
cd labs/{step}
cat expected-output.txt
```
<!-- lab:output -->
<!-- /lab -->

<!-- lab:transcript {step} -->
<!-- /lab -->

{lines} <!-- lab:figure lines {step}/mini_agent/demo.py -->?<!-- / -->

```mermaid
graph LR
```

{terms}

| term | meaning here |
|---|---|
| {other} | A, or B |
"""

TEACHING = """\
# {title}

[{other}](../../{other}/instructor/{page})
"""

LANGUAGES = {
    "en": {
        "minutes": "It takes 20 minutes.",
        "run": "Run it",
        "lines": "Lines:",
        "other": "zh",
        "terms": "## Terms",
    },
    "zh": {
        "minutes": "大约 20 分钟。",
        "run": "先跑起来",
        "lines": "行数：",
        "other": "en",
        "terms": "## 关键术语",
    },
}


@dataclass(frozen=True)
class Course:
    """The small course, free to be spoiled."""

    root: Path

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def fill(self, *, run: bool = False) -> Exit:
        return fill_documents(self.root, run=run)

    def examine(self, *, run: bool = False) -> tuple[list[str], list[Problem]]:
        """Return the names of the documents that are out of date, and all problems."""
        stale, problems = examine(read_tree(self.root), run=run)
        return [diff.split("\n")[0].removeprefix("--- ") for diff in stale], problems

    def filled(self, text: str, name: str = "docs/page.md") -> str:
        """Return what becomes of a document with this text."""
        self.write(name, text)
        self.fill()
        return self.read(name)


def make_course(root: Path) -> Course:
    """Write the small course into an empty folder, and fill its documents."""
    course = Course(root)
    for name, text in FILES.items():
        course.write(name, text)
    for language, words in LANGUAGES.items():
        for step, title in (("step01-one", "One"), ("step02-two", "Two")):
            page = f"{step[4:]}.md"
            fields = {"step": step, "title": title, "page": page, **words}
            course.write(f"docs/{language}/{page}", CHAPTER.format(**fields))
            course.write(f"docs/{language}/instructor/{page}", TEACHING.format(**fields))
    return course

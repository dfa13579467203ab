"""What `lab` says, in one place, so that another language can follow. Fields are in braces."""

UNKNOWN_STEP = (
    "there is no step {step!r}. Known steps: {known}. Say 2, 02, step02 or the full name."
)
STEP_COMING = "{step} is planned, but not built yet. Known steps: {known}."
STEP_FOLDER_MISSING = "labs/contract.toml names steps without a folder in labs/: {names}"
STEP_FOLDER_UNKNOWN = "labs/ has folders that labs/contract.toml does not name as steps: {names}"
BAD_CONTRACT = "{path} cannot be used: {error}"

NO_WORKSPACE = """\
this is no workspace, and no step is named. Go into one, say which folder and step you mean
(lab check 05 DIR), or make one: lab start 05 DIR"""
NOT_A_WORKSPACE = """\
{folder} holds no BUILD.md, so it does not say which step it is.
Name the step: lab check 05 {folder}"""
OTHER_WORKSPACE = """\
{folder} is a workspace of {step}. Check it as that: lab check {other:02} {folder}
Or go on from it: lab start {wanted:02} NEW --from {folder}"""
BAD_PAGE = """\
{page} does not name its step any more: its first line must be `# Build stepNN-...`.
Put the line back, or name the step and take the page away."""
OLD_PAGE = """\
{page} is of {step}, which is no step of this version of the course.
`lab list` shows those that are; name one, or begin anew: lab start STEP NEW"""
NO_SUCH_CHECK = """\
there is no check {name!r}. A single check is named like file::check.
Sittings of this step: {sittings}.
Files of checks: {files}."""
NO_WORKSPACES = (
    "no workspace in {folders}: lab start STEP DIR makes one, and each holds a BUILD.md."
)
STATUS_COLUMNS = {
    "en": ("folder", "step", "sittings", "state", "now", "last change"),
    "zh": ("目录", "步骤", "节", "状态", "现在", "最后改动"),
}
NO_SITTING = "there is no sitting {name}: name one of {sittings}; or a step and a task."
NEXT_RUNG = {
    "en": "\nMore: lab hint {id} --rung {rung}",
    "zh": "\n再多一点：lab hint {id} --rung {rung}",
}
COMPARE_LATER = """\
the folder does not pass yet, and the reference is the answer. Say --show to see it all the same."""
COMPARE_SAME = "Your package is the reference, letter by letter."
CHECK_WORDS = {
    "en": {
        "to build": "to build in this sitting (or to delete, where yours is made in another way):",
        "read on": "Read on: {chapter}; the rules: BUILD.md. Stuck: lab hint {id}",
        "done": "All sittings are done. Now all that the step owes: lab check --all",
        "step done": """\
Done. What comes next:
  lab task {number}                practice, with predictions
  lab compare {number} {folder}    your code beside the reference""",
        "next step": """
  lab start {next} NEW --from {folder}    the next step, on top of yours""",
    },
    "zh": {
        "to build": "这一节要写的（或者要删掉的，如果你用了别的写法）：",
        "read on": "接着读：{chapter}；规则在 BUILD.md。卡住了：lab hint {id}",
        "done": "各节都做完了。现在检查这一步的全部要求：lab check --all",
        "step done": """\
做完了。接下来：
  lab task {number}                实践任务，先预测再运行
  lab compare {number} {folder}    把你的代码和参考实现放在一起看""",
        "next step": """
  lab start {next} NEW --from {folder}    在你的代码上开始下一步""",
    },
}
"""What `lab check` says of a workspace."""

TOO_SLOW = """\
this machine is too slow just now to tell: Python takes {slow:.1f} times as long as usual to start.
Not done in time, also alone: {names}
Wait until it has less to do, and check again."""
SUITE_TIMED_OUT = "the suite did not end within {seconds} s"
SUITE_RAN_NOTHING = "the suite compared nothing. What pytest said:\n{output}"
NO_FOLDER = "there is no folder {folder}. Make one with `lab start STEP DIR`, or check the path."
NOT_A_FOLDER = "{folder} is a file. Name the folder that holds `mini_agent/`."
NO_PACKAGE = (
    "{folder} holds no `mini_agent` package. Name the folder above it, "
    "or make a workspace with `lab start STEP DIR`."
)

HELP = "The mini agent harness lab: run, check and compare the steps of the course."
EXIT_CODES = (
    "Exit codes: 0 all is well; 1 compared, and wrong; 2 the call cannot be carried out; "
    "3 a part is not there yet (expected); 4 set-up problem, nothing was compared; "
    "5 something was written, look at it."
)
COMING = "(coming) "

VERIFYING = "running the demos"
VERIFIED = "{good} of {all} steps print what is recorded."
HIDES_PYTHON = (
    "{file} in {folder} hides {what} from every program that is started there. Rename it."
)
NOT_RECORDED = "labs/{step}/expected-output.txt is missing. Record it: lab record {step} --write"
DEMO_HUNG = "the demo did not end within the time limit, and was killed."
DEMO_FLOODED = "the demo printed without end, and was killed."
DEMO_FAILED = (
    "the demo must end with exit code 0 and an empty standard error. Exit code {code}.\n{errors}"
)
DEMO_LEFT_FILES = "the demo left files behind: {names}. It must remove its temporary folder."
DEMO_SILENT = "the demo printed nothing."

NEVER_IN_CI = "CI compares and never records. Record on your own machine, and look at the result."
NOT_WORTH_RECORDING = "{step} is not recorded: {trouble}"
RECORD_SAME = "{step}: nothing to record, the output is the recorded one."
RECORD_HOW = "Nothing was written. If this is what you meant: lab record {step} --write"
RECORDED = "Written: {file}. This run compared nothing: look at it, then run lab verify."

REMEDY = "remedy"
REMEDY_PYTHON = "install Python 3.11 or later (Linux, macOS; on Windows inside WSL)"
FOREIGN_ENVIRONMENT = "this is not the .venv of the checkout"
REMEDY_ENVIRONMENT = "python3 shared/bootstrap.py, then . .venv/bin/activate"
REMEDY_ENCODING = "export LC_ALL=C.UTF-8 (macOS: en_US.UTF-8)"
NO_TERMINAL = "standard input is not a terminal"
NO_READLINE = "this Python has no readline: Backspace will cut wide characters in half"
REMEDY_READLINE = "use a Python that was built with readline or libedit"
NOT_WRITABLE = "{folder} cannot be written to"
WRITABLE = "temporary folder and checkout"
READ_ONLY = "temporary folder; not the checkout, and only its set-up would have to"
REMEDY_WRITE = "export TMPDIR=FOLDER, one that you may write to"
CRLF_FOUND = "CRLF in the recorded output of {names}"
REMEDY_LINE_ENDS = "git config core.autocrlf false, then git checkout -- labs"
NO_GIT = "not installed; only lab carry needs it"
NO_HOME = "no home folder: there is neither HOME nor an entry for this user"
REMEDY_HOME = "export HOME=FOLDER (or XDG_STATE_HOME), a folder that you may write to"
HIDES = "{name} hides {hidden}"
UNSAFE_PATH = "{name} keeps `python -m mini_agent` from finding the package of its folder"
SOCKS = "{name} is a SOCKS proxy, which pip and the models' clients cannot use"
NO_VARIABLES = "none leads Python or pip elsewhere"
REMEDY_VARIABLES = "unset {names}"

NOT_PYTHON = "{file}:{line} is not Python: {error}"
UNKNOWN_FILE = "there is no file {file!r} in {where}. The files:\n{files}"
AMBIGUOUS_FILE = "{file!r} can mean several files in {where}. Say which one:\n{files}"

SEAM = "{step}: {new} new, {changed} changed, {gone} gone, {carried} carried (byte-identical)"
SEAMS_DRIFTED = "labs/contract.toml and the steps do not agree, differences: {count}\n{drifts}"
DRIFT = "{step}: {what}: declared {declared}, found {found}. {remedy}"
DECLARE_AS = {
    "new": "declare it in [{step}.new], with its reason",
    "changed": "declare it in [{step}.changed], with its reason",
    "gone": "declare it in [{step}.gone], with its reason",
    "carried": "list it once in [{step}], under carried",
    "nothing": "take it out of labs/contract.toml",
}
MAKE_IT = {  # by what is declared and what is found, where the file can still become it
    ("carried", "changed"): "copy it from {before}",
    ("carried", "gone"): "copy it from {before}",
    ("changed", "carried"): "change it",
    ("changed", "gone"): "write it",
    ("new", "nothing"): "write it",
    ("gone", "carried"): "delete it",
    ("gone", "changed"): "delete it",
    ("nothing", "new"): "delete it",
}
NO_REASON = "no reason"
SAY_WHY = "Say why in labs/contract.toml."
ON_SURFACE = "as surface"
ON_EARLIER_SURFACE = "as surface of an earlier step"
NO_SUCH_NAME = "no such name"
MEND_SURFACE = "Define it there, or take it out of `surface`."
MEND_EARLIER_SURFACE = "Define it there, or list it under `ended`."
ENDED = "as ended"
NEVER_ON_SURFACE = "that it was not on the surface"
MEND_ENDED = "Take it out of `ended`, or correct it."
EARLY = "early for {wanted_by}"
MEND_EARLY = "Name what stands there (module.name or module.Class.field), or remove the entry."
NO_LATER_STEP = "no later step of this name"
MEND_EARLY_STEP = "Name a later step, or remove the entry."

DIFF_BACKWARDS = "{end} does not come after {start}. Name the earlier step first."
DIFF_SAME = "{file} is the same in {start} and {end}."
DIFF_EVERYTHING = "everything"
DIFF_REASON = "{step}, {kind}: {why}"
DIFF_UNDECLARED = "labs/contract.toml gives no reason for this difference"
PAGE_EXISTS = "{path} exists, and nothing was written. Name another file, or say --force."
PAGE_NOT_WRITABLE = "{path} cannot be written: {error}"
PAGE_WRITTEN = "Written: {path}"

UNKNOWN_WORKLOAD = "there is no workload {name!r}. Known ones: {known}."
WORKLOAD_FAILED = "{name} failed on {step}:\n{errors}"

NO_GIT_TO_MERGE = "git is not installed, and a later step has a version of its own: install git."
CANNOT_MERGE = "git cannot merge the file, and nothing was written: {error}"
CARRY_NO_BASE = (
    "the last commit has no {file} to compare with (no git, no commit, or a new file). "
    "Give the version before the change: --base FILE"
)
CARRY_BAD_BASE = "{path}, the version before the change, cannot be read: {error}"
CARRY_NOT_MENDED = (
    "{step}: {file} is what it was before: nothing to carry. "
    "If the change is committed already, give the version before it: --base FILE"
)
CARRY_NOT_ITS_HOME = (
    "Note: {step} has {file} from the step before it, unchanged. "
    "If that one needs the change too, mend it there and carry it from there."
)
CARRIED = {
    "copied": "{step}: copied",
    "merged": "{step}: merged with the step's own version",
    "kept": "{step}: has it already",
}
CARRY_GONE = "{step}: {file} is gone; stopped here"
CARRY_NOTHING = "Nothing to write."
CARRY_DRY_RUN = "This was a dry run: nothing was written."
CARRY_CONFLICT = """\
{place} conflicts with the change. Nothing was written, in any step.
{shown}
What to do: {first}make the change in that file by hand, then go on from there: \
lab carry {file} --from {number:02}"""
CARRY_UP_TO = "carry it as far as it goes (lab carry {file} --from {source:02} --to {behind:02}), "
CARRY_NOT_WRITABLE = "nothing was written, in any step: {names} cannot be written to."
CARRY_DEMO_SAME = "{step}: the demo prints what is recorded"
CARRY_DEMO_DIFFERS = (
    "{step}: the demo differs from expected-output.txt (`-` recorded, `+` now)\n{difference}\n"
    "If this is what you meant: lab record {step} --write"
)
CARRY_WRITTEN = "Written. Look at it (git diff labs), then run lab seams."

BAD_TASK = "{file}: {problem}"
TASK_FILE_NAME = "must be called like 1-end-of-input.toml: a number, then words in lower case"
TASK_NUMBERING = "tasks are numbered 1, 2, 3, ... without gaps: wanted {wanted}, found {found}"
TASK_FILE_EXISTS = "change.files: {step} has a file {name}: change it by a patch"
STALE_PATCH = "{file}: the patch no longer fits: labs/{step}/{problem}"
NO_TASKS = "{step} has no practice tasks yet."
UNKNOWN_TASK = "{step} has no task {number}. It has tasks 1 to {last}: lab task {step}"
WHICH_TASK = "say which task, by its number. The list: lab task {step}"
ENDED_OTHERWISE = "ends: recorded {wanted}, came {came}"
TASK_WORDS = {
    "en": {
        "list": "{step}: {count} practice tasks",
        "wrong turn": "(a wrong turn)",
        "more": "One of them: lab task {step} N. Hints: lab hint {step} N",
        "title": "{step}, task {number}: {title}",
        "on purpose": "A wrong turn, made here on purpose: what learners write by themselves.",
        "goal": "Goal",
        "steps": "What to do (in a copy of labs/{step}, or in your own folder)",
        "command": "Run (after `. .venv/bin/activate` in the checkout)",
        "keys": "when the screen shows `{after}`{quiet}, press {keys}",
        "quiet": " and nothing has happened for {seconds:g} s",
        "hangs": "It may hang. Ctrl-\\ ends it.",
        "next": (
            "First say what you expect. Then, without changing anything of yours:\n"
            "  lab task {step} {number} --run        runs it in a clean copy\n"
            "  lab hint {step} {number}              gives a hint\n"
            "  lab task {step} {number} --solution   shows the change"
        ),
        "ran": "{step}, task {number}, in a clean copy on Python {python}:",
        "stderr": "standard error:",
        "exit": "It ended with exit code {code}.",
        "signal": "It was ended by {name}: a shell shows {code}.",
        "hung": "It hung: nothing ended it within {seconds:g} s, so it was killed.",
        "same": "This is what is recorded.",
        "differs": "This is not what is recorded (`-` recorded, `+` came):",
        "not recorded": "Nothing is recorded for Python {python}: nothing was compared.",
        "notice": "What to notice",
        "new file": "New file {name}:",
        "hint": "{step}, task {number}: hint {rung} of 3",
        "next hint": "The next one: lab hint {step} {number} --rung {rung}",
    },
    "zh": {
        "list": "{step}：{count} 个实践任务",
        "wrong turn": "（弯路）",
        "more": "看其中一个：lab task {step} N。要提示：lab hint {step} N",
        "title": "{step} 任务 {number}：{title}",
        "on purpose": "这是一条弯路，这里故意走一遍：学习者自己动手时常常就这么写。",
        "goal": "目标",
        "steps": "步骤（在 labs/{step} 的一份拷贝里做，或者在你自己的文件夹里做）",
        "command": "运行（先在仓库根目录执行 `. .venv/bin/activate`）",
        "keys": "等屏幕上出现 `{after}`{quiet}，按 {keys}",
        "quiet": "，再等 {seconds:g} 秒，其间没有任何动静",
        "hangs": "它可能会卡住，按 Ctrl-\\ 可以结束它。",
        "next": (
            "先说出你的预测。然后（不会动你的任何文件）：\n"
            "  lab task {step} {number} --run        在一份干净的拷贝里运行\n"
            "  lab hint {step} {number}              给一条提示\n"
            "  lab task {step} {number} --solution   看要做的改动"
        ),
        "ran": "{step} 任务 {number}，在干净的拷贝里，用 Python {python} 运行：",
        "stderr": "标准错误：",
        "exit": "退出码 {code}。",
        "signal": "被 {name} 结束：shell 里显示为 {code}。",
        "hung": "它卡住了：{seconds:g} 秒内没有结束，只好杀掉。",
        "same": "与记录一致。",
        "differs": "与记录不一致（`-` 是记录，`+` 是这次得到的）：",
        "not recorded": "没有 Python {python} 上的记录：什么也没有比较。",
        "notice": "注意什么",
        "new file": "新文件 {name}：",
        "hint": "{step} 任务 {number}：提示 {rung}/3",
        "next hint": "下一条：lab hint {step} {number} --rung {rung}",
    },
}

CHECKED = "{verdict}: {step}, folder {folder}"
COUNTED = (
    ": {passed} passed, {failed} failed, {missing} wait for a missing part, "
    "{not_owed} not owed by this step"
)
MISSING_PARTS = "not there yet:"
EXCUSED = "{count} failed checks are not shown: the missing parts may be the reason."
SAME_FAULT = "  the same in {count} more: {names}"
MORE_FAULTS = "... and {count} more faults. Mend the first ones, then check again."
SUITE_CUT_SHORT = "the suite was cut short: {ran} of {all} checks ran."
CHECK_CUT_OFF = """\
called  {title}
came    the process of the suite {how} while this check ran
wanted  a package that leaves the process it is used in alone (os._exit, endless loop, crash)
read    the code that this check calls"""

DOCS_UNKNOWN_KIND = "there is no marker lab:{kind}. Known: {known}"
DOCS_UNPAIRED_TERMS = "{file} and {other} do not have the same number of terms"
DOCS_UNKNOWN_NAME = "there is no {name!r}. Known: {known}"
DOCS_USAGE = "wrong number of arguments. Wanted: {usage}"
DOCS_BAD_QUOTES = "the arguments cannot be split: {error}"
DOCS_BAD_LANGUAGE = "wanted: lab:lang en, or lab:lang zh"
DOCS_BAD_MINUTES = "wanted: lab:minutes and a whole number"
DOCS_BAD_COMMANDS = (
    'wanted: lab:commands [NAME] [expect=EXIT-CODE], or lab:commands [NAME] skip="REASON"'
)
DOCS_NO_FENCE = (
    "a ```bash fence must follow in the very next line, and stand in no list and no quote"
)
DOCS_MISPLACED = (
    "not a marker as it must be written: <!-- lab:KIND ARGUMENTS --> or <!-- /lab --> alone and at "
    "the start of its line, or <!-- lab:figure NAME ARGUMENTS -->value<!-- / --> within one"
)
DOCS_INSIDE_HTML = "put an empty line above: here the marker is part of an HTML block"
DOCS_FIGURE_FIRST = (
    "a figure cannot begin a line (Markdown takes the line for HTML): put a word in front"
)
DOCS_UNCLOSED = "this block has no end: {end} is missing"
DOCS_NESTED = "a marker inside of the block that begins in line {line}: is its {end} missing?"
DOCS_NOTHING_OPEN = "{end} without a block that it could end"
DOCS_OUTPUT_ALONE = "lab:output must stand right below a lab:commands fence, without arguments"
DOCS_OUTPUT_SKIPPED = "the commands above are skipped, so there is no output"
DOCS_NO_FILE = "there is no file {file}"
DOCS_NOT_UTF8 = "{file} is not UTF-8"
DOCS_NOT_PYTHON = "names can only be found in a Python file: {error}"
DOCS_NO_SYMBOL = "there is no {name!r}. Known here: {known}"
DOCS_BACKWARDS = "{anchor} ends before it begins"
DOCS_TIMED_OUT = "these commands did not end within the time limit, and were killed"
DOCS_BAD_EXIT = (
    "these commands ended with exit code {code}, wanted {expect} "
    "(a block ends at its first command that fails). Their output:\n{output}"
)
DOCS_UNMARKED = (
    "a ```bash fence that nobody runs: put <!-- lab:commands --> in the line above, "
    'or with skip="REASON"; in a list or a quote it cannot be run'
)
DOCS_NO_MINUTES = "a chapter says how long it takes: <!-- lab:minutes N --> is missing"
DOCS_UNSAID_MINUTES = "the text below lab:minutes does not say {minutes}"
DOCS_NO_CHAPTER = "this page is missing: every step has one"
DOCS_NO_COUNTERPART = "this file is missing: it is the counterpart of {file}"
DOCS_DIFFERS = "the {what} here is {here!r}, and {there!r} in {file}:{line}"
DOCS_SURPLUS = "the {what} {item!r} is here more often than in {file}"
DOCS_NOTHING = "nothing more"
DOCS_HEADING = "heading"
DOCS_MARKER = "marker"
DOCS_COMMANDS = "text of the commands"
DOCS_MINUTES = "number of minutes"
DOCS_DIAGRAM = "diagram"
DOCS_FIGURE = "figure"
DOCS_LINK = "link to"
DOCS_DEAD_LINK = "{target} leads nowhere"
DOCS_DEAD_ANCHOR = "{file} has no heading with the anchor #{anchor}"
DOCS_FROM_SOURCE = "{file} (from the source)"
DOCS_PROBLEMS = "the documents cannot be filled:\n{problems}"
DOCS_RESTLESS = "the documents change with every round, look at: {files}"
DOCS_WITHIN_ITSELF = 'lab docs runs this command itself: mark it lab:commands skip="REASON"'
DOCS_WRITTEN = "Written: {file}"
DOCS_RECORDED = "This run compared nothing: look at it, then run lab docs --check."
DOCS_NOTHING_TO_DO = "Nothing to write: all generated parts are as the source has them."
DOCS_NOT_TRUE = "{stale} documents are out of date, {problems} things are wrong. Write: lab docs"
DOCS_TRUE = "{count} documents are as the source has them."
DOCS_TASK_NUMBER = "{number!r} is no number of a task"
DOCS_TASK_PART = "a task has a patch and a transcript, but no {part!r}"

WORKSPACE_INSIDE = (
    "{folder} lies inside the checkout {root}. Make your workspace outside of it, "
    "so that your work and the course never mix."
)
WORKSPACE_NOT_EMPTY = (
    "{folder} is not empty, and nothing in it was touched. Name a new or an empty folder."
)
WORKSPACE_NOT_A_FOLDER = "{folder} is not a folder. Name a new or an empty one."
WORKSPACE_FAILED = "{folder} could not be filled, and nothing was left in it: {error}"
WORKSPACE_REPLACED = """
Given in this step, so the course's own files stand in place of yours: {files}.
Yours stay in the folder that you came from; compare the two if other files of yours call them."""
WORKSPACE_MADE = """\
Made {folder}: a workspace for {step}.
Go there and read BUILD.md first. Then, as often as you like: lab check"""
FROM_ITSELF = "{mine} and {folder} are the same folder. Name a new one for the next step."
FROM_OTHER = """\
{mine} is a workspace of {made_for}, and {step} is built on {before}.
Say --from a folder that holds {before}, or leave --from out to begin from the course's own."""
FROM_UNFINISHED = """\
{mine} does not pass {before} yet, so {step} would begin with faults.
See: lab check {number:02} {mine} --all
Or leave --from out, to begin from the course's own."""
BUILD_TITLE = """\
# Build {step}

[English](#english) · [中文](#中文) · [Signatures · 签名](#signatures--签名)
"""
BUILD_PAGE = {
    "en": """
## English

**{new}.**

{basis} What is given stands ready; what is to be built
stands there as stubs, signatures and docstrings without bodies. Everything that is not named on
this page is yours to shape.

{sittings}

Check as often as you like, in this folder, with the lab's environment active. It looks at the
first sitting that is not done; `lab check --watch` does so whenever you save:

```bash
lab check
```

If you are stuck: the chapter is `docs/en/{chapter}.md` in the checkout. When all is green,
`lab check --all` looks at everything that the step owes; then `lab compare` shows your code beside
the reference, and `lab task {number}` lists the practice tasks.

Given, and ready to be used (why each is there):

{given}
{gone}""",
    "zh": """
## 中文

**{new}。**

{basis}给定的文件已经就绪；要写的文件是空壳：有签名和文档字符串，没有函数体。
这一页没有写到的，都由你决定。

{sittings}

随时可以检查：激活实验环境，在这个目录里运行下面的命令。它只看还没做完的第一节；
`lab check --watch` 会在每次保存后再看一遍：

```bash
lab check
```

卡住了的话：对应的一章是仓库里的 `docs/zh/{chapter}.md`。全部通过之后，
`lab check --all` 检查这一步的全部要求；然后 `lab compare` 把你的代码和参考实现放在一起看，
`lab task {number}` 列出实践任务。

给定的文件，可以直接用（后面是各自的用途，原文是英文）：

{given}
{gone}""",
}
BUILD_SIGNATURES = """
## Signatures · 签名

Signatures, fields, fixed texts. 签名、字段、固定的文字。
"""
BUILD_WORDS = {
    "en": {
        "from": "The folder begins as {before} left it.",
        "from nothing": "The folder begins empty.",
        "sitting": "### {id} {title} (about {minutes} minutes)",
        "changed": ": change what the step before has left",
        "rules": "What must hold then:",
        "check": "Check: `lab check --only {id}`. Stuck: `lab hint {id}`.",
        "gone": "\nGone since the step before: {files}.\n",
    },
    "zh": {
        "from": "这个目录从 {before} 做完的样子开始。",
        "from nothing": "这个目录从空的开始。",
        "sitting": "### {id} {title}（大约 {minutes} 分钟）",
        "changed": "：在上一步的基础上修改",
        "rules": "做完之后必须成立：",
        "check": "检查：`lab check --only {id}`。卡住了：`lab hint {id}`。",
        "gone": "\n相比上一步去掉了：{files}。\n",
    },
}

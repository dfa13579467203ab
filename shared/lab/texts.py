"""What `lab` says, in one place, so that another language can follow. Fields are in braces."""

UNKNOWN_STEP = (
    "there is no step {step!r}. Known steps: {known}. Say 2, 02, step02 or the full name."
)
STEP_COMING = "{step} is planned, but not built yet. Known steps: {known}."
STEP_FOLDER_MISSING = "labs/contract.toml names steps without a folder in labs/: {names}"
STEP_FOLDER_UNKNOWN = "labs/ has folders that labs/contract.toml does not name as steps: {names}"
BAD_CONTRACT = "{path} cannot be used: {error}"

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
REMEDY_WRITE = "change the folder's owner or mode, or clone the lab into a folder of your own"
CRLF_FOUND = "CRLF in the recorded output of {names}"
REMEDY_LINE_ENDS = "git config core.autocrlf false, then git checkout -- labs"
NO_GIT = "git is not installed"
REMEDY_GIT = "install git"

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
DIFF_REASON = "{step}, {kind}: {why}"
DIFF_UNDECLARED = "labs/contract.toml gives no reason for this difference"
PAGE_EXISTS = "{path} exists, and nothing was written. Name another file, or say --force."
PAGE_NOT_WRITABLE = "{path} cannot be written: {error}"
PAGE_WRITTEN = "Written: {path}"

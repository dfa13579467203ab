"""What `lab` says, in one place, so that another language can follow. Fields are in braces."""

UNKNOWN_STEP = "there is no step {step!r}. Known steps: {known}. Say 2, 02, step02 or the full name."
STEP_COMING = "{step} is planned, but not built yet. Known steps: {known}."
STEP_FOLDER_MISSING = "labs/contract.toml names steps without a folder in labs/: {names}"
STEP_FOLDER_UNKNOWN = "labs/ has step folders that labs/contract.toml does not name: {names}"
BAD_CONTRACT = "{path} cannot be used: {error}"

SUITE_TIMED_OUT = "the suite did not end within {seconds} s"
SUITE_RAN_NOTHING = "the suite compared nothing. What pytest said:\n{output}"
NO_FOLDER = "there is no folder {folder}. Make one with `lab start STEP DIR`, or check the path."
NOT_A_FOLDER = "{folder} is a file. Name the folder that holds `mini_agent/`."
NO_PACKAGE = (
    "{folder} holds no `mini_agent` package. Name the folder above it, "
    "or make a workspace with `lab start STEP DIR`."
)

"""The sentences of the command line: errors about its arguments, and notes about a run.

The values in braces are filled in where a message is used. Results are worded in `views`, help in the commands themselves.
"""

# --- what to run ---

IS_A_FOLDER = "`{name}` is a folder; name a script in the folder."
NOT_RUNNABLE = "`{name}` is not a file that can be run."
NO_SUCH_SCRIPT = "no file or example named `{name}`; list the examples with `minitape examples`."
NO_SCRIPT = "name a script or a trace."
NO_SCRIPT_OR_CODE = "name a script, a trace or a code such as MT201."
CODE_OR_MODULE = "`-c` and `-m` cannot be combined."
ONE_ENGINE = "`--as-tensorflow` means `--on minitape`; it cannot be combined with another engine."
ONE_STDIN = "stdin holds only one script; name a file for the other run."
NO_SUCH_EXAMPLE = "no example named `{name}`; list the examples with `minitape examples`."
NO_SUCH_OP = "no op named `{name}`; list all ops with `minitape ops`."
NO_SUCH_OP_NEAR = "no op named `{name}`; did you mean {near}?"
NO_SUCH_PAGE = "no page for the code {code}."

# --- what a trace cannot do ---

TRACE_CANNOT_RUN = "a trace cannot be run; name the script."
TRACE_CANNOT_BE_CHECKED = "a trace does not store all values that a check needs; name the script."
TRACE_CANNOT_BE_COMPARED = "the script must run on both engines; name the script, not a trace."
COMPILED_NEEDS_TENSORFLOW = (
    "`--compiled` needs a script that runs on TensorFlow: minitape has no compiled functions."
)
COMPILED_GONE = (
    "the program ended its process when it ran untraced, so its gradients could not be compared"
)
COMPILED_AS_TRACED = "In the compiled run, each gradient call returned None for the same sources as in the traced run."
CHECK_OR_WATCH = "fixes are not verified while the page is served; use `--check` without `--watch`."
TRACE_CANNOT_RUN_AGAIN = "a trace cannot be run again; name the script."

# --- options that cannot be combined, or do not apply to this script ---

NEEDS_WATCH = "`{option}` needs `--watch`."
NEEDS_SLIDE = "`{option}` needs `--slide`."
NOT_ON_SLIDE = "`{option}` applies only to a graph of ops; it cannot be combined with `--slide`."
WATCH_OR_OUTPUT = "`--watch` serves the result and `-o` writes it to a file; use only one of them."
WATCH_IS_SVG = "`--watch` serves SVG only."
WATCH_NEEDS_FILE = "`--watch` needs a script in a file."
OPEN_NEEDS_FILE = "`--open` needs a file, not stdout."
PAGE_OR_JSON = "`--html` and `--json` cannot be combined."
TEXT_OR_JSON_FOR_EVIDENCE = "only the text format and `--json` show the evidence."
FIX_ALL = "`--fix` fixes the whole script and prints text; it cannot be combined with options that select a part of the result."
LIVE_NOT_JSON = (
    "`--json` prints one object, which is complete only after the run; use `--format jsonl`."
)
AUDIT_AT_END = "an audit is complete only after the run; print the audit as text or with `--json`."
REDACT_AS_DATA = "only a complete trace can be redacted; use `-o FILE.jsonl` or `--format jsonl`."
WIDE_NEEDS_CSV = "`--wide` needs `--format csv`."
RESUME_NEEDS_FILE = (
    "`--resume` needs `-o FILE`, because the finished rows are kept next to that file."
)
FULL_OR_FAST = "choose `full` or `fast`."
NO_ANSWER = "minitape cannot ask for confirmation without a terminal; use `--yes` to confirm."
NO_OP_NUMBER = "`{text}` is not the number of an op; write a number such as `#12`."
NO_SUCH_STEP = "the run has {count} steps, but none of them matches `{step}`."
NO_SUCH_CALL = "the run has {calls}."
NO_SUCH_SOURCE = "the sources are: {names}."
NO_TRACE_FORMAT = "`{suffix}` is not a trace format; use `.jsonl`, `.json` or `.txt`."
NO_PICTURE_FORMAT = "`{name}` must end in {suffixes}."

# --- output ---

OUTPUT_IS_A_FOLDER = "`{path}` is a folder; name a file."
NO_SUCH_FOLDER = "the folder `{path}` does not exist."
OUTPUT_IS_INPUT = "`{path}` is the input; choose another file."
OUTPUT_EXISTS = "`{path}` exists; use `--force` to overwrite it."
PORT_NOT_FREE = "port {port} cannot be used: {reason}."
WROTE = "wrote {path}"

# --- `explain --fix` ---

FIX_NEEDS_FILE = "this code is not in a file. Save it, then run `minitape explain SCRIPT.py --fix`."
FIX_NOT_MODULE = "to fix a module, name its file: `minitape explain SCRIPT.py --fix`."
FIX_NOT_NOTEBOOK = (
    "`--fix` does not change notebooks. Copy the suggested line into the notebook, or fix a script: "
    "`minitape explain SCRIPT.py --fix`."
)
FIX_NOT_EXAMPLE = "`--fix` does not change examples. Copy the example with `minitape examples copy NAME`, and fix the copy."
FIX_NOT_TRACE = "a trace cannot be fixed; name the script that it was recorded from."
NOTHING_TO_FIX = "Nothing to write: no automatic fix could be verified. Use `--check` to see why."
ASK_TO_WRITE = "Write {paths}?"
NOT_WRITTEN = "Nothing was written. Use `--yes` to write without being asked."
WROTE_KEPT = "wrote {path}; the previous content is in {backup}"
STILL_LEFT = "With these fixes, the script still has a problem. {line}"
FILE_CHANGED = "`{path}` has changed since it ran; nothing was written."

# --- nothing to show ---

NOT_TRACED = "the script was not traced"
NO_TAPE = "the script ran, but opened no tape"
NO_TAPE_WHILE_TRACED = "the script opened no tape while it was traced"
NOTHING_TO_SHOW = "{why}; there is nothing to show."
NOTHING_TO_DRAW = "{why}; there is nothing to draw."
NO_STEPS = "{why}; there are no steps."
NO_TAPE_OR_TENSOR = "the script ran, but used no tape and no tensor; there are no steps."

# --- how a run went ---

ON_MINITAPE = "TensorFlow is not installed, so `import tensorflow` uses minitape."
ON_TENSORFLOW_UNTRACED = (
    "The script ran on TensorFlow, but minitape could not trace it: {why}. "
    "Use `--on minitape` to run it on minitape."
)
TRACED_FOR = "Traced {limit}; the rest of the script ran untraced."
RECORDING_FULL = (
    "The recording is full after {recorded} events; {dropped} later events were not recorded. Results cover the run up "
    "to that point. Try to run fewer iterations."
)
TRACE_CUT_SHORT = "This trace is incomplete; results cover the run up to its last event."
OTHER_PROCESSES = "The script started other processes; only the first process is recorded."
STORAGE_FAILED = "{what} The rest of the script was not recorded. Try: {fix}"
TRACER_REPLACED = (
    "The script replaced code that the tracer needs ({why}); later events were not recorded."
)
ENGINE_LOST = (
    "minitape could not trace {engine} any further ({why}); later events were not recorded."
)
DOES_NOT_COMPILE = "The script does not compile, so none of it ran."
INTERRUPTED = "Interrupted; results cover the run up to that point."
STOPPED_AFTER = "Stopped after {limit}; results cover the run up to that point."
STOPPED_AT = "Stopped at {limit}; results cover the run up to that point."
LINE_NOT_RUN = " Line {line} did not run."
LINES_NOT_RUN = " Lines {first} to {last} did not run."
DIED = "The script ended early ({cause}); results cover the run up to that point."
EXIT_CODE = "The script exited with code {code}."
MISSING_NAMES = "This script uses names that minitape does not support:"
MISSING_NAME = "  line {line}: `{name}` raises {error}"
MISSING_NAME_IN = "  line {line} of {file}: `{name}` raises {error}"
MISSING_MORE = "  and {count} more"
MISSING_INSTEAD = "  or: {command}"

GRADIENT_IS_NONE = "{where}: the gradient for {name} is None; `minitape explain` shows why"
GRADIENT_IS_NONE_OFTEN = (
    "{where}: the gradient for {name} is None ({times} times); `minitape explain` shows why"
)

# --- where a trace stops before the script does, and what happened to the rest of the script ---

RECORDING_ENDED = "the point where recording ended", "was not recorded"
TRACING_ENDED = "the point where tracing ended", "was not traced"
SCRIPT_RAISED = "the {error}", "did not run"
SCRIPT_RAISED_ON_LINE = "the {error} on line {line}", "did not run"
SCRIPT_STOPPED = "the point where it was stopped", "did not run"
SCRIPT_DIED = "the point where it ended early ({cause})", "did not run"

# --- a page that is served ---

RUNNING = "{name} is running …"
WATCHING = "watching {path}: {address}   (stop with Ctrl-C)"
SHOWN_IS_OLD = "The page shows the last run that succeeded."
FILE_GONE = "{path} was deleted or moved. The script runs again when the file is back."
RAISED = "{error}: {message}"
RAISED_ON_LINE = "{file}, line {line}: {error}: {message}"
FIRST_OF = "{first} (and {more} more)"
HEALTHY = "healthy: {calls}"

# --- the course ---

NO_COURSE = "the current folder is not inside a course folder."
NO_EDITOR = "no text editor was found."
ATTEMPT_HAS_NO_TAPE = "the file ran, but opened no tape; there is nothing to draw."
FILE_IS_MISSING = "`{path}` does not exist."
FILE_CANNOT_BE_READ = "`{path}`: {reason}."
LAST_OPEN = "this is the last open exercise"
RESET_AGAIN = "press x again to restore the original file; your version is kept."
KEPT_AS = "your version is kept as {path}"
NO_SOLUTIONS = "name the folder that contains the solutions, with one folder per lesson inside it"
POSITION = " ({number} of {total})"
WAS_SAVED = "{exercise} was saved"
NO_EXPLANATION = {
    "always": "There is nothing to explain.",
    "request": "There is nothing to explain.",
    "second": "The explanation is available after your second failed attempt. You can get a hint now.",
    "never": "This exercise has no explanation, because finding the cause is the exercise. You can get hints.",
}
ASK_TO_RESET = "Restore the original {path}?"
IS_RESET = "restored the original file of {exercise}: {path}"
COURSE_MADE = "{title}: {exercises}, about {duration}, in {folder}"
READ_FIRST = "  python {script}    read and run the first lesson"
TRY_FIRST = "  minitape lesson          start the first exercise"
NO_FAULTS = "{exercises}: no problems found"
GRADING = "{submissions} submissions, {exercises} exercises, seed {seed}"
ROWS_KNOWN = "{rows} rows were already graded in the interrupted run"
GRADING_STOPPED = "Interrupted: {done} of {total} rows are done."
GRADING_KEPT = "Interrupted: {done} of {total} rows are done and saved. Run the same command with `--resume` to continue."
PASSED_OF = "{passed} of {total} pass"
NOT_UTF_8 = "{path} is not UTF-8 text."
GRADING_RISK = (
    "Other people's programs run here with your permissions, each in a separate process with limits. This keeps one "
    "program from stopping the others. It does not prevent a program from reading or writing your files, from using the "
    "network, or from faking a pass. If grades count, run this command in a container or on a separate machine."
)

# --- minitape itself ---

BUG = "this is a bug in minitape, not in your script."
REPORT_BUG = "report this bug with the lines above and the output of `minitape doctor`"
SYSTEM_ERROR = "{file}: {reason}."


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 step`, `2 steps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

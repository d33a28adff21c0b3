"""The sentences of the course: verdicts of checks, results of attempts, and errors of course files.

The values in braces are filled in where a message is used. The texts of lessons are in `tutorials`, and the surrounding texts
are in the command-line package.
"""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 op`, `2 ops`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


# --- answers that are typed out ---

PREDICTED = "`{name} = {given}` is right"
PREDICTED_WRONG = "`{name} = {given}` is not what the program computes{detail}."
WRONG_LENGTH = ": it does not have the right number of elements"
WRONG_ELEMENT = ": element {number} differs"
WRONG_KEYS = ": its keys differ"
WRONG_ENTRY = ": the entry {key!r} differs"
NOT_A_LIST = ": it is a single number, not a list or a tuple"
STRING_NOT_LIST = ": it is a string, not a list or a tuple"
IN_QUOTES = ": in quotes it is a string; remove the quotes"
PREDICT_AGAIN = "work it out again on paper, one step at a time, without running the file"

ORDERED = "`{name}` is in the order of the run"
ORDER_NOT_A_LIST = "`{name}` is {given}, not a list."
ORDER_AS_A_LIST = '{name} = ["…", "…"]'
ORDER_UNKNOWN = "`{name}` must list each name once, but {unknown!r} is not one of the names."
ORDER_REPEATED = "`{name}` must list each name once, but {repeated!r} occurs more than once."
ORDER_INCOMPLETE = "`{name}` must list each name once, but it contains only {given} of {all} names."
LIST_EACH_ONCE = "write each name once"
ORDER_WRONG = "`{name}` is not in the order of the run: position {number} ({given!r}) is the first position that differs."
ORDER_AGAIN = "go through the run up to this position, and ask what must be known before this step"

CHOSEN = "`{name} = {given}` is right"
CHOSEN_WRONG = "`{name} = {given}` is not right."
CHOOSE_AGAIN = (
    "find a change to the program for which the options predict different results, and run it"
)

NO_VALUE = "`{name}` has no value in your file."
GIVE_VALUE = "write `{name} = ...` with your answer"
IS_COMPUTED = "`{name} = {code}` is computed, but this exercise asks for the result that you expect before you run anything."
TYPE_VALUE = "type the answer itself, such as `{name} = 1.5`"
STILL_OPEN = "`{name}` is still open."
FILL_IN = "write your answer in place of the dots"

# --- the names and functions of the file ---

NO_NAME = "your file does not define {name!r}."
NAMED_OTHERWISE = "rename {near!r} to {name!r}, if that is the name you meant"
DEFINE_NAME = "define {name!r} in the TODO block"
NOT_A_FUNCTION = "`{name}` is {value}, not a function."
DEFINE_FUNCTION = "define `{name}` with `def {name}(...):`"
CALL_RAISED = "`{name}({args})` raised {error}"
RAISED_AT = "line {line}: {code}"
CALL_IT = "call the function yourself with these arguments"
FILE_RAISED = "your file raised {error}"
CHECK_FAILED = "this check ({kind}) could not be run: {error}"
EXPRESSION_FAILED = "`{code}` cannot be computed in your file: {error}."
KEEP_THE_REST = "restore the lines outside the TODO block"

NAME_TAKEN = "your block assigns {names}, which the lines above the block define."
OTHER_NAME = "choose another name in the block"
UNRESTORED = "lines outside the block changed. With the original lines, your file raises {error}."
INSIDE_ONLY = "restore the lines outside the block, and make your change inside it"

VALUE_RIGHT = "`{function}` is right at {points} points"
DERIVATIVE_RIGHT = "`{function}` agrees with finite differences of `{of}` at {points} points"
DERIVATIVE_NONE = "`{call}` returned None, but `{of}` depends on its argument."
DERIVATIVE_NONE_FOR = "`{call}` returned None for argument {number}, but `{of}` depends on it."
ASK_EXPLAIN = "call `{function}` in your file, and run `minitape explain` to see the line that loses the gradient"
GRADIENT_COUNT = (
    "`{call}` returned {value}, but must return {count} gradients, one for each argument."
)
LIST_OF_SOURCES = "return one gradient for each source, as `tape.gradient(y, [a, b])` does"
RIGHT_RESULT = "the right result"
THE_GRADIENT = "the gradient of `{of}`"
THE_GRADIENT_FOR = "the gradient of `{of}` for argument {number}"
THE_DERIVATIVE = "the derivative of order {order} of `{of}`"
VALUE_COUNT = "`{call}` returned {came}, but must return {right}."
VALUES_IN_ORDER = "return them in the order given in the task"
VALUE_NONE = "`{call}` returned {came}; {what} is {right}."
TRACE_BY_HAND = "trace the call by hand"
VALUE_SHAPE = "`{call}` has the shape {came}; {what} has the shape {right}."
SHAPE_OF_SOURCE = "return a gradient that has the shape of its source"
SHAPE_OF_STEPS = "print the shape after each step"
VALUE_WRONG = "`{call}` returned {came}; {what} is {right}."
VALUE_WRONG_AT = "`{call}` returned {came} at {index}; {what} is {right} there."
COMPUTE_BY_HAND = "compute it by hand at this point, step by step"
NOT_A_NUMBER = "`{call}` returned {value}, which is not a number."
RETURN_A_TENSOR = "return a tensor"

COST_OF = "a call to `{function}` records {ops}, and the tapes keep {size}"
COST_TOO_HIGH = "a call to `{function}` costs {cost}, but needs at most {most}."
RECORDED_OPS = "recorded op"  # nouns of a cost
KEPT_BYTES = "kept byte"
OPS_RUN = "executed op"
FIND_THE_COST = (
    "run `minitape trace` to list the ops one by one, and find those that are not needed"
)

TAPED = "`{function}` gets its result from a tape"
NOT_TAPED = "`{function}` did not request a gradient from a tape."
TOO_FEW_TAPED = (
    "`{function}` requested only {gradients} from a tape. The rest was computed without a tape."
)
TOO_MUCH_TAPED = "`{function}` makes {calls}, but needs at most {most}."
LET_A_TAPE = "compute the function in a `with tf.GradientTape()` block, and return what `tape.gradient` returns"

# --- what was recorded ---

CODES_SHOWN = "your run shows {codes}"
CODES_GONE = "{codes} no longer occurs"
CODES_GONE_TOO = "{codes} no longer occur"
NO_CODES = "the explainer finds nothing"
CODE_FOUND = "line {line}: {label}; the gradient for {source} {outcome} ({code})"
CODE_FOUND_SOMEWHERE = "your run shows {code}"
CODE_NOT_FOUND = "your run should have this finding, but does not: {title} ({code})."
A_SOURCE = "a source"
SEE_LINE = "run `minitape explain` on your file to see the line"
SEE_LINE_AND_PAGE = "run `minitape explain` on your file to see the line, and `minitape explain {code}` to read about the cause"
SEE_PAGE = "run `minitape explain {code}` to read when this finding occurs, and to see a program that has it"

CONNECTED = "the gradient arrived"
ALL_CONNECTED = "all {count} gradients arrived"
NO_GRADIENT = "your file did not request a gradient."
REQUEST_GRADIENT = "call `tape.gradient(target, sources)`"
RETURN_GRADIENT = "call `tape.gradient(target, sources)`, and return its result"
GRADIENT_NONE = "the gradient for {source} on line {line} is None."
GRADIENT_ERROR = "the gradient for {source} on line {line} could not be computed."
FIND_THE_LOSS = "run `minitape explain` to see the line that loses the gradient"
GRADIENT_HIDDEN = "the gradient for {source} on line {line} is zero instead of None: no path leads from the source to the target."
SHOW_THE_NONE = "remove `unconnected_gradients`, and fix the path"

TAPE_HOLDS = "the tape holds {ops}"
TAPE_WATCHES = "your code makes the tape watch {values}"
TAPES_OPENED = "the run opened {tapes}, but should open {wanted}."
COUNT_TAPES = "count how many times a `with tf.GradientTape()` block runs"
TOO_MANY_WATCHED = "your code makes the tape watch {values}, but needs to watch at most {most}."
WATCHED_AUTOMATICALLY = "find out which of these values a tape watches automatically"
NO_SUCH_CALL = "the run has {calls}, but this check needs call {number}."
NOTHING = "nothing"
TOO_MANY_OPS = "the tape holds {ops} ({held}), but needs at most {most}."
TOO_FEW_OPS = "the tape holds {ops} ({held}), but should hold at least {least}."
OPS_OF_NAME = "the tape holds {ops} ({held}), but should hold {wanted} {name}."
OP_NOT_WANTED = "the tape holds {ops} ({held}), but should not hold {name}."
LIST_OPS = "run `minitape trace` to list the ops, each with its line"

# --- attempts ---

NOT_READABLE = "line {line} is not valid Python: {error}"
NOT_PYTHON = "this is not a Python program: {error}"
ENDED_EARLY = "the program ended before the checks had finished."
AT_LINE = " on line {line}"
OUT_OF_TIME = "stopped after {seconds:g} s{at}."
TOO_MUCH_RUN = "stopped after {ops} ops{at}."
TOO_MANY_CALLS = "stopped after too many gradient calls{at}."
OUT_OF_MEMORY = "stopped when it used more than {memory} MB{at}."
TOO_MUCH_OUTPUT = "stopped because it printed too much{at}."
INTERRUPTED = "interrupted{at}."
DIED = "the process that ran your file was killed ({cause})."
EXIT_CODE = "your file ended with exit code {code}."
JUDGE_ENDED = "your file ended the process that checks it."
FOLDER_GONE = "the folder in which your file runs was deleted."
NOT_STOPPED = "your file could not be stopped in time."

CAUSE_REMAINS = "the run still loses a gradient."
FIND_IT_FIRST = "find the line where the gradient is lost, or ask for a hint"
MORE_FAIL = "{checks} fail."
ALL_PASS = "passed: {held} of {all} checks pass."
SOME_PASS = "{held} of {all} checks pass."
MAGIC_HINT = "For a hint, run %hint {name}"
NO_BLOCK_RUN = "first run the cell that contains the lines `# TODO` and `# END`; the block between them is your answer"
NO_SOLUTION = "This course does not show solutions. Ask your teacher."
TRY_BEFORE_SOLUTION = "Try the exercise first: run %check {name}"

# --- course folders and files ---

NO_EXERCISES = "{folder} has no exercises."
NEW_COURSE = "run `minitape lesson new DIR` to create a course"
AMBIGUOUS = "{name} can mean {found}."
AMBIGUOUS_AND_MORE = "{name} can mean {found} and {more} more."
NOT_IN_COURSE = "this course has no {name}."
IS_A_NOTEBOOK = "{name} is a notebook, not the name of an exercise."
NAME_EXERCISE = "name the exercise, such as 04/ex2; this checks the .py file of the exercise"
USE = "use {name}"
LIST_COURSE = "run `minitape lesson list` to see all exercises"
NO_FIELD = "{file}: the field {field} of exercise {name} is unknown."
ONE_OF = "use one of {names}"
NO_FILE = "{file} does not exist."
MAKE_COURSE = "create a course with `minitape lesson new DIR`"
NOT_TOML = "{file} is not valid TOML: {error}."
BAD_FIELD = "{file}: {error}."
BAD_EXERCISE = "{file}: exercise {name}: {error}."
SEE_COURSE_DOCS = "see docs/course.md for the format"
FILE_MISSING = "{file} does not exist."
RESET = "run `minitape lesson reset {name}` to restore it"
CANNOT_BE_READ = "{file} cannot be read."
INIT_AGAIN = "run `minitape lesson init {folder} --force` to add the missing files"
NOT_EMPTY = "{folder} already exists and is not empty."
OTHER_FOLDER = "choose another folder"
OTHER_FOLDER_OR_FORCE = (
    "choose another folder, or use `--force` to add missing files without changing existing ones"
)
PROGRESS_DAMAGED = (
    "{file} could not be read, and was renamed to {aside}. Run `minitape lesson check-all` to find out again which "
    "exercises pass."
)

# --- grading ---

NO_ANSWER = "no file for this exercise was found."
NOT_A_JOURNAL = "{file} does not contain the rows of an interrupted run."
WITHOUT_RESUME = "start without `--resume`"
OTHER_RUN = "the stored rows belong to a run with different settings ({names})."
SAME_OPTIONS = "use the same options, or start again without `--resume`"
LAYOUT_INCOMPLETE = "the layout {layout} must contain {{student}} and {{exercise}}."
LAYOUT_EXAMPLE = "use a pattern such as `--layout '{student}/{exercise}.py'`"
NO_PATH = "{path} does not exist."
NAME_FOLDER = "name the folder that contains the submissions"
NOTHING_HANDED_IN = "no submissions: {paths} contains no folder, zip file, notebook or script."
ONE_EACH = (
    "put one of these into the folder for each student, or use `--layout '{student}/{exercise}.py'`"
)
IS_A_LINK = "{file} is a link, and links are not followed."
NOT_A_SUBMISSION = "{file} is not a folder, zip file, notebook or script."
UNREADABLE = "{file} cannot be read: {why}"
TOO_MANY_FILES = "it contains more than {most:,} files."
NOT_A_PLAIN_FILE = "{file} is a link or not a regular file, so it is not read."
TOO_LARGE = "{file} is larger than {most} MB."
HAS_PASSWORD = "it has a password."
NO_PERMISSION = "you do not have permission to open it."
DAMAGED = "it is damaged, or its format is unknown."

"""The catalog of the texts around the findings of an explanation: outcomes, counts, evidence, and the notes next to lines."""

from minitape.templates import Template

# --- outcomes ---

IS_NONE = "is None"
IS_ZERO = "is zero everywhere"
IS_TINY = "is tiny (at most 1e-6)"
IS_NAN = "contains NaN or infinity"
IS_INCOMPLETE = "is incomplete"
IS_ERROR = "could not be computed"
IS_EMPTY = "is an empty list"
# The same, after "the gradients are".
NONE = "None"
ZERO = "zero"
NAN = "NaN or infinite"
INCOMPLETE = "incomplete"
MISSING_BY_ERROR = "missing because of an error"
MISSING_BY_SOURCES = "missing because no source was given"
IS_OF_BROKEN_TARGET = "is finite, but its target is NaN or infinite"
GRADIENT = Template("the gradient with respect to {sources} {outcome}")
GRADIENT_OF = Template("the gradient of {target} with respect to {sources} {outcome}")
THAT_GRADIENT = Template("the one with respect to {sources} {outcome}")
THAT_GRADIENT_OF = Template("the one of {target} with respect to {sources} {outcome}")
# The names of the target of a gradient call without a name, and of the target in Keras' `fit`, which the tracer names.
THE_TARGET = "the target"
THE_LOSS = "the loss"
IN_ITERATIONS = Template(", in {count} of {total} iterations")
NO_PROBLEM = "No problem was found in the gradients."
NO_GRADIENT_REQUESTED = "No gradient was requested."

# --- evidence ---

BY_MARK = "the same array object left the tape and came back"
BY_ORDER = "the order in which the ops ran, and the tape that recorded them"
BY_NUMBERS = "the values in the forward pass and in the backward pass"
BY_NAME = "the same name in the program (heuristic)"
BY_COMPILED = "the script ran again untraced, with its functions compiled"
BY_RERUN = "the script ran again with the suggested fix, and the gradient came back"
EVIDENCE = Template("{confidence}; evidence: {evidence}")
RUNNER_UP = Template("; the next best explanation is {slug} ({code}) on {line}")

# --- how many mistakes, and in which order to fix them ---

ONE_LOCATION = Template("Found {count}, on {line}.")
TWO_LOCATIONS = Template("Found {count}. Fix {first} first, then {second}.")
MORE_LOCATIONS = Template("Found {count}. Fix them in this order: {lines}.")
ONE_MISTAKE = "1 mistake"
MISTAKES = Template("{count} mistakes")
AND_MORE = Template("{items} and {count} more")
LINE = Template("line {line}")
LINES = Template("lines {lines}")
LINE_OF_FILE = Template("line {line} of {file}")
FIX_BOTH = Template("fix both {lines}; fixing only one has no effect")
FIX_ALL = Template("fix all of {lines}; fixing only some of them has no effect")
FIX_BOTH_FOR_ALL = Template(
    "fix both {lines}; fixing only one restores only a part of the gradient"
)
FIX_ALL_FOR_ALL = Template(
    "fix all of {lines}; fixing only some of them restores only a part of the gradient"
)
FIX_SOME = Template(
    "fix all of {lines}; fixing only some of them has no effect, or restores only a part of the gradient"
)
FOR_SOURCES = Template("for {sources}: {advice}")
MORE_COMBINATIONS = Template("and {count} more combinations")
LIKEWISE = Template("likewise for {sources}")
MORE_FIXES = Template("and {count} more similar fixes")
MORE_CLAUSES = Template("and {count} more")

# --- regularization ---

ONLY_REGULARIZATION = Template(
    " The gradient for {source} is incomplete: the regularization contributes to it, but the rest of {target} does not."
)

# --- a target that is not finite ---

TARGET_IS_NAN = Template(" This gradient is finite, but {target} contains NaN.")
TARGET_IS_INFINITE = Template(" This gradient is finite, but {target} contains infinity.")

# --- zeros in place of None ---

ZEROS_REQUESTED = Template(
    ' The tape has no gradient for this source. Because of `unconnected_gradients="zero"`, the tape returns zeros '
    "instead of None. These zeros are not the derivative ({code})."
)
ZEROS_OF_JACOBIAN = Template(
    " The tape has no gradient for this source. `batch_jacobian` returns zeros instead of None. These zeros are not the "
    "derivative ({code})."
)
ZEROS_FILLED_IN = Template(
    " Line {line} replaces this None gradient with zeros, so no error is raised ({code})."
)

# --- labels next to lines ---

CHANGE_THIS = "change this"
ASSIGNED = "assigned here"
CREATED = "created here"
LEAVES = "leaves the tape here"
REQUESTED = "gradient requested here"
COMPUTED = "computed here"
READ = "read here"
COMES_BACK = "re-enters here, as a constant"
RESET = "the tape discards its records here"
PAUSED = "recording stops here"
OPENED = "this tape opens here"
WATCHED = "watched here"
FALSE_COMES_FROM = "False comes from here"
GOES_IN = "passed in here"
LAYER_CREATED = "the layer is created here"
RUNS = "it runs here"
COMPUTED_IN_DATASET = "computed in the dataset here"
COMES_OUT = "comes out as a constant here"

# Follows a fix in a file that has not imported TensorFlow.
NEEDS_IMPORT = Template("{fix}; {file} then needs `import tensorflow as tf`")

"""The texts of causes that concern a tape as a whole: what ran outside it, what another tape recorded, and what it
discarded.
"""

from minitape.explain.causes.texts import Entry, Template

# --- computed-before-tape ---

COMPUTED_BEFORE = Entry(
    label="computed before the tape opened",
    why="{result} was computed on line {line}, before {tape}. The tape has only the value, not the computation.{incomplete}",
    fix="{fix}",
)
MOVE_INTO_BLOCK = Template("move line {line} into the `with` block")
MOVE_LINES_INTO_BLOCK = Template("move lines {lines} into the `with` block, in this order")
MOVE_RANGE_INTO_BLOCK = Template(
    "move lines {first} to {last} into the `with` block, in this order"
)
COMPUTE_IN_OTHER_FILE = Template(
    "compute {result} (line {made}) again in {function}, in the `with` block on line {opened}, and use it on line {used} instead "
    "of the value from before{method}"
)
WITH_METHOD = Template("; `{method}` of {owner} (line {line}) computes with {layer} too")
COMPUTE_IN_BLOCK_OF_LINE = Template(
    "compute {result} in the `with` block on line {opened}, or in a function that is called there"
)
COMPUTE_IN_CALLED_FUNCTION = Template(
    "compute {result} in the function that the call on line {line} runs, because the tape of this call records only that "
    "function"
)
COMPUTE_IN_BLOCK = Template("compute {result} inside the `with` block")
COMPUTE_IN_FUNCTION = Template(
    "compute {result} inside the function: Python evaluates a default value only once, when it runs `def`"
)
COMPUTE_WHERE_USED = Template(
    "compute {result} where it is used, while the tape records, instead of in {function}"
)
COMPUTE_AGAIN = Template(
    "compute {result} again in the `with` block on line {opened}, as line {line} does"
)
WRITE_AGAIN = Template(
    "write {statement} once more, as the first line of the `with` block on line {opened}; keep line {line}, because "
    "other code also uses the value"
)

# A value that a cache or an attribute keeps from one call to the next: also for other-tape.
KEPT_BY_STORE = Entry(
    label="kept from before this tape opened, and reused here",
    why="Line {line} keeps {stored} from one call to {function} to the next. The call on line {ran} computed it before "
    "{tape}, so this tape did not record the computation.{incomplete}",
    fix="remove {condition} (line {condition_line}), so that line {line} computes the value again while each tape records",
)
KEPT_BY_DECORATOR = Entry(
    label="{decorator} returns what {function} computed before this tape opened",
    why="The call on line {ran} computed this from {source} before {tape}. {decorator} keeps the result of "
    "{function} and returns it again, so this tape did not record how it was computed.{incomplete}",
    fix="{fix}, so that {function} runs again while each tape records",
)
PROPERTY_INSTEAD = Template("use `@property` instead of {decorator}")
REMOVE_DECORATOR = Template("remove {decorator}")

# --- computed-after-tape ---

COMPUTED_AFTER = Entry(
    label="computed after the tape had closed",
    why="{result} was computed on line {line}, after {tape} had closed.",
    fix="{fix}",
)
OPEN_BEFORE_LOOP = Template(
    "open {tape} once: put one `with` block around the loop on line {loop} and the lines after it, up to the gradient call"
)
COMPUTE_THEN_CALL = Template("write {statement} inside the `with` block, and then call {call}")

# --- other-tape ---

REQUESTED_WRONG_TAPE = Entry(
    label="another tape recorded this, not the tape of this gradient call",
    why="Another tape recorded {made}. This gradient call uses {tape}, which had already closed.",
    fix="{advice}",
)
USE_RECORDER = Template(
    "write {call}, which uses the tape that recorded the computation; or do the whole computation in one `with` block"
)
ONE_BLOCK = (
    "use the tape that recorded the computation, or do the whole computation in one `with` block"
)
RECORDED_AFTER = Entry(
    label="only another tape records here: the tape of the gradient call has closed",
    why="{made} was computed after {tape}, which the gradient call uses, had closed. Only another tape "
    "recorded it.{incomplete}",
    fix="use one tape from the first line to the last: do the whole computation in one `with` block",
)
COMPUTED_FOR_OTHER = Entry(
    label="recorded only by another tape; this tape has only the value",
    why="{result} (line {line}) was computed for another tape. The tape of this gradient call opened later, on line "
    "{opened}, and has only the value.{incomplete}",
    fix="{fix}",
)
TAPE_REPLACED = Entry(
    label="this replaces the tape that recorded the computation",
    why="The tape opened during {before} recorded {made}. Then {after} opened another tape on line {opened}. Since then, "
    "{tape} has been this second tape, which did not record the earlier computation.{incomplete}",
    fix="call `gradient` right after {before}, before {after}; or use a separate tape for each call, and keep both tapes",
)
EARLIER_ITERATION = Entry(
    label="recorded in an earlier iteration: the tape of this iteration has only the value",
    why="The tape of an earlier iteration recorded {made}. Each iteration opens a new tape on line {opened}, "
    "which has only the value.{incomplete}",
    fix="compute the value again in each iteration, inside the `with` block; or put one `with` block around the whole loop",
)
OPENED_LATER = Entry(
    label="this tape starts empty: it did not record the earlier lines",
    why="Another tape recorded {made}. The tape of this gradient call opened later, on line {line}, and has only the "
    "value.{incomplete}",
    fix="do the whole computation in one `with` block",
)

# --- tape-reset ---

RESET = Entry(
    label="the tape discards everything that it recorded before this line",
    why="{reset} on line {line} discarded everything that the tape had recorded and watched, including line "
    "{earlier}.",
    fix="remove {reset} on line {line}; or move it before the computation, and call `watch` again after it",
)

# --- stop-recording ---

STOPPED = Entry(
    label="nothing is recorded inside this block",
    why="Line {op_line} runs inside `stop_recording` (line {line}), where the tape records nothing.{incomplete}",
    fix="move line {op_line} out of the `stop_recording` block",
)

# --- second-order-not-recorded ---

SECOND_ORDER = Entry(
    label="this gradient is computed where the outer tape does not record",
    why="{call} runs on line {line}, while {tape} is not recording. The outer tape therefore did not record how this "
    "gradient was computed.",
    fix="{fix}",
)
MOVE_CALL = Template(
    "move line {line} into the `with` block on line {outer}, so that the outer tape records the gradient call on line {inner}"
)
MOVE_INNER_BLOCK = Template(
    "move lines {first} to {last} to the top of the `with` block on line {outer}: the inner tape belongs inside"
)
INDENT = Template(
    "indent line {line}: the inner gradient call belongs inside the outer `with` block"
)

# --- second-order-linear ---

LINEAR = Entry(
    label="{value} is linear in {source}, so its derivative is constant",
    why="The first derivative of {value} (line {line}) does not depend on {source}. The second derivative is therefore 0, "
    "and the tape returns None.",
    fix="to get zeros, write {call}; if {value} should not be linear, check line {line}",
)
LINEAR_BY_HAND = "nothing is lost: the second derivative of a linear function is 0"

# --- differs-compiled ---

NONE_COMPILED = Entry(
    label="None when compiled: the tape records a compiled function as one op",
    why="Line {line} returns None for {source} when the program runs untraced. The traced run returned a gradient, because "
    "compiled functions run eagerly while they are traced. A tape outside a compiled function records the whole function "
    "as one op. The Python code inside the function runs only once.",
    fix="open the tape and request the gradient of {target} in the same place: both inside the compiled function, or both "
    "outside it",
)
NONE_TRACED = Entry(
    label="None only while traced: the compiled program returns a gradient",
    why="Line {line} returns a gradient for {source} when the program runs untraced. In the traced run, compiled functions "
    "run eagerly, and the gradient was None. The program therefore computes {target} differently when its functions run "
    "eagerly.",
    fix="keep the compiled program, which loses no gradient; to debug it, make its functions compute the same values when "
    "they run eagerly",
)
COMPILED_BY_HAND = "not applied automatically: which code belongs in the compiled function cannot be inferred from the script"

# --- the cards of pictures ---

BEFORE_CARD = "before the tape"
AFTER_CARD = "after the tape"
OTHER_CARD = "on another tape"
RESET_CARD = "discarded"
PAUSED_CARD = "recording stopped"
SECOND_ORDER_CARD = "not on the tape"
NOT_RECORDED_EDGE = "computed, but not recorded"
OTHER_EDGE = "recorded by another tape"
RESET_EDGE = "the tape was reset"

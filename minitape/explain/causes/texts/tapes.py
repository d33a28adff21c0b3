"""The life of a tape: what ran outside it, what another tape recorded, and what it discarded."""

from minitape.explain.causes.texts import Entry, Template

# --- computed-before-tape ---

COMPUTED_BEFORE = Entry(
    label="computed before the tape opened",
    why="{result} was computed on line {line}, before {tape}. So the tape has only its value.{incomplete}",
    fix="{fix}",
)
MOVE_INTO_BLOCK = Template("move line {line} into the `with` block")
COMPUTE_IN_BLOCK = Template("compute {result} inside the `with` block")
COMPUTE_IN_FUNCTION = Template(
    "compute {result} inside the function: Python evaluates a default value only once, when it runs `def`"
)
COMPUTE_WHERE_USED = Template(
    "compute {result} where it is used, while the tape records, and not in {function}"
)
COMPUTE_AGAIN = Template(
    "compute {result} again in the `with` block on line {opened}, as line {line} does"
)
WRITE_AGAIN = Template(
    "write {statement} once more, as the first line of the `with` block on line {opened}; keep line "
    "{line} for the other use"
)

# A value that a cache or an attribute keeps from one call to the next: also for other-tape.
KEPT_BY_STORE = Entry(
    label="kept from before this tape opened, and reused here",
    why="Line {line} keeps {stored} from one call of {function} to the next. The call on line {ran} "
    "computed it before {tape}, so this tape did not record how it was computed.{incomplete}",
    fix="compute it again while each tape records: remove {condition} (line {condition_line}), so that "
    "line {line} runs each time",
)
KEPT_BY_DECORATOR = Entry(
    label="{decorator} returns what {function} computed before this tape opened",
    why="The call on line {ran} computed this from {source} before {tape}. {decorator} keeps the result of "
    "{function} and returns it again, so this tape did not record how it was computed.{incomplete}",
    fix="{fix}: {function} must run again while each tape records",
)
PROPERTY_INSTEAD = Template("use `@property` instead of {decorator}")
REMOVE_DECORATOR = Template("remove {decorator}")

# --- computed-after-tape ---

COMPUTED_AFTER = Entry(
    label="computed after the tape had closed",
    why="{result} was computed on line {line}, after {tape} had closed.",
    fix="{fix}",
)
COMPUTE_THEN_CALL = Template("write {statement} inside the `with` block, and then call {call}")

# --- other-tape ---

REQUESTED_WRONG_TAPE = Entry(
    label="another tape recorded this, not the tape of this gradient call",
    why="Another tape recorded {made}. This gradient call uses {tape}, which had already closed.",
    fix="use the tape that recorded it, or do the whole computation in one `with` block",
)
RECORDED_AFTER = Entry(
    label="only another tape records here: the tape of the gradient call has closed",
    why="{made} was computed after {tape}, which the gradient call uses, had closed. Only another tape "
    "recorded it.{incomplete}",
    fix="use one tape from the first line to the last: do the whole computation in one `with` block",
)
COMPUTED_FOR_OTHER = Entry(
    label="computed for another tape, which needs it too: this tape has only the value",
    why="{result} (line {line}) was computed for another tape. The tape of this gradient call opened later, "
    "on line {opened}, and has only its value.{incomplete}",
    fix="{fix}",
)
TAPE_REPLACED = Entry(
    label="this replaces the tape that recorded the computation",
    why="The tape of {before} recorded {made}. Then {after} opened another tape on line {opened}, and {tape} "
    "is now that tape, which did not record the earlier computation.{incomplete}",
    fix="call `gradient` right after {before}, before {after}; or give each call its own tape, and keep both",
)
EARLIER_ITERATION = Entry(
    label="recorded in an earlier iteration: the tape of this iteration has only the value",
    why="The tape of an earlier iteration recorded {made}. Each iteration opens a new tape on line {opened}, "
    "which has only the value.{incomplete}",
    fix="compute it again in each iteration, inside the `with` block, or put one `with` block around the "
    "whole loop",
)
OPENED_LATER = Entry(
    label="this tape starts empty: it did not record the earlier lines",
    why="Another tape recorded {made}. The tape of this gradient call opened later, on line {line}, and has "
    "only its value.{incomplete}",
    fix="do the whole computation in one `with` block",
)

# --- tape-reset ---

RESET = Entry(
    label="the tape discards everything that it recorded before this line",
    why="{reset} on line {line} discarded everything that the tape had recorded and watched, including line "
    "{earlier}.",
    fix="reset first and compute afterwards (and call `watch` again), or remove the reset",
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
    why="{call} runs on line {line}, while {tape} is not recording. So the outer tape did not record how that "
    "gradient was computed.",
    fix="{fix}",
)
MOVE_CALL = Template(
    "move line {line} into the `with` block on line {outer}, where the outer tape records its line {inner}"
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
    why="The first derivative of {value} (line {line}) does not depend on {source}. So the second derivative is "
    "0, and the tape returns None.",
    fix="for zeros: {call}; if {value} should not be linear, check line {line}",
)
LINEAR_BY_HAND = "nothing is lost: the second derivative of a linear function is 0"

# --- the cards of pictures ---

BEFORE_CARD = "before the tape"
AFTER_CARD = "after the tape"
OTHER_CARD = "on another tape"
RESET_CARD = "discarded"
PAUSED_CARD = "recording stopped"
SECOND_ORDER_CARD = "not on the tape"
NOT_RECORDED_EDGE = "computed, but not recorded"
OTHER_EDGE = "recorded there, not here"
RESET_EDGE = "the tape was reset"

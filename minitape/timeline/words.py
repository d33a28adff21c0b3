"""The texts of a step: values and reasons for the rows of a table, and sentences for the details of the step."""

import math

from minitape.trace.events import Numbers

_LONGEST_VALUE = 24

# Why an op was not recorded: a text for a narrow column, and a text for the line "recorded".
WHY_NOT = {
    "no_watched_input": ("unrecorded: unwatched", "no: the tape watches none of its inputs"),
    "recording_stopped": ("unrecorded: paused", "no: recording was paused"),
    "not_floating": ("unrecorded: integers", "no: integers are not differentiable"),
    "no_gradient": ("unrecorded: no gradient", "no: this op has no gradient"),
    "no_tape": ("no tape open", "no: no tape was open"),
}

# Why a backward step sends nothing to an input.
SKIPPED = {
    "constant": "a constant: nothing is sent",
    "not_floating": "integers: nothing can be sent",
    "no_gradient": "not differentiable: nothing is sent",
    "not_needed": "leads to no source: nothing is sent",
}

# --- lines about a step ---

NOT_TRAINABLE = "not trainable: a tape does not watch it automatically"
STATE_CHANGES = "a change of state: tapes do not record it"
NAME_REUSED = "{name} held {was} and now holds {now}"
LEAVES = "what Python and NumPy compute from it is not recorded"
IS_CONSTANT = "a constant: it has no history"
TAPE_OPENS = "{tape} opens"
TAPE_CLOSES = "{tape} closes"
RECORDS = "from here on, ops with a watched input are recorded"
IS_PERSISTENT = "persistent: gradients may be requested more than once"
WATCHES_EXPLICITLY = "the tape watches only values that are passed to watch()"
HOLDS = "the tape recorded {ops}"
IS_WATCHED = "is watched by {tape} from here on"
PAUSES = "recording pauses"
RESUMES = "recording resumes"
DISCARDS = "discards {ops}"
NO_HISTORY = "{inputs}: no history"
KEEPS = "keeps {values}"
IN_BACKWARD_PASS = "part of a backward pass that is itself recorded"
REQUESTED = "{api} requested"
STARTS_BACKWARD = "the backward pass starts here"
ARRIVES = "= {gradient}  arrives"
ROWS_AT_ONCE = "{rows} of the Jacobian at once"
STEP_OF = "step {step} of {steps}"
BACKWARD_OF = "{op}, backward"
IS_RECORDED_AGAIN = "the backward pass was recorded, so it can be differentiated again"

# --- what is wrong at a step ---

IS_RAISED = "{error} is raised"
FIRST_OF_PATH = "the first {kind} on this path"
FIRST_OF_BACKWARD = "the first {kind} in the backward pass"
EXPLODES = "the gradient explodes"
IS_ZERO = "the gradient is zero from here on"
VANISHES = "the gradient vanishes"
NAN, INFINITY = "NaN", "infinity"


def short(numbers: Numbers) -> str:
    """Return a short text for a tensor: its elements if there are only a few, otherwise its shape, range, and any `nan`/`inf`."""
    if numbers.data is not None and numbers.size <= 4:
        text = plain(numbers.data)
        if len(text) <= _LONGEST_VALUE:
            return text
    shape = ",".join(map(str, numbers.shape))
    if numbers.min is None:
        return f"{numbers.dtype}[{shape}]"
    bad = [name for name, many in (("nan", numbers.nan), ("inf", numbers.inf)) if many]
    return ", ".join([f"[{shape}] {plain(numbers.min)}..{plain(numbers.max)}", *bad])


def plain(value: object) -> str:
    """Return a number or a nested list of numbers, with four digits."""
    if isinstance(value, float):
        text = f"{value:.4g}"
        return text + ".0" if text.lstrip("-").isdigit() else text
    if isinstance(value, list):
        return "[" + ", ".join(map(plain, value)) + "]"
    return str(value)


def scalar(numbers: Numbers) -> float | None:
    """Return the value of a tensor of rank 0, if it is finite and real; else None."""
    value = numbers.data
    if numbers.shape or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value

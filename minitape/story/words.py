"""Values and reasons in a few words, for rows and lines."""

import math

from minitape.trace.events import Numbers

_LONGEST_VALUE = 24

# Why an op was not recorded: for a narrow column, and as a sentence.
WHY_NOT = {
    "no_watched_input": ("unrecorded: unwatched", "no: the tape watches none of its inputs"),
    "recording_stopped": ("unrecorded: paused", "no: recording was paused"),
    "not_floating": ("unrecorded: integers", "no: whole numbers have no slope"),
    "no_gradient": ("unrecorded: no gradient", "no: this op has no gradient"),
    "no_tape": ("no tape open", "no: no tape was open"),
}

# Why a step of the walk back sends nothing to an input.
SKIPPED = {
    "constant": "a constant: nothing is sent",
    "not_floating": "whole numbers: nothing can be sent",
    "no_gradient": "no slope: nothing is sent",
    "not_needed": "no source lies there: nothing is sent",
}


def short(numbers: Numbers) -> str:
    """A tensor in a few letters: its numbers if they are few, else its shape, the range of the finite ones, and what is none."""
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
    """A number, or a nested list of them, as a reader would write it."""
    if isinstance(value, float):
        text = f"{value:.4g}"
        return text + ".0" if text.lstrip("-").isdigit() else text
    if isinstance(value, list):
        return "[" + ", ".join(map(plain, value)) + "]"
    return str(value)


def scalar(numbers: Numbers) -> float | None:
    """The number, if it is one finite real number without axes."""
    value = numbers.data
    if numbers.shape or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value

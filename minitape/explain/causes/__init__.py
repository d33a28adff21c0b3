"""The causes of lost gradients, each declared once. A cause turns a case (`FindingContext`) into the texts about it
(`DiagnosticText`).

    cause      the declaration of a cause, a case of it, and what the texts of a case may use
    texts      the catalog of all texts, with placeholders; the modules below choose an entry and fill it in
    sources    the tape does not watch the source, cannot watch it, or the program replaced it
    empty      a loop ran zero times, or a list was empty
    twins      the target was computed from another object
    tapes      what ran outside the tape, what another tape recorded, and what the tape discarded
    cuts       a step that passes no gradient back
    keras      plain values from a Keras model or metric
    absent     no path leads from the source to the target
    zeros      the path exists, and its gradient is zero
    nans       the gradient is NaN or infinite
    refusals   the call raises
    rewriting  from the user's code to the code to write instead
    wording    the logic for the texts of some causes, where it is longer

The code that finds a case creates a `BrokenEdge(zeros.dead_relu, ...)`. The reader of a report looks up the cause with
`CAUSES[finding.slug]`. Each code has a page in `pages/`.
"""

from typing import Any

from minitape.explain.causes import (
    absent,
    cuts,
    empty,
    keras,
    nans,
    refusals,
    sources,
    tapes,
    twins,
    zeros,
)
from minitape.explain.causes.cause import Cause

_FAMILIES = (sources, empty, twins, tapes, cuts, keras, absent, zeros, nans, refusals)
_DECLARED = [
    each for family in _FAMILIES for each in vars(family).values() if isinstance(each, Cause)
]

# All causes by slug; if several declarations have the same slug, the first one counts.
CAUSES: dict[str, Cause[Any]] = {each.slug: each for each in reversed(_DECLARED)}

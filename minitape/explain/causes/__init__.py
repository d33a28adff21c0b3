"""The causes: a case of one goes in (`Scene`), and out come the words of a good teacher (`Words`). Each is declared once.

    cause      what a cause is: its declaration, a case of it, what its words may look at
    sources    the source is not watched, cannot be, or is no longer what the tape follows
    empty      there was nothing to go through: a loop ran zero times, a list was empty
    twins      another object than the one asked for was used
    tapes      what ran outside the tape, on another one, or was forgotten
    cuts       a step that carries nothing back
    keras      numbers out of a model or a metric of Keras'
    absent     nothing leads from the source to the target
    zeros      the way is there, and it is flat
    nans       a slope that is no number
    refusals   the call raises
    rewriting  from what the user wrote to what to write instead
    wording    what else goes into the words of some

Whoever finds a cause says `Break(zeros.dead_relu, ...)`; whoever reads a report looks it up: `CAUSES[finding.slug]`. Each code
has a page in `pages/`.
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

# All causes by slug; a case with a page of its own stands behind the one that it is a case of.
CAUSES: dict[str, Cause[Any]] = {each.slug: each for each in reversed(_DECLARED)}

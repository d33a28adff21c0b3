"""Where a number of a run is from: the terms whose sum it is, each with where it leads on to.

origins      a run, and an element of one of its tensors → `Origin`
  values       of what an op computed
  cotangents   of what a walk back sends, adds up and returns
  heard        what a trace tells, by the tensors in it
  local        which elements of an op meet, and by which factors
    formula      the factor in the words of the op's rule
described    all of a run as patterns, for a page whose script finds the terms
  patterns     which elements of an op meet, in numbers alone
labels       what was sent along the edges of a picture, as terms
written      an `Origin` as a teacher would write it on the board
model        all this as plain data

It works from the trace alone: ops are run again (`again/`), and their own rules are asked.
"""

from minitape.origin.described import described
from minitape.origin.labels import labels
from minitape.origin.model import Element, Factor, Origin, Term
from minitape.origin.origins import Origins
from minitape.origin.values import plain
from minitape.origin.written import Line, largest, line, rest, written

__all__ = [
    "Element",
    "Factor",
    "Line",
    "Origin",
    "Origins",
    "Term",
    "described",
    "labels",
    "largest",
    "line",
    "plain",
    "rest",
    "written",
]

"""How a number of a run was computed: the terms whose sum it is, each with the number that it came from.

origins      a run, and an element of one of its tensors → `Origin`
  values       elements of the outputs of ops, of variables and of constants
  cotangents   elements of cotangents: what a backward pass starts with, sends, sums up and returns
  heard        the contents of a trace, by the tensors in it
  local        which elements of an op depend on each other, and by which factors
    formula      the factor as a formula, from the op's rule
described    the whole run as patterns, for a page whose script finds the terms
  patterns     which elements of an op depend on each other, as numbers
labels       the terms of the contributions along the edges of a picture
written      an `Origin` as lines of text, as a teacher would write it on the board
model        all this as plain data

It needs only the trace: ops are run again (`again/`), and their own gradient rules are used.
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

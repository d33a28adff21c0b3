"""Shows how a number in a run was computed: as a sum of terms, each with the numbers from which it was computed.

expansions     a run, and an element of one of its tensors → `Expansion`
  values       elements of the outputs of ops, of variables and of constants
  cotangents   elements of cotangents: what a backward pass starts with, sends, sums and returns
  trace_index  the contents of a trace, indexed by tensor
  local        which elements of an op depend on each other, and with which factors
    formula    the factor as a formula, from the op's rule
described      the whole run as patterns, for a page whose script finds the terms
  patterns     which elements of an op depend on each other, as data
small_tapes    the tape of a small gradient call, which the page's script can compute with other values
labels         the terms of the contributions along the edges of a picture
formatting     an `Expansion` as lines of text, as a teacher would write it on the board
model          these results as plain data

This package needs nothing but the trace, because it runs the ops again (`replay/`) and uses their own gradient rules.
"""

from minitape.terms.described import described
from minitape.terms.expansions import Expansions
from minitape.terms.formatting import TermLine, largest, line, rest, written
from minitape.terms.labels import labels
from minitape.terms.model import Element, Expansion, Factor, Term
from minitape.terms.values import plain

__all__ = [
    "Element",
    "Expansion",
    "Expansions",
    "Factor",
    "Term",
    "TermLine",
    "described",
    "labels",
    "largest",
    "line",
    "plain",
    "rest",
    "written",
]

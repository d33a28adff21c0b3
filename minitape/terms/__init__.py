"""Shows how a number of a run was computed, as a sum of terms, each with the numbers from which it was computed.

expansions     a run, and an element of one of its tensors → `Expansion`
  values       elements of the outputs of ops, of variables and of constants
  cotangents   elements of cotangents: what a backward pass starts with, sends, sums up and returns
  trace_index  the contents of a trace, by the tensors in it
  local        which elements of an op depend on each other, and by which factors
    formula    the factor as a formula, from the op's rule
described      the whole run as patterns, for a page whose script finds the terms
  patterns     which elements of an op depend on each other, as numbers
small_tapes    the tape of a small call, which the page's script computes with other values
labels         the terms of the contributions along the edges of a picture
formatting     an `Expansion` as lines of text, as a teacher would write it on the board
model          all this as plain data

This package needs only the trace, because it runs the ops again (`replay/`) and uses their own gradient rules.
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

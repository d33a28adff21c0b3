"""Audit a trace: recompute everything in it that can be recomputed.

auditing      a trace → Audit
  recomputed  the values and ops that are known so far
  tapes       recomputes which tapes watch and record
  calls       gradient calls in the trace
  backward    recomputes each backward pass
  answers     seeds and results
  numbers     whether values of a trace are equal
report        the result, as data
"""

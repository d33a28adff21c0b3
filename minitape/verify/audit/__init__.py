"""Audit a trace: compute everything in it again that can be computed.

auditing      a trace → Audit
  recomputed  the values and ops known so far
  tapes       which tapes watch and record
  calls       gradient calls in the trace
  backward    recomputes each backward pass
  answers     seeds and results
  numbers     whether values of a trace are equal
report        the result, as data
"""

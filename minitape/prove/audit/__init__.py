"""A trace proven: everything in it that can be computed again, computed again.

auditing     a trace → Audit
  again        an op run again, forward and back
    settings     its settings as minitape's primitives take them
    tensorflow   ops that TensorFlow declares in another way
  known        what is known of values and ops on the way
  tapes        who watches, who records
  calls        gradient calls as the trace tells them
  walks        the account of each walk back
  answers      seeds and results
  numbers      numbers of a trace as arrays, and when they are the same
report       what came of it, as data
"""

"""A trace proven: everything in it that can be computed again, computed again.

auditing     a trace → Audit
  known        what is known of values and ops on the way
  tapes        who watches, who records
  calls        gradient calls as the trace tells them
  walks        the account of each walk back
  answers      seeds and results
  numbers      when numbers of a trace are the same
report       what came of it, as data
"""

"""The ears: in goes what an engine tells while a program runs, out come the events of a trace, one plain dict after the other.

engine                  the ear for minitape: the Tracer
  value_table           small ids in order of appearance, names, each value in numbers
  wording               what the user wrote for each input of an op
  gradient_calls        gradient calls and the walk back; accumulation: what each value was sent so far

Evidence, whatever the engine:

places                  where in the program something happened, numbered
  source, positions     which expression an instruction belongs to, and what the user calls its parts
summary                 a tensor in numbers
provenance_by_mark      what left the engine and came back, known by a mark on it
provenance_by_name      the same where no mark survived, guessed from the names around it

Listening changes no number. It works in the user's process, with NumPy and the standard library, from Python 3.10 on: what is
written needs `trace/writing.py` alone.
"""

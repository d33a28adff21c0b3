"""The ear: in goes what an engine tells while a program runs, out come the events of a trace, one plain dict after the other.

tracer                  the ear: writes down what an engine tells
  value_table           small ids in order of appearance, names, each value in numbers
  wording               what the user wrote for each input of an op
  gradient_calls        gradient calls and the walk back; accumulation: what each value was sent so far

Engines:

engine                  what the ear has to know of one
  minitape, tensorflow/ those that it can hear

Evidence, whatever the engine:

places                  where in the program something happened, numbered
  source, positions     which expression an instruction belongs to, and what the user calls its parts
summary                 a tensor in numbers
provenance/             what left the engine and came back

Listening changes no number. It works in the user's process, with NumPy and the standard library, from Python 3.10 on: what is
written needs `trace/writing.py` alone.
"""

"""The tracer: turns what an engine reports while a program runs into the events of a trace, as plain dicts.

tracer                  writes the events that an engine reports
  value_table           small ids in order of appearance, names, and each value in numbers
  input_expressions     the source text of each input of an op
  gradient_calls        gradient calls and the backward pass; accumulation: the sum of contributions to each value

Engines:

engine                  the interface of an engine
  minitape, tensorflow/ its implementations

Evidence, independent of the engine:

locations               where in the program an event happened, as numbered call sites
  source, code/         the expression of an instruction, and the names of its parts
summary                 a tensor in numbers
provenance/             values that left the engine and re-entered

Tracing does not change any value. It runs in the user's process with NumPy and the standard library, from Python 3.10 on;
writing events needs only `trace/writing.py`.
"""

"""The tracer: turns what an engine reports while a program runs into the events of a trace, as plain dicts.

tracer                  writes the events that an engine reports
  value_table           small ids in order of appearance, names, and the statistics of each value
  input_expressions     the source text of each input of an op
  gradient_calls        gradient calls and the backward pass; accumulation: the sum of contributions to each value

Engines:

engine                  the interface of an engine
  minitape, tensorflow/ its implementations

Evidence, independent of the engine:

locations               the position of an event in the program, as numbered call sites
  source, code/         the expression of an instruction, and the names of its parts
summary                 the statistics of a tensor
provenance/             values that left the engine and re-entered

Tracing does not change any value. It runs in the user's process with NumPy and the standard library, from Python 3.10 on;
writing events needs only `trace/writing.py`.
"""

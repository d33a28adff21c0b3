"""Why is my gradient None, zero or NaN? Turns a trace into a report: each lost gradient with its cause, its line and a fix.

explain        the whole analysis: for each gradient call, what it returned and why
  at_source    None: the tape does not watch the source itself
  breaks       None: the path that breaks the fewest edges
  cut_sets     None: what else cuts the source off, and which causes must be fixed together
  no_path/     no path: what the user probably meant
  numbers/     zero, NaN: the first step of the backward pass that made one, or contributions that cancel
               incomplete: a contribution that the tape did not record
notes/         gradients that came back but are of little use: they vanish, explode, or change nothing
flow/          the graph of all values: what was computed from what, on a tape or not
causes/        one module for each family of causes, with each cause declared once; their texts are in causes/texts/
report         the findings as data; over_time: a loop as a few ranges of iterations; answer: the explanation as an object, with
its text
texts/         the texts around the findings
pages/         the full explanation of each code

The package reads a trace and nothing else. README.md explains how it works.
"""

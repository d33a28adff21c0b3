"""Why is my gradient None, zero or nan? In goes a trace, out comes a report: each lost gradient, its cause, its line and a fix.

explain        the way through: for each gradient call what came back, and why
  at_source    None: the tape does not follow the source itself
  breaks       None: the path that breaks the fewest edges
  cut_sets     None: what else cuts it off, and which causes must be mended together
  unconnected  no path: what the user probably meant
  numbers/     zero, NaN: the first step back that made one, or shares that add up to nothing
               too little: a share that was lost beside the tape
notes/         gradients that came back and are of little use: they fade, explode, or move nothing
flow/          the graph of all values: what came from what, on the tape or beside it
causes/        one file for a family of causes; each cause declared once
report         what is found, as data; over_time: a loop in a few stretches; answer: as text for a program that asks
pages/         the long story of each code

It reads a trace and nothing else. README.md tells how it is done.
"""

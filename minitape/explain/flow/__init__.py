"""The flow graph: in goes a trace, out comes every value, what it came from, and what each tape saw of it.

graph          the graph (edges: one step of it), and what can be asked of it
calls          what became of a tape, of a value that left, and of each question for a gradient
updates        which gradients moved a variable, or what was computed from it
reachability   which sources lie behind which values, in one pass for all
magnitudes     how large the numbers of a value are
program/       what the program's text says where no event happened
"""

"""The flow graph: turns a trace into the graph of every value, what it was computed from, and what each tape recorded of it.

graph          the graph (edges: one step of it), and its queries
calls          the life of a tape, of a value that left, and of each gradient call
updates        which variables and values depend on a gradient
reachability   which sources are behind which values, in one pass for all
magnitudes     the size of the elements of a value
program/       the text of the program, for what no event shows
"""

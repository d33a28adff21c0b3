"""The flow graph of a trace: every value, what it was computed from, and which tapes recorded it.

graph          the graph (edges: one step of it), and its queries
calls          what happened to each tape, the values that left TensorFlow, and the gradient calls
updates        which gradients changed a variable, or a value computed from it
reachability   which sources each value was computed from, in one pass for all
magnitudes     how large the elements of a value are
program/       what the program's text shows where no event happened
"""

"""Nothing leads from the source to the target: what the user probably meant.

unconnected  the answer, and where to point
twins        another object than the one asked for was used
left_out     a branch that was not taken, a method that a subclass has replaced
"""

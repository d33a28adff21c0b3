"""Program repair: for each cause that a rule can fix, a syntax tree without it.

rules      the rules of each cause
changes    what a rule changed, in words
by_moving  move a statement into the `with` block, or open a block earlier
of_stores  tensors in place of variables that the program stores into
of_keras   calls of models and metrics
of_twins   a target that was computed from another object
"""

"""Program repair: for each cause that a rule can fix, a syntax tree without the mistake.

rules      the rules of each cause
changes    descriptions of what a rule changed
by_moving  move a statement into the `with` block, or open a block earlier
of_stores  tensors in place of variables in which the program stores values
of_keras   calls of models and metrics
of_twins   a target that was computed from another object
"""

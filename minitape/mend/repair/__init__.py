"""Program repair: for each cause that a rule can mend, a syntax tree without it.

rules      which mends a cause has
by_moving  a statement into the `with` block, or a block opened earlier
of_stores  tensors in place of variables that are written to
of_keras   calls of models and metrics
of_twins   another object than the one asked for
"""

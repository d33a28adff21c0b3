"""Reduces the drawing of a whole run to one that fits on a page, and reports what is hidden.

`rollup`     the steps, from harmless to drastic, until there are few enough nodes
fold         several nodes become one: the part that all steps share
iterations   the iterations of loops in which each op ran
loops        ops at the same place of each iteration become one node
functions    calls of functions and layers become one node each
stubs        values that are used often become a pill at each use
"""

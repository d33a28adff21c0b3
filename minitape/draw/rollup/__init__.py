"""Reduces the drawing of a whole run to a drawing that fits on a page, and reports what is hidden.

`rollup`     the steps, from harmless to drastic, until there are few enough nodes
fold         several nodes become one; all steps share this
iterations   the iterations of loops in which each op ran
loops        ops at the same position of each iteration become one node
functions    each call of a function or layer becomes one node
stubs        values that are used often become a pill at each use
"""

"""In goes a drawing of a whole run, out comes one that fits on a page, and sentences on what it hides.

rollup       the steps, from harmless to harsh, until there are few enough cards
fold         several cards become one: the part that all steps share
iterations   in which turn of which loop each op ran
loops        what ran at the same place in each turn becomes one card
functions    calls of functions and layers become one card each
stubs        what is used again and again becomes a pill at each use
"""

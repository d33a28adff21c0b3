"""No path leads from the source to the target: what the user probably meant.

unconnected  the finding, and the line to point at
twins        an object other than the source was used
weighing     which of several matching causes has the most support
left_out     a branch that did not run, a method that a subclass overrides
"""

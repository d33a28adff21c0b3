"""Nothing leads from the source to the target: what the user probably meant.

unconnected  the answer, and where to point
twins        another object than the one asked for was used
never_ran    a loop ran zero times, a list of sources was empty
"""

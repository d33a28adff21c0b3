"""What goes into the words of a cause: from what the user wrote to what to write instead.

rewriting  an expression said otherwise
storing    a store into a variable, as the tensor it should have been
stopping   which side of a difference is to be held back
hits       a count of hits, and the loss to learn from in its place
kept       a value that a cache or a store hands out again
dying      which update killed a unit
"""

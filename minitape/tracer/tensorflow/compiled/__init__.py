"""Functions that TensorFlow compiles.

autograph    the maps from the code that AutoGraph generates to the user's source
as_is        which gradients are None while functions stay compiled
"""

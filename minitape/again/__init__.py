"""Ops of a trace, run again.

running      an op run again, forward and back
settings     its settings as minitape's primitives take them
tensorflow   ops that TensorFlow declares in another way
numbers      the numbers of a trace as arrays
reason       why something could not be computed again
"""

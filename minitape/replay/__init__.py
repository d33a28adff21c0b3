"""Runs the ops of a trace again.

running      an op run again, forward and backward
settings     its attributes as minitape's primitives take them
tensorflow   ops that TensorFlow declares differently
numbers      the numbers of a trace as arrays
reason       why something could not be computed again
"""

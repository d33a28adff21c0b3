"""Runs the ops of a trace again.

running      an op run again, forward and backward
settings     its attributes in the form that minitape's primitives accept
tensorflow   ops that TensorFlow declares differently
numbers      the numbers of a trace as arrays
reason       why something could not be computed again
"""

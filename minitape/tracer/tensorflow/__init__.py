"""Traces TensorFlow: hooks into its Python code while a program runs, and emits the same events as minitape's engine.

engine       TensorFlow's implementation of `Engine`: installs and removes all hooks
  internals  the private names of TensorFlow that are used, each checked before use; UntraceableError
  values     tensors, variables and slices: their kinds, numbers and NumPy arrays
  tapes      which tape watches which value, computed in parallel to TensorFlow's own tapes
  forward    ops: their inputs, constants, and the variables that are read and assigned
  settings   the attributes of an op (axes, shapes) as opposed to its values, and the kind of its gradient
  backward   gradient calls and the steps of the backward pass
  jacobian   the backward pass of a Jacobian, row by row
  exits      values that leave TensorFlow for NumPy and Python
  datasets   values that go through `tf.data`: elements are constants made from values that left TensorFlow earlier
  libraries  Keras and optimizers, whose internal computations are not traced as the program's own ops
  notes      notes about what ran differently because of tracing, and what was not traced
  compiled/  functions that TensorFlow compiles

This package is imported only after a program has imported TensorFlow. It does not change what TensorFlow computes.
"""

from minitape.tracer.tensorflow.engine import TensorFlow
from minitape.tracer.tensorflow.internals import UntraceableError

__all__ = ["TensorFlow", "UntraceableError"]

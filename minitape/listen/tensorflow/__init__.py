"""TensorFlow as an ear sees it: in goes what TensorFlow lets one hear while it computes, out come the engine's events.

engine      TensorFlow: the face that it shows, and all hooks put in and taken out
  privates  the private names of TensorFlow in use, each looked for before it is needed; Unheard
  values    tensors, variables and slices: what is what, its number, its NumPy array
  tapes     which tape watches what, reckoned beside TensorFlow's own
  forward   ops: what they were given, constants, variables read and assigned
  settings  what of an op is a setting and no value: axes, shapes, attributes; which kind of gradient it has
  backward  gradient calls and the steps of the walk back
  jacobian  the walk behind a jacobian, row by row
  exits     values that leave for NumPy and Python

This page is entered when a program has imported TensorFlow, and by nobody else. What TensorFlow computes does not change by it.
"""

from minitape.listen.tensorflow.engine import TensorFlow
from minitape.listen.tensorflow.privates import Unheard

__all__ = ["TensorFlow", "Unheard"]

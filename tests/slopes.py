"""Functions that compute a gradient in one line of a test."""

from collections.abc import Callable
from typing import Any

import minitape as tf


def gradient(function: Callable[..., Any], *at: Any, dtype: Any = tf.float64) -> Any:
    """Return the gradients with respect to all arguments, as arrays or None; for a single argument, only its gradient."""
    xs = [tf.constant(x, dtype) for x in at]
    with tf.GradientTape() as tape:
        for x in xs:
            tape.watch(x)
        y = function(*xs)
    found = [None if each is None else each.numpy() for each in tape.gradient(y, xs)]
    return found if len(found) > 1 else found[0]


def second_gradient(function: Callable[[Any], Any], at: Any, dtype: Any = tf.float64) -> Any:
    """Return the gradient of the gradient, as an array or None."""
    x = tf.constant(at, dtype)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        derivative = inner.gradient(y, x)
    found = outer.gradient(derivative, x)
    return None if found is None else found.numpy()

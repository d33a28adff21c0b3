"""Tapes, the backward pass, and functions built on it; `tf.autodiff` exports some of them.

GradientTape                         reverse mode
ForwardAccumulator                   forward mode
gradients_function, make_vjp ...     functions that return gradient functions
register_op                          define your own op

Source: https://www.tensorflow.org/api_docs/python/tf/autodiff
"""

from minitape.autodiff.forward import ForwardAccumulator
from minitape.autodiff.functional import (
    gradients_function,
    implicit_grad,
    implicit_gradients,
    implicit_val_and_grad,
    implicit_value_and_gradients,
    make_vjp,
    val_and_grad_function,
    value_and_gradients_function,
)
from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.register import register_op
from minitape.core.declaration import no_gradient, not_registered
from minitape.lazy_namespace import helpful_getattr
from minitape.ops.broadcasting import sum_to

__getattr__ = helpful_getattr(__name__)

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
    "gradients_function",
    "implicit_grad",
    "implicit_gradients",
    "implicit_val_and_grad",
    "implicit_value_and_gradients",
    "make_vjp",
    "no_gradient",
    "not_registered",
    "register_op",
    "sum_to",
    "val_and_grad_function",
    "value_and_gradients_function",
]

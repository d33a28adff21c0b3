"""`tf.test`: checking gradients."""

from minitape.autodiff.check import compute_gradient

__all__ = ["compute_gradient"]

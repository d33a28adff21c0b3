"""`tf.autograph.experimental`: decorators for a conversion that minitape does not do.

Source: https://www.tensorflow.org/api_docs/python/tf/autograph/experimental
"""

from collections.abc import Callable
from typing import Any

from minitape.lazy_namespace import helpful_getattr


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Mark a function that TensorFlow must not convert; no effect in minitape. Without `func`, a decorator is returned.

    Source: https://www.tensorflow.org/api_docs/python/tf/autograph/experimental/do_not_convert
    """
    return do_not_convert if func is None else func


__getattr__ = helpful_getattr(__name__)

__all__ = ["do_not_convert"]

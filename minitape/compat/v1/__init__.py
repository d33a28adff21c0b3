"""`tf.compat.v1`: the names of TensorFlow 1 that eager programs use.

It contains all names of `tf`, with the meaning of TensorFlow 2; the old names of renamed functions; optimizers without
Keras (`train`), and `logging`. The errors for graph functions (Session, placeholder) say what replaced them.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1
"""

import importlib
from typing import Any

from minitape import api
from minitape.compat.v1 import logging, nn, train
from minitape.lazy_namespace import first_use, helpful_getattr
from minitape.ops import random

_NAMESPACES_OF_2 = {"autograph", "config", "data", "image", "keras", "signal", "test", "version"}
# TensorFlow 1's `where` does not broadcast, and selects rows for a condition of rank 1.
_OF_2 = [name for name in api.__all__ if name not in ("nn", "where")]
_emit = helpful_getattr(__name__)


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Run each op when it is called. minitape always does this.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/enable_eager_execution
    """


def enable_v2_behavior() -> None:
    """Do nothing, because minitape always behaves like TensorFlow 2.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/enable_v2_behavior
    """


def enable_resource_variables() -> None:
    """Use variables as in TensorFlow 2. minitape always does this.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/enable_resource_variables
    """


def set_random_seed(seed: int) -> None:
    """Call `tf.random.set_seed`, which has this name in TensorFlow 1.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/set_random_seed
    """
    random.set_seed(seed)


def __getattr__(name: str) -> Any:
    if name in _OF_2:
        return getattr(api, name)
    if name in _NAMESPACES_OF_2 or name in api.__optional__:
        return first_use(name)
    found = None if name.startswith("_") else _now_called(name)
    return _emit(name) if found is None else found


def _now_called(name: str) -> Any:
    """Return the current version of a function that TensorFlow 1 named differently, or None if minitape does not have it."""
    from minitape.unsupported.messages import later  # only the old names need this import

    path = later(f"tf.{name}")
    if path is None:
        return None
    namespace, _, last = path.rpartition(".")
    return getattr(importlib.import_module(namespace.replace("tf", "minitape", 1)), last)


__all__ = [
    *_OF_2,
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_v2_behavior",
    "logging",
    "nn",
    "set_random_seed",
    "train",
]

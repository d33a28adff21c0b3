"""`tf.config.optimizer`: how TensorFlow optimizes graphs. minitape has no graphs, but settings can be read back.

Source: https://www.tensorflow.org/api_docs/python/tf/config/optimizer
"""

from typing import Any

from minitape.config.running import settings
from minitape.errors import TapeValueError
from minitape.lazy_namespace import helpful_getattr

_ALWAYS_REPORTED = {"disable_model_pruning": False, "disable_meta_optimizer": False}


def get_jit() -> str:
    """Return the value set by `set_jit`, which is "autoclustering" or ""."""
    return settings.jit


def set_jit(enabled: bool | str) -> None:
    """Set whether TensorFlow compiles functions; minitape never compiles.

    Args:
        enabled: True or "autoclustering" to turn compilation on, False or "" to turn it off.

    Raises:
        ValueError: `enabled` has another value.
    """
    if enabled not in (True, False, "autoclustering", ""):
        raise TapeValueError(
            f"`set_jit` requires `True`, `False` or `'autoclustering'`, but got {enabled!r}.",
            fix='use `tf.config.optimizer.set_jit(True)`, or pass `"autoclustering"`',
        )
    settings.jit = "autoclustering" if enabled else ""


def get_experimental_options() -> dict[str, Any]:
    """Return the options that were set, and two that TensorFlow always returns."""
    return {**_ALWAYS_REPORTED, **settings.optimizer_options}


def set_experimental_options(options: dict[str, Any]) -> None:
    """Set options of TensorFlow's graph optimizer; they have no effect in minitape."""
    settings.optimizer_options.update(options)


__getattr__ = helpful_getattr(__name__)

__all__ = ["get_experimental_options", "get_jit", "set_experimental_options", "set_jit"]

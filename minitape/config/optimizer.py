"""`tf.config.optimizer`: how TensorFlow rewrites graphs. Here there are none; what is set is kept, to be read back.

Source: https://www.tensorflow.org/api_docs/python/tf/config/optimizer
"""

from typing import Any

from minitape.config.running import settings
from minitape.errors import TapeValueError
from minitape.lazy_namespace import telling

_ALWAYS_TOLD = {"disable_model_pruning": False, "disable_meta_optimizer": False}


def get_jit() -> str:
    """What `set_jit` was told: "autoclustering", or nothing."""
    return settings.jit


def set_jit(enabled: bool | str) -> None:
    """Let TensorFlow compile; minitape never does.

    Args:
        enabled: True, False, "autoclustering" (the same as True) or "" (as False).

    Raises:
        ValueError: it is another word.
    """
    if enabled not in (True, False, "autoclustering", ""):
        raise TapeValueError(
            f"`set_jit` needs True, False or 'autoclustering', but got {enabled!r}.",
            fix='tf.config.optimizer.set_jit(True), or "autoclustering"',
        )
    settings.jit = "autoclustering" if enabled else ""


def get_experimental_options() -> dict[str, Any]:
    """What was set, and two options that TensorFlow always tells."""
    return {**_ALWAYS_TOLD, **settings.optimizer_options}


def set_experimental_options(options: dict[str, Any]) -> None:
    """Settings of TensorFlow's rewriting of graphs."""
    settings.optimizer_options.update(options)


__getattr__ = telling(__name__)

__all__ = ["get_experimental_options", "get_jit", "set_experimental_options", "set_jit"]

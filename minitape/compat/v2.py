"""`tf.compat.v2`: another name for `tf`.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v2
"""

from typing import Any

from minitape import api
from minitape.lazy_namespace import first_use


def enable_v2_behavior() -> None:
    """Do nothing, because minitape always behaves like TensorFlow 2.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/enable_v2_behavior
    """


def __getattr__(name: str) -> Any:
    return getattr(api, name) if name in api.__all__ else first_use(name)


__all__ = [*api.__all__, "enable_v2_behavior"]

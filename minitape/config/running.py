"""Settings for how ops and functions run. In minitape, they run immediately on the CPU, but settings can be read back.

Source: https://www.tensorflow.org/api_docs/python/tf/config
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class RuntimeSettings:
    """Settings of a program that have no effect in minitape."""

    functions_run_eagerly: bool = False
    soft_device_placement: bool = True
    tensor_float_32: bool = True
    jit: str = ""
    inter_op_threads: int = 0
    intra_op_threads: int = 0
    optimizer_options: dict[str, Any] = field(default_factory=dict)


settings = RuntimeSettings()


def functions_run_eagerly() -> bool:
    """Return the value set by `run_functions_eagerly`; minitape ignores it and runs every `tf.function` as Python code.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/functions_run_eagerly
    """
    return settings.functions_run_eagerly


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Set whether TensorFlow runs each `tf.function` as Python code; minitape always does.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/run_functions_eagerly
    """
    settings.functions_run_eagerly = bool(run_eagerly)


def get_soft_device_placement() -> bool:
    """Return the value set by `set_soft_device_placement`.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/get_soft_device_placement
    """
    return settings.soft_device_placement


def set_soft_device_placement(enabled: bool) -> None:
    """Set whether ops may run on another device if their own is missing; minitape always runs ops on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/set_soft_device_placement
    """
    settings.soft_device_placement = bool(enabled)

"""How ops and functions run: at once, on the CPU. What is set is kept, to be read back.

Source: https://www.tensorflow.org/api_docs/python/tf/config
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Settings:
    """What a program has set, and minitape has no use for."""

    functions_run_eagerly: bool = False
    soft_device_placement: bool = True
    tensor_float_32: bool = True
    jit: str = ""
    inter_op_threads: int = 0
    intra_op_threads: int = 0
    optimizer_options: dict[str, Any] = field(default_factory=dict)


settings = Settings()


def functions_run_eagerly() -> bool:
    """What `run_functions_eagerly` was told. Here each `tf.function` runs as it is written, whatever that was.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/functions_run_eagerly
    """
    return settings.functions_run_eagerly


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Let TensorFlow run each `tf.function` as it is written; minitape always does.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/run_functions_eagerly
    """
    settings.functions_run_eagerly = bool(run_eagerly)


def get_soft_device_placement() -> bool:
    """What `set_soft_device_placement` was told.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/get_soft_device_placement
    """
    return settings.soft_device_placement


def set_soft_device_placement(enabled: bool) -> None:
    """Let ops run elsewhere where a device is missing; minitape always does, on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/set_soft_device_placement
    """
    settings.soft_device_placement = bool(enabled)

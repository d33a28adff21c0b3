"""`tf.config.experimental`: functions that mostly concern the memory of GPUs, which minitape does not use.

Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental
"""

from typing import Any, NoReturn

from minitape.config.devices import (
    LogicalDeviceConfiguration as VirtualDeviceConfiguration,
)
from minitape.config.devices import (
    PhysicalDevice,
    check,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_visible_devices,
)
from minitape.config.devices import (
    get_logical_device_configuration as get_virtual_device_configuration,
)
from minitape.config.devices import (
    set_logical_device_configuration as set_virtual_device_configuration,
)
from minitape.config.running import settings
from minitape.core.arguments import flag
from minitape.errors import TapeValueError
from minitape.lazy_namespace import helpful_getattr


def set_memory_growth(device: PhysicalDevice, enable: bool) -> NoReturn:
    """Raise an error for any device, as TensorFlow does for devices that are not GPUs.

    Raises:
        ValueError: always; the loop `for gpu in tf.config.list_physical_devices("GPU")` never calls this function.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/set_memory_growth
    """
    check(device)
    raise TapeValueError(
        "Cannot set memory growth on non-GPU devices.",
        fix='write `for gpu in tf.config.list_physical_devices("GPU"): ...`',
    )


def get_memory_growth(device: PhysicalDevice) -> NoReturn:
    """Raise an error for any device, as TensorFlow does for devices that are not GPUs.

    Raises:
        ValueError: always.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/get_memory_growth
    """
    set_memory_growth(device, True)


def get_memory_info(device: str) -> NoReturn:
    """Raise an error for any device, because the memory in use is unknown for the CPU, and minitape uses no GPU.

    Raises:
        ValueError: always.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/get_memory_info
    """
    raise TapeValueError(
        f"Allocator stats not available for device {device!r}: minitape uses the memory of the Python process.",
        fix="use `tracemalloc.get_traced_memory()`",
    )


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Return what is known about a device, which is nothing for the CPU.

    Raises:
        ValueError: the argument is not a device of this machine.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/get_device_details
    """
    check(device)
    return {}


def enable_op_determinism() -> None:
    """Request that ops compute the same numbers in each run. In minitape, they always do.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/enable_op_determinism
    """


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Allow GPUs to round products to fewer digits; this has no effect on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/enable_tensor_float_32_execution
    """
    settings.tensor_float_32 = flag(enabled, "enabled")


def tensor_float_32_execution_enabled() -> bool:
    """Return the value set by `enable_tensor_float_32_execution`.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/experimental/tensor_float_32_execution_enabled
    """
    return settings.tensor_float_32


__getattr__ = helpful_getattr(__name__)

__all__ = [
    "VirtualDeviceConfiguration",
    "enable_op_determinism",
    "enable_tensor_float_32_execution",
    "get_device_details",
    "get_memory_growth",
    "get_memory_info",
    "get_virtual_device_configuration",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_virtual_device_configuration",
    "set_visible_devices",
    "tensor_float_32_execution_enabled",
]

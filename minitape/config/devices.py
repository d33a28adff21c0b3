"""The devices of `tf.config`, which are a single CPU.

    list_physical_devices, list_logical_devices, get_visible_devices     return the CPU, or an empty list for other types
    set_visible_devices, set_logical_device_configuration                raise an error for what is not possible

Source: https://www.tensorflow.org/api_docs/python/tf/config
"""

from typing import Any, NamedTuple

from minitape.errors import TapeRuntimeError, TapeValueError


class PhysicalDevice(NamedTuple):
    """A device of the machine.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/PhysicalDevice
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as ops use it.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/LogicalDevice
    """

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """A configuration that describes how to divide a physical device.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/LogicalDeviceConfiguration
    """

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_LOGICAL_CPU = LogicalDevice("/device:CPU:0", "CPU")


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices of a type, "CPU" or "GPU", or all devices; the only device is one CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/list_physical_devices
    """
    return [_CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """Return the devices as ops use them; the only device is one CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/list_logical_devices
    """
    return [_LOGICAL_CPU] if device_type in (None, "CPU") else []


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices that ops may use; the only device is one CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/get_visible_devices
    """
    return list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Choose the devices that ops may use. Hiding GPUs has no effect; the CPU cannot be hidden.

    Raises:
        ValueError: a device is not a device of this machine.
        RuntimeError: the call would hide the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/set_visible_devices
    """
    chosen = (
        list(devices)
        if isinstance(devices, list | tuple) and not isinstance(devices, PhysicalDevice)
        else [devices]
    )
    for device in chosen:
        check(device)
    if _CPU not in chosen and device_type in (None, "CPU"):
        raise TapeRuntimeError(
            "The CPU cannot be hidden, because it is the only device.",
            fix='use `tf.config.set_visible_devices([], "GPU")`, which hides the GPUs',
        )


def get_logical_device_configuration(device: PhysicalDevice) -> None:
    """Return how a device is divided, which is always None because minitape does not divide devices.

    Raises:
        ValueError: the argument is not a device of this machine.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/get_logical_device_configuration
    """
    check(device)


def set_logical_device_configuration(device: PhysicalDevice, logical_devices: Any) -> None:
    """Raise an error, because minitape has one CPU, which it cannot divide.

    Raises:
        ValueError: the argument is not a device of this machine.
        RuntimeError: the device exists; TensorFlow raises this error after the first op.

    Source: https://www.tensorflow.org/api_docs/python/tf/config/set_logical_device_configuration
    """
    check(device)
    raise TapeRuntimeError(
        "Virtual devices cannot be modified: minitape has one CPU, which cannot be divided.",
        fix='run this line only under `if tf.config.list_physical_devices("GPU"):`',
    )


def check(device: Any) -> None:
    """Raise ValueError unless the argument is a device of this machine."""
    if not isinstance(device, PhysicalDevice) or device != _CPU:
        raise TapeValueError(
            f"Unrecognized device: {device!r}",
            fix="use one of `tf.config.list_physical_devices()`, because minitape computes on the CPU",
        )

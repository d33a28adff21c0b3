"""`tf.test`: checking gradients, and what this build can do."""

from minitape.autodiff.check import compute_gradient
from minitape.lazy_namespace import telling


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None
) -> bool:
    """False: minitape computes on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_gpu_available
    """
    return False


def gpu_device_name() -> str:
    """The name of the GPU: there is none, so it is empty.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/gpu_device_name
    """
    return ""


def is_built_with_cuda() -> bool:
    """False: NumPy computes.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_cuda
    """
    return False


def is_built_with_rocm() -> bool:
    """False: NumPy computes.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_rocm
    """
    return False


def is_built_with_gpu_support() -> bool:
    """False: NumPy computes.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_gpu_support
    """
    return False


def is_built_with_xla() -> bool:
    """False, where TensorFlow's is True: nothing is compiled.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_xla
    """
    return False


__getattr__ = telling(__name__)

__all__ = [
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
]

"""`tf.test`: checks of gradients, and properties of this build."""

from minitape.autodiff.check import compute_gradient
from minitape.lazy_namespace import helpful_getattr


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None
) -> bool:
    """Return False, because minitape computes on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_gpu_available
    """
    return False


def gpu_device_name() -> str:
    """Return an empty string, because minitape uses no GPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/gpu_device_name
    """
    return ""


def is_built_with_cuda() -> bool:
    """Return False, because NumPy computes on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_cuda
    """
    return False


def is_built_with_rocm() -> bool:
    """Return False, because NumPy computes on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_rocm
    """
    return False


def is_built_with_gpu_support() -> bool:
    """Return False, because NumPy computes on the CPU.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_gpu_support
    """
    return False


def is_built_with_xla() -> bool:
    """Return False, unlike TensorFlow, because nothing is compiled.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/is_built_with_xla
    """
    return False


__getattr__ = helpful_getattr(__name__)

__all__ = [
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
]

"""`tf.config.threading`: the number of threads that TensorFlow uses. It does not affect NumPy, but settings can be read back.

Source: https://www.tensorflow.org/api_docs/python/tf/config/threading
"""

from minitape.config.running import settings
from minitape.lazy_namespace import helpful_getattr


def get_inter_op_parallelism_threads() -> int:
    """Return the value that was set; 0 means all processors."""
    return settings.inter_op_threads


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Set how many ops run at the same time; minitape runs only one op at a time."""
    settings.inter_op_threads = num_threads


def get_intra_op_parallelism_threads() -> int:
    """Return the value that was set; 0 means all processors."""
    return settings.intra_op_threads


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Set how many threads one op may use; minitape leaves this to NumPy (OPENBLAS_NUM_THREADS)."""
    settings.intra_op_threads = num_threads


__getattr__ = helpful_getattr(__name__)

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]

"""`tf.config.threading`: how many threads TensorFlow may use. NumPy's are its own; what is set is kept, to be read back.

Source: https://www.tensorflow.org/api_docs/python/tf/config/threading
"""

from minitape.config.running import settings
from minitape.lazy_namespace import telling


def get_inter_op_parallelism_threads() -> int:
    """What was set; 0 for "as many as there are"."""
    return settings.inter_op_threads


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """How many ops run at a time; here one after the other."""
    settings.inter_op_threads = num_threads


def get_intra_op_parallelism_threads() -> int:
    """What was set; 0 for "as many as there are"."""
    return settings.intra_op_threads


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads one op may use; here that is NumPy's affair (OPENBLAS_NUM_THREADS)."""
    settings.intra_op_threads = num_threads


__getattr__ = telling(__name__)

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]

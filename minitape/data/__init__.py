"""`tf.data`: streams of elements, computed in memory one at a time.

    minibatches = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32)
    for x, y in minibatches: ...

dataset.py lists the modules, and docs/data.md lists the differences from TensorFlow.
"""

from minitape.data import experimental
from minitape.data.dataset import Dataset
from minitape.data.experimental import AUTOTUNE
from minitape.data.options import Options, ThreadingOptions
from minitape.data.pipeline import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    DatasetSpec,
    Iterator,
    NumpyIterator,
)
from minitape.lazy_namespace import helpful_getattr, install_helpful_getattr

install_helpful_getattr(__name__)
__getattr__ = helpful_getattr(__name__)

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "Iterator",
    "NumpyIterator",
    "Options",
    "ThreadingOptions",
    "experimental",
]

"""`tf.data.experimental`: the functions that programs still use, most of which are now methods of Dataset."""

from collections.abc import Callable
from typing import Any

from minitape.core.tensor import Tensor
from minitape.data.dataset import Dataset
from minitape.data.options import AutotuneOptions, DistributeOptions, OptimizationOptions
from minitape.data.pipeline import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Pass,
    dataset_given,
    whole,
)
from minitape.errors import FailedPreconditionError
from minitape.lazy_namespace import helpful_getattr

AUTOTUNE = -1

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "AutotuneOptions",
    "DistributeOptions",
    "OptimizationOptions",
    "assert_cardinality",
    "cardinality",
    "prefetch_to_device",
]

__getattr__ = helpful_getattr(__name__)


def cardinality(dataset: Dataset) -> Tensor:
    """Return the number of elements as an int64 tensor, or -1 for an endless dataset, or -2 if the number is unknown.

    Args:
        dataset: A dataset.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/cardinality
    """
    return dataset_given(dataset).cardinality()


def assert_cardinality(expected_cardinality: Any) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply` that sets the number of elements, if minitape cannot infer the number.

    Args:
        expected_cardinality: The number of elements; -1 for an endless dataset.

    Returns:
        A function that maps a dataset to a dataset.

    Raises:
        FailedPreconditionError: there are more or fewer elements (raised during iteration).

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/assert_cardinality
    """
    expected = whole(expected_cardinality)

    def counted(dataset: Dataset) -> Dataset:
        def elements() -> Pass:
            number = 0
            for number, element in enumerate(dataset._elements(), 1):
                if 0 <= expected < number:
                    raise _miscounted(expected, "more")
                yield element
            if number < expected or expected == INFINITE_CARDINALITY:
                raise _miscounted(expected, str(number))

        return dataset._then("_AssertCardinalityDataset", elements, cardinality=expected)

    return counted


def _miscounted(expected: int, found: str) -> FailedPreconditionError:
    wanted = "an infinite number of" if expected == INFINITE_CARDINALITY else str(expected)
    return FailedPreconditionError(
        f"Input dataset was expected to contain {wanted} elements but contained {found}."
    )


def prefetch_to_device(device: str, buffer_size: Any = None) -> Callable[[Dataset], Dataset]:
    """Return a transformation for `dataset.apply` that leaves the elements unchanged, because the CPU is the only device.

    Args:
        device: Ignored.
        buffer_size: Ignored.

    Returns:
        A function that maps a dataset to a dataset.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/prefetch_to_device
    """
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)

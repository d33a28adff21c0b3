"""`tf.data.experimental`: the few that programs use. Most became methods of Dataset long ago."""

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
from minitape.lazy_namespace import telling

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

__getattr__ = telling(__name__)


def cardinality(dataset: Dataset) -> Tensor:
    """How many elements a pass has, as an int64 tensor; -1 without end, -2 if nobody knows.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/cardinality
    """
    return dataset_given(dataset).cardinality()


def assert_cardinality(expected_cardinality: Any) -> Callable[[Dataset], Dataset]:
    """For `dataset.apply`: say how many elements there are, where nobody can know.

    Raises:
        FailedPreconditionError: during a pass: there are more, or fewer.

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
    """For `dataset.apply`: the same elements. There is one device, the CPU.

    Args:
        device: Ignored.
        buffer_size: As in `prefetch`.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/prefetch_to_device
    """
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)

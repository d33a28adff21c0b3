"""Batches that are made when they are asked for, and what is in one."""

import itertools
from collections.abc import Iterator
from typing import Any

from minitape.errors import TapeValueError


class PyDataset:
    """Batches by number: a subclass says how many there are (`__len__`) and makes the one asked for (`__getitem__`).

    Args:
        workers: Accepted: batches are made one after the other here, whatever it says.
        use_multiprocessing: Accepted, with no effect, too.
        max_queue_size: Accepted, with no effect, too.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/PyDataset
    """

    def __init__(
        self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10
    ) -> None:
        self.workers = workers
        self.use_multiprocessing, self.max_queue_size = use_multiprocessing, max_queue_size

    def __getitem__(self, index: int) -> Any:
        """Batch number `index`: x, (x, y) or (x, y, sample_weight)."""
        raise NotImplementedError(f"{type(self).__name__} has no `__getitem__(self, index)`.")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} has no `__len__(self)`.")

    @property
    def num_batches(self) -> int | None:
        """How many batches an epoch has; None, of a subclass, for batches without end."""
        return len(self)

    def __iter__(self) -> Iterator[Any]:
        count = self.num_batches
        numbers = itertools.count() if count is None else range(count)
        return (self[index] for index in numbers)

    def on_epoch_begin(self) -> None:
        """Called before each epoch; for a subclass to fill."""

    def on_epoch_end(self) -> None:
        """Called after each epoch; for a subclass to fill, to shuffle for example."""


Sequence = PyDataset


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """What a batch holds as x, y and weights; what it does not hold is None.

    Args:
        data: x, or a tuple (x,), (x, y) or (x, y, sample_weight).

    Raises:
        ValueError: a tuple of another length.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/unpack_x_y_sample_weight
    """
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if not 1 <= len(data) <= 3:
        raise TapeValueError(
            f"A batch is x, (x, y) or (x, y, sample_weight). Received a tuple of {len(data)}.",
            fix="(x, y)",
        )
    x, y, weights = (*data, None, None)[:3]
    return x, y, weights


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """x, y and weights as a batch: the inverse of `unpack_x_y_sample_weight`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/pack_x_y_sample_weight
    """
    if y is None:
        return (x,) if isinstance(x, tuple | list) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)

"""Create batches on demand, and split batches into their parts."""

import itertools
from collections.abc import Iterator
from typing import Any

from minitape.errors import TapeValueError


class PyDataset:
    """Base class of data sets of batches. Subclasses define `__len__` (the number of batches) and `__getitem__`.

    Args:
        workers: Ignored, because batches are created one after the other.
        use_multiprocessing: Ignored.
        max_queue_size: Ignored.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/PyDataset
    """

    def __init__(
        self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10
    ) -> None:
        self.workers = workers
        self.use_multiprocessing, self.max_queue_size = use_multiprocessing, max_queue_size

    def __getitem__(self, index: int) -> Any:
        """Return a batch. Subclasses define this method.

        Args:
            index: Index of the batch, starting at 0.

        Returns:
            x, (x, y) or (x, y, sample_weight).

        Raises:
            NotImplementedError: the class does not define `__getitem__`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `__getitem__(self, index)`.")

    def __len__(self) -> int:
        raise NotImplementedError(f"`{type(self).__name__}` has no `__len__(self)`.")

    @property
    def num_batches(self) -> int | None:
        """Return the number of batches in an epoch; a subclass may return None for an infinite data set."""
        return len(self)

    def __iter__(self) -> Iterator[Any]:
        count = self.num_batches
        numbers = itertools.count() if count is None else range(count)
        return (self[index] for index in numbers)

    def on_epoch_begin(self) -> None:
        """Called before each epoch; does nothing unless a subclass overrides it."""

    def on_epoch_end(self) -> None:
        """Called after each epoch; a subclass may override it, for example to shuffle."""


Sequence = PyDataset


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """Split a batch into inputs, targets and weights.

    Args:
        data: x, or a tuple (x,), (x, y) or (x, y, sample_weight).

    Returns:
        A tuple (x, y, sample_weight), with None for each part that the batch does not contain.

    Raises:
        ValueError: `data` is a tuple of any other length.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/unpack_x_y_sample_weight
    """
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if not 1 <= len(data) <= 3:
        raise TapeValueError(
            f"A batch must be `x`, `(x, y)` or `(x, y, sample_weight)`. Received a tuple of length {len(data)}.",
            fix="pass `(x, y)`",
        )
    x, y, weights = (*data, None, None)[:3]
    return x, y, weights


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Pack inputs, targets and weights into a batch. This is the inverse of `unpack_x_y_sample_weight`.

    Args:
        x: Inputs.
        y: Targets, or None.
        sample_weight: Weights of the examples, or None.

    Returns:
        x, (x,), (x, y) or (x, y, sample_weight).

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/pack_x_y_sample_weight
    """
    if y is None:
        return (x,) if isinstance(x, tuple | list) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)

"""Shuffle a stream. Each step returns a random element of a buffer and replaces it with the next element of the stream.

With a buffer as large as the dataset, all orders are equally likely. With a smaller buffer, an element may come arbitrarily late,
but at most `buffer_size - 1` positions early.

The random numbers come from TensorFlow's generator (philox.py) and are used as in TensorFlow. So with a seed, the order in
each pass is the same as in TensorFlow.
"""

from collections.abc import Iterator
from typing import Any, Self

from minitape.data.philox import numbers
from minitape.data.pipeline import UNKNOWN_CARDINALITY, Pass, Pipeline, whole
from minitape.errors import InvalidArgumentError
from minitape.ops.seeds import operation_seed


class Shuffling(Pipeline):
    """The methods of Dataset that change the order of elements."""

    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> Self:
        """Return the elements in random order.

        Args:
            buffer_size: The size of the buffer from which the next element is drawn.
            seed: An integer that makes the order reproducible, as `tf.random.set_seed` does.
            reshuffle_each_iteration: Whether each pass has a different order.
            name: Ignored.

        Returns:
            A dataset of the same elements.

        Raises:
            InvalidArgumentError: `buffer_size` is below 1.

        >>> from minitape.data import Dataset
        >>> sorted(int(x) for x in Dataset.range(4).shuffle(4))
        [0, 1, 2, 3]

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shuffle
        """
        size = whole(buffer_size)
        if size < 1 and size != UNKNOWN_CARDINALITY:
            raise InvalidArgumentError(
                f"`buffer_size` must be greater than zero or `UNKNOWN_CARDINALITY`, but is {size}.",
                fix="pass the number of elements for a uniformly random order",
            )
        seeds = operation_seed(seed)
        passes = numbers(*seeds)

        def elements() -> Pass:
            # Each pass has its own generator, which is seeded from a generator that all passes share.
            own = (next(passes), next(passes)) if reshuffle_each_iteration is not False else seeds
            return _shuffled(self._elements(), size, numbers(*own))

        return self._then("_ShuffleDataset", elements)


def _shuffled(elements: Pass, size: int, draws: Iterator[int]) -> Pass:
    """Yield elements from a ring buffer, in which a drawn element is swapped with the oldest element before it is removed."""
    ring: list[Any] = []
    oldest = 0
    for element in elements:
        ring.append(element)
        if len(ring) == size:
            break
    length = len(ring)
    for element in elements:
        drawn = (oldest + next(draws) % length) % length
        yield ring[drawn]
        ring[drawn] = ring[oldest]
        ring[oldest] = element
        oldest = (oldest + 1) % length
    for left in range(length, 0, -1):
        drawn = (oldest + next(draws) % left) % length
        yield ring[drawn]
        ring[drawn] = ring[oldest]
        oldest = (oldest + 1) % length

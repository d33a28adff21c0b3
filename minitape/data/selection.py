"""Select, repeat and combine elements.

take, skip, shard  select elements
repeat, cache      repeat elements, or store them so that they are not computed again
concatenate, zip   combine datasets one after the other, or side by side
choose_from_datasets, sample_from_datasets
                   interleave datasets by given choices, or at random
prefetch           leave all elements unchanged
"""

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any, Self

import numpy as np

from minitape.core import nest
from minitape.core.eager import TensorSpec
from minitape.data.elements import each
from minitape.data.pipeline import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Pass,
    Pipeline,
    in_common,
    whole,
)
from minitape.errors import (
    InvalidArgumentError,
    TapeTypeError,
    TapeValueError,
    UnimplementedError,
)
from minitape.ops.seeds import operation_seed


class Choosing(Pipeline):
    """The methods of Dataset that select elements or combine datasets."""

    def take(self, count: Any, name: str | None = None) -> Self:
        """Return the first `count` elements.

        Args:
            count: The number of elements to return; -1 returns all.
            name: Ignored.

        Returns:
            A dataset of the selected elements.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#take
        """
        most = whole(count)
        if most < 0:
            return self._then("_TakeDataset", self._elements)
        have = self._cardinality
        cardinality = most if have == INFINITE_CARDINALITY else min(have, most)
        return self._then(
            "_TakeDataset", lambda: islice(self._elements(), most), cardinality=cardinality
        )

    def skip(self, count: Any, name: str | None = None) -> Self:
        """Return all elements except the first `count`.

        Args:
            count: The number of elements to skip; -1 skips all.
            name: Ignored.

        Returns:
            A dataset of the remaining elements.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#skip
        """
        least = whole(count)
        if least < 0:
            return self._then("_SkipDataset", lambda: iter(()), cardinality=0)
        have = self._cardinality
        return self._then(
            "_SkipDataset",
            lambda: islice(self._elements(), least, None),
            cardinality=have if have < 0 else max(have - least, 0),
        )

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Self:
        """Return every `num_shards`-th element, starting at element `index`.

        Args:
            num_shards: The number of shards.
            index: The index of the shard to return, from 0 to num_shards - 1.
            name: Ignored.

        Returns:
            A dataset of the selected elements.

        Raises:
            InvalidArgumentError: `num_shards` is below 1, or `index` is out of range.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shard
        """
        shards, first = whole(num_shards), whole(index)
        if shards < 1:
            raise InvalidArgumentError(
                f"Number of shards must be greater than zero (currently num_shards = {shards})."
            )
        if not 0 <= first < shards:
            raise InvalidArgumentError(
                f"Index must be between 0 and {shards - 1} (currently index = {first})."
            )
        have = self._cardinality
        return self._then(
            "_ShardDataset",
            lambda: islice(self._elements(), first, None, shards),
            cardinality=have if have < 0 else len(range(first, have, shards)),
        )

    def repeat(self, count: Any = None, name: str | None = None) -> Self:
        """Repeat all elements.

        Args:
            count: How many times to repeat the elements; None or -1 repeats them endlessly.
            name: Ignored.

        Returns:
            A dataset of the repeated elements; each repetition is a new pass, which shuffles again.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#repeat
        """
        iterations = -1 if count is None else whole(count)

        def elements() -> Pass:
            left = iterations
            while left:
                left -= 1
                none = True
                for element in self._elements():
                    none = False
                    yield element
                if none and iterations < 0:
                    return  # repeating an empty dataset endlessly would never yield

        have = self._cardinality
        many = have * iterations if have >= 0 else have
        if iterations < 0:
            many = 0 if have == 0 else INFINITE_CARDINALITY
        return self._then("_RepeatDataset", elements, cardinality=0 if iterations == 0 else many)

    def cache(self, filename: str = "", name: str | None = None) -> Self:
        """Keep the elements of the first complete pass in memory for all later passes.

        Args:
            filename: Must be "", because minitape does not write cache files.
            name: Ignored.

        Returns:
            A dataset of the same elements.

        Raises:
            UnimplementedError: `filename` is not empty.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache
        """
        if filename:
            raise UnimplementedError(
                f"minitape caches only in memory, so it cannot write the file {filename!r}.",
                fix="use `dataset.cache()`, or `numpy.savez` for data that must outlive the program",
            )
        kept: list[Any] | None = None

        def elements() -> Pass:
            nonlocal kept
            if kept is not None:
                yield from kept
                return
            so_far = []
            for element in self._elements():
                so_far.append(element)
                yield element
            kept = so_far

        return self._then("CacheDataset", elements)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Self:
        """Return the elements unchanged. TensorFlow computes some elements ahead of time in another thread; minitape does not.

        Args:
            buffer_size: Ignored.
            name: Ignored.

        Returns:
            A dataset of the same elements.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#prefetch
        """
        whole(buffer_size)
        return self._then("_PrefetchDataset", self._elements)

    def concatenate(self, dataset: Any, name: str | None = None) -> Self:
        """Return the elements of this dataset, followed by the elements of another dataset.

        Args:
            dataset: A dataset whose elements have the same structure and dtypes as the elements of this dataset.
            name: Ignored.

        Returns:
            A dataset of all elements.

        Raises:
            TypeError: the elements differ in structure or dtype.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#concatenate
        """
        spec = _common_spec(self.element_spec, dataset.element_spec)

        def elements() -> Pass:
            yield from self._elements()
            yield from dataset._elements()

        return self._then(
            "_ConcatenateDataset",
            elements,
            cardinality=_sum([self._cardinality, dataset._cardinality]),
            spec=lambda: spec,
        )

    def unique(self, name: str | None = None) -> Self:
        """Return each distinct element once, at its first occurrence.

        Args:
            name: Ignored.

        Returns:
            A dataset of the distinct elements.

        Raises:
            InvalidArgumentError: an element has more than one component.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#unique
        """

        def elements() -> Pass:
            seen = set()
            for element in self._elements():
                if nest.is_nested(element):
                    raise InvalidArgumentError(
                        "`unique` supports only datasets whose elements have a single component.",
                        fix="use `dataset.map(lambda x, y: x).unique()`",
                    )
                mark = (element.shape, np.asarray(element).tolist().__repr__())
                if mark not in seen:
                    seen.add(mark)
                    yield element

        return self._then("_UniqueDataset", elements, cardinality=UNKNOWN_CARDINALITY)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Self:
        """Combine the elements of several datasets side by side, until the shortest one ends.

        Args:
            args: Datasets, or one tuple or dict of datasets.
            datasets: The older name of the argument `args`, as one tuple or dict.
            name: Ignored.

        Returns:
            A dataset of tuples, or of elements in the structure of the datasets.

        Raises:
            TypeError: an argument is not a dataset, or there are no arguments.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#zip
        """
        if (not args) == (datasets is None):
            raise TapeTypeError(
                "Must pass at least one dataset to `zip`.", fix="use `Dataset.zip(a, b)`"
            )
        given = datasets if not args else args[0] if len(args) == 1 else args
        each(_check_dataset, given)
        parts = nest.flatten(given)

        def elements() -> Pass:
            rows = zip(*(part._elements() for part in parts))
            if type(given) is tuple and not any(map(nest.is_nested, given)):
                return rows
            return (nest.pack_sequence_as(given, row) for row in rows)

        return cls(
            "_ZipDataset",
            elements,
            _least([part._cardinality for part in parts]),
            lambda: each(lambda part: part.element_spec, given),
        )

    @classmethod
    def choose_from_datasets(
        cls, datasets: Sequence[Any], choice_dataset: Any, stop_on_empty_dataset: bool = True
    ) -> Self:
        """Combine datasets by repeatedly returning the next element of the dataset that `choice_dataset` selects.

        Args:
            datasets: A list of datasets.
            choice_dataset: A dataset of scalar int64 indices.
            stop_on_empty_dataset: Whether to stop when a chosen dataset has ended; otherwise it is skipped.

        Returns:
            A dataset of the chosen elements.

        Raises:
            TypeError: the elements of `choice_dataset` are not scalar int64 numbers.
            InvalidArgumentError: an index is out of range (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#choose_from_datasets
        """
        spec = choice_dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype.name != "int64" or tuple(spec.shape):
            raise TapeTypeError(
                f"`choice_dataset` must be a dataset of scalar `tf.int64` elements, but its elements are {spec}.",
                fix="use `Dataset.range(2).repeat()`",
            )
        return cls(
            "_DirectedInterleaveDataset",
            lambda: _directed(
                [part._elements() for part in datasets],
                map(int, choice_dataset._elements()),
                stop_on_empty_dataset,
            ),
            UNKNOWN_CARDINALITY,
            lambda: datasets[0].element_spec,
        )

    @classmethod
    def sample_from_datasets(
        cls,
        datasets: Sequence[Any],
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Self:
        """Combine datasets by repeatedly returning the next element of a randomly drawn dataset.

        Args:
            datasets: A list of datasets.
            weights: The probability of each dataset; by default, all datasets are equally likely.
            seed: An integer that makes the draws reproducible.
            stop_on_empty_dataset: Whether to stop when a drawn dataset has ended; otherwise it is skipped.
            rerandomize_each_iteration: Whether each pass draws other datasets; False by default.

        Returns:
            A dataset of the drawn elements.

        Raises:
            ValueError: the number of weights differs from the number of datasets.

        The same seed yields different draws than in TensorFlow.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#sample_from_datasets
        """
        chances = None if weights is None else [float(weight) for weight in weights]
        if chances is not None and len(chances) != len(datasets):
            raise TapeValueError(
                f"`weights` must have one number for each dataset, but has {len(chances)} numbers for {len(datasets)} datasets."
            )
        seeds = operation_seed(seed)
        passes = 0

        def elements() -> Pass:
            nonlocal passes
            passes += bool(rerandomize_each_iteration)
            draws = random.Random(str((*seeds, passes)))
            choices = iter(lambda: draws.choices(range(len(datasets)), chances)[0], -1)
            return _directed(
                [part._elements() for part in datasets], choices, stop_on_empty_dataset
            )

        return cls(
            "_DirectedInterleaveDataset",
            elements,
            UNKNOWN_CARDINALITY,
            lambda: datasets[0].element_spec,
        )


def _directed(passes: list[Pass | None], choices: Any, stops: bool) -> Pass:
    for choice in choices:
        if not 0 <= choice < len(passes):
            raise InvalidArgumentError(
                f"Selector index out of range: {choice} >= {len(passes)}, the number of datasets."
            )
        chosen = passes[choice]
        value = _END if chosen is None else next(chosen, _END)
        if value is not _END:
            yield value
            continue
        passes[choice] = None
        if stops or all(each_pass is None for each_pass in passes):
            return


_END = object()


def _check_dataset(part: Any) -> None:
    if isinstance(part, list):
        raise TapeTypeError(
            "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. "
            "Python `list` is not supported and you should use `tuple` instead.",
            fix="use `Dataset.zip((a, b))`",
        )
    if not isinstance(part, Pipeline):
        raise TapeTypeError(
            "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects but "
            f"encountered object of type {type(part)}.",
            fix="use `Dataset.from_tensor_slices(x)` for the rows of `x`",
        )


def _sum(counts: list[int]) -> int:
    if INFINITE_CARDINALITY in counts:
        return INFINITE_CARDINALITY
    return UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in counts else sum(counts)


def _least(counts: list[int]) -> int:
    finite = [count for count in counts if count != INFINITE_CARDINALITY]
    if UNKNOWN_CARDINALITY in finite:
        return UNKNOWN_CARDINALITY
    return min(finite, default=INFINITE_CARDINALITY)


def _common_spec(one: Any, other: Any) -> Any:
    """Return the spec that fits the elements of two datasets, in which sizes that differ are unknown."""
    leaves, others = nest.flatten(one), nest.flatten(other)
    same = str(each(lambda leaf: 0, one)) == str(each(lambda leaf: 0, other))
    if not same or any(
        getattr(a, "dtype", None) != getattr(b, "dtype", None)
        for a, b in zip(leaves, others, strict=True)
    ):
        raise TapeTypeError(
            f"`concatenate`: Incompatible dataset elements:\n  {one!r} vs.   {other!r}",
            fix="convert both to the same structure and dtypes with `dataset.map(...)`",
        )
    return nest.map_structure(in_common, one, other)

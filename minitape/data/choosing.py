"""Which elements come, how often, and in which company.

take, skip, shard      some of them
repeat, cache          again; again without computing them again
concatenate, zip       of several datasets: one after the other; side by side
choose_from_datasets, sample_from_datasets
                       of several datasets: by a plan; by chance
prefetch               all of them, as they are
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
    """What lets elements through, or brings datasets together."""

    def take(self, count: Any, name: str | None = None) -> Self:
        """The first `count` elements; all of them for -1.

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
        """All but the first `count` elements; none for -1.

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
        """Every `num_shards`-th element, from element `index` on.

        Raises:
            InvalidArgumentError: there is no such shard.

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
        """All elements `count` times; without end for None or -1.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#repeat
        """
        rounds = -1 if count is None else whole(count)

        def elements() -> Pass:
            left = rounds
            while left:
                left -= 1
                none = True
                for element in self._elements():
                    none = False
                    yield element
                if none and rounds < 0:
                    return  # without end, of nothing, would never come back

        have = self._cardinality
        many = have * rounds if have >= 0 else have
        if rounds < 0:
            many = 0 if have == 0 else INFINITE_CARDINALITY
        return self._then("_RepeatDataset", elements, cardinality=0 if rounds == 0 else many)

    def cache(self, filename: str = "", name: str | None = None) -> Self:
        """Keep the elements of the first whole pass in memory, for all others.

        Args:
            filename: Only "": TensorFlow would keep them in such a file.
            name: Ignored.

        Raises:
            UnimplementedError: a `filename`.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache
        """
        if filename:
            raise UnimplementedError(
                f"minitape caches only in memory, so it cannot write the file {filename!r}.",
                fix=".cache(), or np.savez for data that must outlive the program",
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
        """The same elements. TensorFlow computes some ahead, in another thread.

        Args:
            buffer_size: How many; ignored.
            name: Ignored.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#prefetch
        """
        whole(buffer_size)
        return self._then("_PrefetchDataset", self._elements)

    def concatenate(self, dataset: Any, name: str | None = None) -> Self:
        """The elements of this dataset, then those of the other.

        Raises:
            TypeError: their elements differ in structure or dtype.

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
        """Each element once, where it comes first.

        Raises:
            InvalidArgumentError: an element has more than one part.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#unique
        """

        def elements() -> Pass:
            seen = set()
            for element in self._elements():
                if nest.is_nested(element):
                    raise InvalidArgumentError(
                        "unique: only datasets whose elements have a single component are supported.",
                        fix="dataset.map(lambda x, y: x).unique()",
                    )
                mark = (element.shape, np.asarray(element).tolist().__repr__())
                if mark not in seen:
                    seen.add(mark)
                    yield element

        return self._then("_UniqueDataset", elements, cardinality=UNKNOWN_CARDINALITY)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Self:
        """Elements of several datasets side by side, until one has no more.

        Args:
            args: Datasets, or one tuple or dict of them.
            datasets: The same, by its older name.
            name: Ignored.

        Raises:
            TypeError: something else than a dataset is among them, or nothing.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#zip
        """
        if (not args) == (datasets is None):
            raise TapeTypeError("Must pass at least one dataset to `zip`.", fix="Dataset.zip(a, b)")
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
        """The next element of that dataset whose number comes next in `choice_dataset`.

        Args:
            datasets: A list of datasets.
            choice_dataset: Of int64 numbers.
            stop_on_empty_dataset: Stop when one has no more; else pass it over.

        Raises:
            TypeError: the choices are no int64 numbers.
            InvalidArgumentError: during a pass: there is no dataset of such a number.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#choose_from_datasets
        """
        spec = choice_dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype.name != "int64" or tuple(spec.shape):
            raise TapeTypeError(
                f"`choice_dataset` must be a dataset of scalar `tf.int64` elements, but its elements are {spec}.",
                fix="Dataset.range(2).repeat()",
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
        """The next element of a dataset that is drawn by chance, again and again.

        Args:
            datasets: A list of datasets.
            weights: How likely each is; all alike by default.
            seed: For the same draws in every run.
            stop_on_empty_dataset: Stop when a dataset that was drawn has no more; else pass it over.
            rerandomize_each_iteration: Other draws in each pass; False by default.

        Unlike TensorFlow: other draws for the same seed.

        Raises:
            ValueError: there are not as many weights as datasets.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#sample_from_datasets
        """
        chances = None if weights is None else [float(weight) for weight in weights]
        if chances is not None and len(chances) != len(datasets):
            raise TapeValueError(
                f"`weights` must have one number for each dataset, but has {len(chances)} for {len(datasets)} datasets."
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
            fix="Dataset.zip((a, b))",
        )
    if not isinstance(part, Pipeline):
        raise TapeTypeError(
            "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects but "
            f"encountered object of type {type(part)}.",
            fix="Dataset.from_tensor_slices(x), for the rows of x",
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
    """The spec of elements of both kinds: a size in which they differ is unknown."""
    leaves, others = nest.flatten(one), nest.flatten(other)
    same = str(each(lambda leaf: 0, one)) == str(each(lambda leaf: 0, other))
    if not same or any(
        getattr(a, "dtype", None) != getattr(b, "dtype", None)
        for a, b in zip(leaves, others, strict=True)
    ):
        raise TapeTypeError(
            f"concatenate: Incompatible dataset elements:\n  {one!r} vs.   {other!r}",
            fix="dataset.map(...), to convert both to one structure and dtype",
        )
    return nest.map_structure(in_common, one, other)

"""Batches from any data that `fit` accepts.

    arrays, tensors, structures of them   split into batches, optionally shuffled in each epoch
    PyDataset                             batches by index
    generator                             read only once, until it ends
    tf.data.Dataset                       iterated again in each epoch

A batch is x, (x, y) or (x, y, sample_weight), as tensors. `Batches` divides them into epochs.

Source: https://keras.io/api/models/model_training_apis/
"""

import itertools
import math
import warnings
from collections.abc import Iterator
from types import GeneratorType
from typing import Any

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.convert import convert_to_tensor
from minitape.core.frames import frames_to_user
from minitape.core.tensor import TensorLike
from minitape.errors import TapeValueError
from minitape.keras.utils.batches import (
    PyDataset,
    pack_x_y_sample_weight,
    unpack_x_y_sample_weight,
)
from minitape.ops.seeds import permutation

_DEFAULT_SIZE = 32


class EndOfData(StopIteration):
    """Raised when there are no more batches; unlike StopIteration, a user's step cannot raise this exception by accident."""


class Batches:
    """The batches of a run, epoch by epoch; `next` returns the next batch.

    `count` is the number of batches in an epoch, or None while this number is unknown.

    Args:
        x: Inputs, which are arrays, tensors, structures of arrays or tensors, or a source of batches.
        y: Targets; None if the batches contain them.
        sample_weight: Weights of the examples; None if the batches contain them.
        batch_size: Number of examples of a batch of arrays; 32 by default.
        steps: Number of batches of an epoch; None for all batches. If there are more data, the next epoch continues where
            the previous one ended.
        shuffle: Whether arrays are shuffled in each epoch; "batch" shuffles within each batch.
        class_weight: Dict from class indices to weights, which are converted to weights of examples.
        per_call: Number of batches for each call to the train function.

    Raises:
        ValueError: the kind of data is not supported, lengths differ, or weights do not match.
    """

    def __init__(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        batch_size: int | None = None,
        steps: int | None = None,
        shuffle: Any = False,
        class_weight: Any = None,
        per_call: int = 1,
    ) -> None:
        if _are_arrays((x, y, sample_weight)):
            if batch_size is None and steps:
                batch_size = math.ceil(_length_of((x, y, sample_weight)) / steps)
            weights = _weights_for(y, sample_weight, class_weight)
            self._data: Any = _Arrays((x, y, weights), batch_size or _DEFAULT_SIZE, shuffle)
        else:
            _refuse_beside(x, y=y, sample_weight=sample_weight)
            self._data = _given(x, shuffle, class_weight)
        self._steps, self._per_call = steps, per_call
        self._length: int | None = self._data.count  # the total number of batches in the data
        self._iterator: Iterator[Any] | None = None
        self._taken = 0

    @property
    def count(self) -> int | None:
        """Return the number of batches in an epoch, or None while this number is unknown."""
        return self._steps or self._length

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        assert self._iterator is not None
        for batch in self._iterator:
            self._taken += 1
            return batch
        raise EndOfData

    def epoch(self) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the first and last batch for each call in an epoch; the caller takes the batches with `next`.

        If the length of the data is unknown, taking a batch may raise EndOfData, after which the caller must call `ran_out`.

        Returns:
            An iterator of pairs.
        """
        self._data.on_epoch_begin()
        if self._iterator is None or self._steps is None:
            self._start()
        first = 0
        while self.count is None or first < self.count:
            if self._length is not None and self._taken >= self._length:
                self._warn()
                break
            yield first, first + self._per_call - 1
            first += self._per_call
        if self._length is not None and self._taken >= self._length:
            self._iterator = None
        self._data.on_epoch_end()

    def ran_out(self) -> None:
        """Record that the data ended in this epoch, which makes their length known."""
        self._warn()
        if self._steps is None and self._length is None:
            self._length = self._taken
        self._iterator = None
        self._data.on_epoch_end()

    def restart(self) -> None:
        """Start the next epoch with the first batch."""
        self._iterator = None

    def _start(self) -> None:
        self._iterator, self._taken = iter(self._data), 0

    def _warn(self) -> None:
        warnings.warn(
            "Your input ran out of data; interrupting training. Make sure that your dataset or generator can generate at "
            "least `steps_per_epoch * epochs` batches. You may need to use the `.repeat()` function when building your "
            "dataset.",
            stacklevel=4,
        )


# --- kinds of data ---


class _Arrays:
    """Arrays of the same length, split along their first axis."""

    def __init__(self, data: Any, size: int, shuffle: Any) -> None:
        self._length, self._size, self._shuffle = _length_of(data), size, shuffle
        self._structure = nest.map_structure(_as_array, pack_x_y_sample_weight(*data))
        self._leaves = nest.flatten(self._structure)
        self.count = math.ceil(self._length / size)

    def __iter__(self) -> Iterator[Any]:
        across = self._shuffle and self._shuffle != "batch"
        order = permutation(self._length) if across else np.arange(self._length)
        for start in range(0, self._length, self._size):
            rows = order[start : start + self._size]
            if self._shuffle == "batch":
                rows = rows[permutation(len(rows))]
            batch = [
                None if leaf is None else convert_to_tensor(leaf[rows]) for leaf in self._leaves
            ]
            yield nest.pack_sequence_as(self._structure, batch)

    def on_epoch_begin(self) -> None:
        """Do nothing."""

    def on_epoch_end(self) -> None:
        """Do nothing."""


class _GivenBatches:
    """Data that arrive in batches; `class_weight` is converted to weights of the examples in each batch."""

    count: int | None = None

    def __init__(self, data: Any, class_weight: Any = None) -> None:
        self._source, self._class_weight = data, class_weight

    def __iter__(self) -> Iterator[Any]:
        return map(self._ready, self._source)

    def _ready(self, batch: Any) -> Any:
        x, y, weights = unpack_x_y_sample_weight(batch)
        if self._class_weight is not None and y is not None:
            weights = _weights_for(y, weights, self._class_weight)
        packed = pack_x_y_sample_weight(x, y, weights)
        return nest.map_structure(
            lambda leaf: None if leaf is None else convert_to_tensor(leaf), packed
        )

    def on_epoch_begin(self) -> None:
        """Do nothing."""

    def on_epoch_end(self) -> None:
        """Do nothing."""


class _Dataset(_GivenBatches):
    """A tf.data.Dataset, whose length may be known."""

    def __init__(self, data: Any, class_weight: Any) -> None:
        super().__init__(data, class_weight)
        known = int(data.cardinality())
        self.count = known if known >= 0 else None


class _Numbered(_GivenBatches):
    """A PyDataset, optionally with the order of its batches shuffled in each epoch."""

    def __init__(self, data: PyDataset, shuffle: Any, class_weight: Any) -> None:
        super().__init__(data, class_weight)
        self._shuffle = shuffle
        self.count = data.num_batches

    def __iter__(self) -> Iterator[Any]:
        count = self.count = self._source.num_batches
        order: Any = itertools.count()
        if count is not None:
            order = permutation(count) if self._shuffle else np.arange(count)
        return (self._ready(self._source[int(index)]) for index in order)

    def on_epoch_begin(self) -> None:
        self._source.on_epoch_begin()

    def on_epoch_end(self) -> None:
        self._source.on_epoch_end()


def _given(x: Any, shuffle: Any, class_weight: Any) -> Any:
    if isinstance(x, PyDataset):
        if shuffle and x.num_batches is None:
            _warn_of_order("an endless `PyDataset`", "create its batches in random order")
        return _Numbered(x, shuffle, class_weight)
    if isinstance(x, GeneratorType):
        if class_weight is not None:
            raise TapeValueError(
                "Argument `class_weight` is not supported for Python generator inputs.",
                fix="write `yield x, y, weights` in the generator",
            )
        if shuffle:
            _warn_of_order("a generator", "yield the examples in random order")
        return _GivenBatches(x)
    if hasattr(x, "element_spec") and hasattr(x, "cardinality"):
        if shuffle:
            _warn_of_order(
                "a tf.data.Dataset", "call `dataset.shuffle(buffer_size)` before `.batch(n)`"
            )
        return _Dataset(x, class_weight)
    kind = type(x).__name__
    raise TapeValueError(
        f"Unrecognized data type: `x` is a {kind} whose items are not arrays."
        if isinstance(x, list | tuple | dict)
        else f"Unrecognized data type: `x` is a {kind}.",
        fix="use `np.array(x)`, or pass a generator, a `tf.data.Dataset` or a `tf.keras.utils.PyDataset` of batches",
    )


def _warn_of_order(kind: str, instead: str) -> None:
    warnings.warn(
        f"`shuffle=True` has no effect, because `x` is {kind}, whose batches are used in their original order. For a new "
        f"order in each epoch, {instead}. To silence this warning, pass `shuffle=False`.",
        UserWarning,
        stacklevel=frames_to_user(),
    )


def _refuse_beside(x: Any, **others: Any) -> None:
    """Raise an error for targets or weights that are passed in addition to data that contain them."""
    kind = type(x).__name__
    for name, value in others.items():
        if value is not None and not isinstance(x, list | tuple | dict | int | float):
            raise TapeValueError(
                f"When providing `x` as a {kind}, `{name}` should not be passed.",
                fix=f"pass a {kind} whose batches are `(x, y)` or `(x, y, sample_weight)`",
            )


# --- arrays ---


def _are_arrays(data: Any) -> bool:
    leaves = [leaf for leaf in nest.flatten(data) if leaf is not None]
    return bool(leaves) and all(hasattr(type(leaf), "__array__") for leaf in leaves)


def _as_array(leaf: Any) -> Any:
    """Convert a leaf to a NumPy array; floating-point dtypes become float32, as in Keras."""
    if leaf is None:
        return None
    array = leaf._array if isinstance(leaf, TensorLike) else np.asarray(leaf)
    is_wide = dtypes.kind_of(array.dtype) == "f" and array.dtype != np.float32
    return array.astype(dtypes.float32.as_numpy_dtype) if is_wide else array


def _length_of(data: Any) -> int:
    """Return the number of examples.

    Raises:
        ValueError: the arrays have different lengths.
    """
    lengths = {int(leaf.shape[0]) for leaf in nest.flatten(data) if leaf is not None}
    if len(lengths) == 1:
        return lengths.pop()
    sizes = [
        f"{name} sizes: {', '.join(str(leaf.shape[0]) for leaf in nest.flatten(each) if leaf is not None)}"
        for name, each in zip(("x", "y", "sample_weight"), data, strict=True)
        if each is not None
    ]
    raise TapeValueError(
        f"Data cardinality is ambiguous: {'; '.join(sizes)}.",
        fix="pass arrays with the same number of examples: `x.shape[0] == y.shape[0]`",
        code="MT507",
    )


def split_off(data: Any, fraction: float) -> tuple[Any, Any]:
    """Split off the last fraction of arrays for validation.

    Args:
        data: Arrays, or a structure of arrays.
        fraction: Fraction to split off, between 0 and 1.

    Returns:
        The arrays for training, and the arrays for validation.

    Raises:
        ValueError: `data` are not arrays, or one of the two parts would be empty.
    """
    if not _are_arrays(data):
        raise TapeValueError(
            "Argument `validation_split` is only supported for tensors or NumPy arrays.",
            fix="pass `validation_data=...` with separate data",
        )
    length = _length_of(data)
    end = math.floor(length * (1.0 - fraction))
    if end in (0, length):
        raise TapeValueError(
            f"Training data contains {length} samples, which is not sufficient to split it into a validation and training "
            f"set as specified by `validation_split={fraction}`.",
            fix="pass `validation_split=0.5`, or use more data",
        )
    return tuple(
        nest.map_structure(lambda leaf, part=part: None if leaf is None else leaf[part], data)
        for part in (slice(0, end), slice(end, length))
    )


# --- weights of examples ---


def _weights_for(y: Any, sample_weight: Any, class_weight: Any) -> Any:
    if class_weight is None:
        return _one_for_each_output(y, sample_weight)
    if sample_weight is not None:
        raise TapeValueError(
            "You cannot specify `class_weight` and `sample_weight` at the same time.",
            fix="pass only one of them: `sample_weight=own * weight_of_class`",
        )
    if nest.is_nested(y):
        raise TapeValueError(
            "`class_weight` is only supported for Models with a single output.",
            fix="pass `sample_weight=...` with one array for each output",
        )
    return weights_by_class(y, class_weight)


def _one_for_each_output(y: Any, weights: Any) -> Any:
    if weights is None or not nest.is_nested(y):
        return weights
    if nest.is_nested(weights):
        try:
            nest.assert_same_structure(y, weights)
        except (ValueError, TypeError) as error:
            raise TapeValueError(
                "You should provide one `sample_weight` array per output in `y`. The two structures did not match.",
                fix="pass `sample_weight={'a': ..., 'b': ...}` for `y={'a': ..., 'b': ...}`",
            ) from error
        return weights
    if len(weights.shape) != 1 and tuple(weights.shape[1:]) != (1,):
        raise TapeValueError(
            "For a model with several outputs, a single `sample_weight` array should have one number per example. "
            f"Its shape is {tuple(weights.shape)}.",
            fix="pass `sample_weight=...` with one array for each output",
        )
    return nest.map_structure(lambda _: weights, y)


def weights_by_class(y: Any, class_weight: Any) -> Any:
    """Return the weight of each example's class.

    Args:
        y: Class indices, or one-hot rows.
        class_weight: Dict from class indices to weights; a class that is missing has the weight 1.

    Returns:
        A float32 array, shape [batch].
    """
    classes = _as_array(y)
    if classes.ndim > 1:
        is_one_hot = classes.shape[-1] != 1
        classes = classes.argmax(axis=-1) if is_one_hot else classes[..., 0]
    numbers = np.round(classes).astype(int)
    return np.array([class_weight.get(int(each), 1.0) for each in numbers], dtype=np.float32)


__all__ = ["Batches", "EndOfData", "split_off", "weights_by_class"]

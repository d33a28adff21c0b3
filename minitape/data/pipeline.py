"""`Pipeline`, the base class of datasets.

    kind           TensorFlow's name of this kind of dataset, for its repr
    elements       starts a pass over the data
    cardinality    the number of elements; INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
    spec           structure, shapes and dtypes of an element

Creating a dataset computes nothing. A pass is a Python generator that pulls elements from the generator of the previous step,
so elements go through the whole pipeline one at a time, and each `for` loop starts a new pass.
"""

from collections.abc import Callable
from collections.abc import Iterator as PythonIterator
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_array, convert_to_tensor
from minitape.core.eager import TensorSpec
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor, TensorLike
from minitape.data.elements import DatasetBase, as_tensors, each
from minitape.data.options import Options
from minitape.errors import (
    InvalidArgumentError,
    OutOfRangeError,
    TapeAttributeError,
    TapeTypeError,
)
from minitape.unsupported.attribute_errors import missing

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2

Pass = PythonIterator[Any]


class _Kind(type):
    """Metaclass for functions that are called on the class, such as `Dataset.list_files`."""

    def __getattr__(cls, name: str) -> Any:
        raise missing(cls, name, partial(vars, cls))


class Pipeline(DatasetBase, metaclass=_Kind):
    """A description of elements, which are computed again in each iteration."""

    def __init__(
        self,
        kind: str,
        elements: Callable[[], Pass],
        cardinality: int,
        spec: Callable[[], Any],
        options: Options | None = None,
    ) -> None:
        self._kind = kind
        self._elements = elements
        self._cardinality = cardinality
        self._spec = spec
        self._options = options or Options()

    def _then(
        self,
        kind: str,
        elements: Callable[[], Pass],
        *,
        cardinality: int | None = None,
        spec: Callable[[], Any] | None = None,
    ) -> Self:
        """Return a dataset derived from this dataset, by default with the same number of elements and the same spec."""
        many = self._cardinality if cardinality is None else cardinality
        kin = lambda: self.element_spec  # noqa: E731  # evaluated lazily, because it may run the user's function
        return type(self)(kind, elements, many, spec or kin, self._options)

    # --- specification ---

    @cached_property
    def element_spec(self) -> Any:
        """Return the structure, shapes and dtypes of an element; a size that varies is None.

        Unlike TensorFlow, minitape does not trace a function given to `map`; the first access to this property runs the
        function on the first element.
        """
        return self._spec()

    def cardinality(self) -> Tensor:
        """Return the number of elements as an int64 tensor, or -1 for an endless dataset, or -2 if the number is unknown.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cardinality
        """
        return Tensor(np.int64(self._cardinality))

    def __len__(self) -> int:
        """Return the number of elements.

        Raises:
            TypeError: the number of elements is unknown or infinite.
        """
        if self._cardinality == INFINITE_CARDINALITY:
            raise TapeTypeError(
                "The dataset is infinite.", fix="use `dataset.take(n)`, which is finite"
            )
        if self._cardinality == UNKNOWN_CARDINALITY:
            raise TapeTypeError(
                "The dataset length is unknown.",
                fix="use `sum(1 for _ in dataset)`, which iterates over the dataset",
            )
        return self._cardinality

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{self._kind} element_spec={self.element_spec!r}>"

    def __getattr__(self, name: str) -> Any:
        if name == "element_spec":
            return (
                self._spec()
            )  # the user's function raised AttributeError, which must not be hidden
        raise missing(type(self), name, partial(dir, self))

    # --- iteration ---

    def __iter__(self) -> "Iterator":
        return Iterator(self)

    def as_numpy_iterator(self) -> "NumpyIterator":
        """Return an iterator over the elements as NumPy arrays and scalars.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#as_numpy_iterator
        """
        return NumpyIterator(self)

    def get_single_element(self, name: str | None = None) -> Any:
        """Return the element of a dataset that has exactly one element.

        Args:
            name: Ignored.

        Returns:
            The element, which is a Tensor or a structure of Tensors.

        Raises:
            InvalidArgumentError: the dataset is empty or has several elements.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#get_single_element
        """
        elements = self._elements()
        nothing = object()
        element = next(elements, nothing)
        if element is nothing:
            raise InvalidArgumentError("`get_single_element`: Dataset was empty.")
        if next(elements, nothing) is not nothing:
            raise InvalidArgumentError(
                "`get_single_element`: Dataset had more than one element.",
                fix="use `dataset.take(1).get_single_element()` or `next(iter(dataset))`",
            )
        return as_tensors(element)

    # --- settings ---

    def options(self) -> Options:
        """Return the options set by `with_options`.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#options
        """
        return self._options

    def with_options(self, options: Options, name: str | None = None) -> Self:
        """Return the dataset with other options, which do not change its elements.

        Args:
            options: See `Options`.
            name: Ignored.

        Returns:
            A dataset of the same elements.

        Raises:
            TypeError: `options` is not a `tf.data.Options`.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#with_options
        """
        if not isinstance(options, Options):
            raise TapeAttributeError(
                f"`with_options` requires a `tf.data.Options` object, but got {options!r}."
            )
        same = self._then("_OptionsDataset", self._elements)
        same._options = options
        return same

    def apply(self, transformation_func: Callable[[Any], Any]) -> Self:
        """Return `transformation_func(dataset)`, for use in a chain of calls.

        Args:
            transformation_func: Function that takes a dataset and returns a dataset.

        Returns:
            The new dataset.

        Raises:
            TypeError: the function does not return a dataset.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#apply
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, type(self)):
            raise TapeTypeError(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(dataset)}."
            )
        return dataset


def dataset_given(dataset: Any) -> Pipeline:
    """Check that an argument is a dataset, and return it.

    Raises:
        TypeError: the argument is not a dataset.
    """
    if not isinstance(dataset, Pipeline):
        raise TapeTypeError(
            f"`dataset` must be a `tf.data.Dataset`, but is {dataset!r}.",
            fix="use `tf.data.Dataset.from_tensor_slices(x)`",
        )
    return dataset


class Iterator:
    """An iterator for one pass over a dataset.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/Iterator
    """

    def __init__(self, dataset: Pipeline) -> None:
        self._dataset = dataset_given(dataset)
        self._elements = dataset._elements()

    @property
    def element_spec(self) -> Any:
        """Return the structure, shapes and dtypes of an element."""
        return self._dataset.element_spec

    def __iter__(self) -> "Iterator":
        return self

    def __next__(self) -> Any:
        return as_tensors(next(self._elements))

    def get_next(self) -> Any:
        """Return the next element.

        Raises:
            OutOfRangeError: there are no more elements.
        """
        for element in self._elements:
            return as_tensors(element)
        raise OutOfRangeError(
            "End of sequence: this iterator has no more elements.",
            fix="call `iter(dataset)` for another pass, or use `dataset.repeat()` for an endless dataset",
        )


class NumpyIterator:
    """An iterator for one pass over a dataset, with NumPy arrays and scalars as elements."""

    def __init__(self, dataset: Pipeline) -> None:
        self._elements = dataset_given(dataset)._elements()

    def __iter__(self) -> "NumpyIterator":
        return self

    def __next__(self) -> Any:
        return each(_for_numpy, next(self._elements))


def _for_numpy(leaf: Any) -> Any:
    """Return an array that the user may change; a scalar string becomes bytes, a nested dataset becomes a NumpyIterator."""
    if isinstance(leaf, Pipeline):
        return NumpyIterator(leaf)
    if leaf is None:
        return None
    array = np.asarray(leaf)
    return array.copy() if array.ndim else array[()]


# --- specs ---


class NoneTensorSpec:
    """The spec of None in an `element_spec`."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneTensorSpec)

    def __hash__(self) -> int:
        return hash(NoneTensorSpec)

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


class DatasetSpec:
    """The spec of a nested dataset in an `element_spec`.

    Args:
        element_spec: The spec of its elements.
        dataset_shape: The shape of a tensor of datasets; () for a single dataset.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/DatasetSpec
    """

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec
        self._dataset_shape = TensorShape(dataset_shape)

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self._dataset_shape!r})"


def spec_of(element: Any) -> Any:
    """Return the spec of an element whose sizes are all known."""
    return each(_spec_of_leaf, element)


def _spec_of_leaf(leaf: Any) -> Any:
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, Pipeline):
        return DatasetSpec(leaf.element_spec)
    return TensorSpec(leaf.shape, dtypes.of(leaf))


def resized(spec: Any, sizes: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Any:
    """Return a spec with `sizes(shape)` in place of each shape; an unknown shape is unchanged."""

    def leaf(part: Any) -> Any:
        if not isinstance(part, TensorSpec) or part.shape.rank is None:
            return part
        return TensorSpec(sizes(tuple(part.shape)), part.dtype)

    return each(leaf, spec)


def in_common(one: Any, other: Any) -> Any:
    """Return the spec that fits two leaves, in which a size that differs is unknown."""
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec):
        return one
    return TensorSpec(one.shape.most_specific_compatible_shape(other.shape), one.dtype)


# --- arguments ---


def whole(value: Any) -> int:
    """Convert a count to a Python integer.

    Raises:
        TypeError: the count is not an integer.
    """
    given = convert_to_tensor(value, dtypes.int64) if isinstance(value, TensorLike) else value
    number = as_array(given, dtypes.int64)
    if number.ndim:
        raise TapeTypeError(f"A count must be a scalar, but is {value!r}.", fix="pass an `int`")
    return int(number)

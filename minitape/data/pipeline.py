"""Pipeline: what every dataset is, a promise of elements.

    kind           what TensorFlow calls a dataset of this making, for its repr
    elements       begins a pass over the data
    cardinality    how many elements a pass has; INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
    spec           structure, shapes and dtypes of an element

Nothing runs when a dataset is made. A pass is a Python generator that pulls from the generator before it, so that one element
after the other goes through the whole pipeline, and each `for` begins a pass of its own.
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
from minitape.core.tensor import ArrayFace, Tensor
from minitape.data.elements import Flow, as_tensors, each
from minitape.data.options import Options
from minitape.errors import (
    InvalidArgumentError,
    OutOfRangeError,
    TapeAttributeError,
    TapeTypeError,
)
from minitape.missing.known import missing

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2

Pass = PythonIterator[Any]


class _Kind(type):
    """Names that are asked of the class: `Dataset.list_files`."""

    def __getattr__(cls, name: str) -> Any:
        raise missing(cls, name, partial(vars, cls))


class Pipeline(Flow, metaclass=_Kind):
    """A promise of elements, which is kept anew each time that somebody iterates."""

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
        """A dataset that is made from this one; where nothing is said, its elements are as many and of the same kind."""
        many = self._cardinality if cardinality is None else cardinality
        kin = lambda: self.element_spec  # noqa: E731  # asked late: finding it out may run the user's function
        return type(self)(kind, elements, many, spec or kin, self._options)

    # --- what an element is ---

    @cached_property
    def element_spec(self) -> Any:
        """Structure, shapes and dtypes of an element; None stands for a size that differs from one to the next.

        Unlike TensorFlow, a function given to `map` is not traced: what it returns is found out by running it on the first
        element, when somebody asks.
        """
        return self._spec()

    def cardinality(self) -> Tensor:
        """How many elements a pass has, as an int64 tensor.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cardinality
        """
        return Tensor(np.int64(self._cardinality))

    def __len__(self) -> int:
        """How many elements a pass has.

        Raises:
            TypeError: nobody knows, or there is no end.
        """
        if self._cardinality == INFINITE_CARDINALITY:
            raise TapeTypeError("The dataset is infinite.", fix="dataset.take(n), which is finite")
        if self._cardinality == UNKNOWN_CARDINALITY:
            raise TapeTypeError(
                "The dataset length is unknown.",
                fix="sum(1 for _ in dataset), which iterates over the dataset",
            )
        return self._cardinality

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{self._kind} element_spec={self.element_spec!r}>"

    def __getattr__(self, name: str) -> Any:
        if name == "element_spec":
            return self._spec()  # the user's function raised AttributeError: let it be seen
        raise missing(type(self), name, partial(dir, self))

    # --- its elements ---

    def __iter__(self) -> "Iterator":
        return Iterator(self)

    def as_numpy_iterator(self) -> "NumpyIterator":
        """The elements as NumPy arrays and scalars.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#as_numpy_iterator
        """
        return NumpyIterator(self)

    def get_single_element(self, name: str | None = None) -> Any:
        """The element of a dataset that has one.

        Args:
            name: Ignored.

        Raises:
            InvalidArgumentError: it has none, or several.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#get_single_element
        """
        elements = self._elements()
        nothing = object()
        element = next(elements, nothing)
        if element is nothing:
            raise InvalidArgumentError("get_single_element: Dataset was empty.")
        if next(elements, nothing) is not nothing:
            raise InvalidArgumentError(
                "get_single_element: Dataset had more than one element.",
                fix="dataset.take(1).get_single_element(), or next(iter(dataset))",
            )
        return as_tensors(element)

    # --- settings ---

    def options(self) -> Options:
        """What `with_options` gave it.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#options
        """
        return self._options

    def with_options(self, options: Options, name: str | None = None) -> Self:
        """The same dataset with other options, none of which changes what comes out of it.

        Args:
            options: See `Options`.
            name: Ignored.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#with_options
        """
        if not isinstance(options, Options):
            raise TapeAttributeError(
                f"`with_options` needs a tf.data.Options, but got {options!r}."
            )
        same = self._then("_OptionsDataset", self._elements)
        same._options = options
        return same

    def apply(self, transformation_func: Callable[[Any], Any]) -> Self:
        """`transformation_func(dataset)`, so that it can stand in a chain of calls.

        Raises:
            TypeError: the function returns no dataset.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#apply
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, type(self)):
            raise TapeTypeError(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(dataset)}."
            )
        return dataset


def dataset_given(dataset: Any) -> Pipeline:
    """A dataset.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(dataset, Pipeline):
        raise TapeTypeError(
            f"`dataset` must be a tf.data.Dataset, but is {dataset!r}.",
            fix="tf.data.Dataset.from_tensor_slices(x)",
        )
    return dataset


class Iterator:
    """One pass over a dataset.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/Iterator
    """

    def __init__(self, dataset: Pipeline) -> None:
        self._dataset = dataset_given(dataset)
        self._elements = dataset._elements()

    @property
    def element_spec(self) -> Any:
        """Structure, shapes and dtypes of an element."""
        return self._dataset.element_spec

    def __iter__(self) -> "Iterator":
        return self

    def __next__(self) -> Any:
        return as_tensors(next(self._elements))

    def get_next(self) -> Any:
        """The next element.

        Raises:
            OutOfRangeError: the pass is over.
        """
        for element in self._elements:
            return as_tensors(element)
        raise OutOfRangeError(
            "End of sequence: this iterator has no more elements.",
            fix="iter(dataset) for another pass, or dataset.repeat() for an endless dataset",
        )


class NumpyIterator:
    """One pass over a dataset, in NumPy's arrays and scalars."""

    def __init__(self, dataset: Pipeline) -> None:
        self._elements = dataset_given(dataset)._elements()

    def __iter__(self) -> "NumpyIterator":
        return self

    def __next__(self) -> Any:
        return each(_for_numpy, next(self._elements))


def _for_numpy(leaf: Any) -> Any:
    """An array of the user's own; text of rank 0 is bytes. A dataset inside, as from `window`, is iterated the same way."""
    if isinstance(leaf, Pipeline):
        return NumpyIterator(leaf)
    if leaf is None:
        return None
    array = np.asarray(leaf)
    return array.copy() if array.ndim else array[()]


# --- specs ---


class NoneTensorSpec:
    """Stands in an `element_spec` where the elements hold None."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneTensorSpec)

    def __hash__(self) -> int:
        return hash(NoneTensorSpec)

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


class DatasetSpec:
    """Stands in an `element_spec` where the elements hold datasets.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/DatasetSpec
    """

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec
        self._dataset_shape = TensorShape(dataset_shape)

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self._dataset_shape!r})"


def spec_of(element: Any) -> Any:
    """The spec of an element whose sizes are all known."""
    return each(_spec_of_leaf, element)


def _spec_of_leaf(leaf: Any) -> Any:
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, Pipeline):
        return DatasetSpec(leaf.element_spec)
    return TensorSpec(leaf.shape, dtypes.of(leaf))


def resized(spec: Any, sizes: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Any:
    """The same spec with `sizes(shape)` for each shape in it; a shape that is not known stays so."""

    def leaf(part: Any) -> Any:
        if not isinstance(part, TensorSpec) or part.shape.rank is None:
            return part
        return TensorSpec(sizes(tuple(part.shape)), part.dtype)

    return each(leaf, spec)


def in_common(one: Any, other: Any) -> Any:
    """The spec of leaves of both kinds: a size in which they differ is unknown."""
    if not isinstance(one, TensorSpec) or not isinstance(other, TensorSpec):
        return one
    return TensorSpec(one.shape.most_specific_compatible_shape(other.shape), one.dtype)


# --- arguments ---


def whole(value: Any) -> int:
    """A count that a user gave, as a Python number.

    Raises:
        TypeError: it is no whole number.
    """
    given = convert_to_tensor(value, dtypes.int64) if isinstance(value, ArrayFace) else value
    number = as_array(given, dtypes.int64)
    if number.ndim:
        raise TapeTypeError(f"A count must be a scalar, but is {value!r}.", fix="an int")
    return int(number)

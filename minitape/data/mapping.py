"""Apply a user's function to elements.

    map                    transform each element
    filter, take_while     select elements
    flat_map, interleave   transform each element into a dataset, and join the datasets one after the other or alternately
    scan, reduce           combine each element with a state

Unlike TensorFlow, minitape does not trace a function into a graph, but runs it as Python code for each element of each pass.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from itertools import count, islice
from typing import Any, Self

import numpy as np

from minitape.core import nest
from minitape.core.convert import as_array
from minitape.core.eager import TensorSpec
from minitape.data.elements import UserFunction, as_tensors, each, entered, unpacked
from minitape.data.pipeline import (
    UNKNOWN_CARDINALITY,
    Pass,
    Pipeline,
    in_common,
    spec_of,
    whole,
)
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError


class Mapping(Pipeline):
    """The methods of Dataset that apply a user's function."""

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Self:
        """Apply `map_func` to each element.

        Args:
            map_func: Function that takes an element (a tuple is unpacked into arguments) and returns the new element.
            num_parallel_calls: Ignored, because it changes no element.
            deterministic: Ignored, because minitape always preserves the order.
            synchronous: Ignored.
            use_unbounded_threadpool: Ignored.
            name: Ignored.

        Returns:
            A dataset of the results.

        Raises:
            ValueError: `map_func` is not callable.

        Gradient: There is none, as in TensorFlow, because a tape does not record the function. Compute with variables in the
        training loop.

        >>> from minitape.data import Dataset
        >>> list(Dataset.range(3).map(lambda x: x * x).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(4)]

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#map
        """
        _check_callable(map_func, "map_func")

        def elements() -> Pass:
            function = UserFunction(map_func, "tf.data.Dataset.map")
            return (function(*unpacked(element)) for element in self._elements())

        return self._then(
            "_MapDataset" if num_parallel_calls is None else "_ParallelMapDataset",
            elements,
            spec=lambda: _spec_of_results(self, map_func),
        )

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Self:
        """Return the elements for which `predicate` is true.

        Args:
            predicate: Function that takes an element, as in `map`, and returns a scalar bool.
            name: Ignored.

        Returns:
            A dataset of the selected elements.

        Raises:
            ValueError: `predicate` does not return a scalar bool (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#filter
        """
        _check_callable(predicate, "predicate")

        def elements() -> Pass:
            holds = _Predicate(predicate, "filter")
            return filter(holds, self._elements())

        return self._then("_FilterDataset", elements, cardinality=UNKNOWN_CARDINALITY)

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Self:
        """Return the elements before the first element for which `predicate` is false.

        Args:
            predicate: Function that takes an element, as in `map`, and returns a scalar bool.
            name: Ignored.

        Returns:
            A dataset of the selected elements.

        Raises:
            ValueError: `predicate` does not return a scalar bool (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#take_while
        """
        _check_callable(predicate, "predicate")

        def elements() -> Pass:
            holds = _Predicate(predicate, "take_while")
            for element in self._elements():
                if not holds(element):
                    return
                yield element

        return self._then("_TakeWhileDataset", elements, cardinality=UNKNOWN_CARDINALITY)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Self:
        """Return pairs of an index and an element.

        Args:
            start: The first index.
            name: Ignored.

        Returns:
            A dataset of pairs (int64, element).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#enumerate
        """
        first = whole(start)
        number = TensorSpec((), np.int64)
        return self._then(
            "_ZipDataset",
            lambda: zip(map(np.int64, count(first)), self._elements()),
            spec=lambda: (number, self.element_spec),
        )

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Self:
        """Transform each element into a dataset, and return the elements of these datasets one after the other.

        Args:
            map_func: Function that takes an element, as in `map`, and returns a dataset.
            name: Ignored.

        Returns:
            A dataset of the elements of all these datasets.

        Raises:
            TypeError: `map_func` does not return a dataset (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#flat_map
        """
        _check_callable(map_func, "map_func")

        def elements() -> Pass:
            made = _Datasets(map_func, "flat_map")
            for element in self._elements():
                yield from made(element)._elements()

        return self._then(
            "_FlatMapDataset",
            elements,
            cardinality=UNKNOWN_CARDINALITY,
            spec=lambda: _spec_of_made(self, map_func, "flat_map"),
        )

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Transform each element into a dataset, and interleave the elements of several of these datasets.

        Args:
            map_func: Function that takes an element, as in `map`, and returns a dataset.
            cycle_length: How many datasets are interleaved; by default the number of processors.
            block_length: How many consecutive elements are taken from a dataset before the next dataset; 1 by default.
            num_parallel_calls: Ignored, because it changes no element.
            deterministic: Ignored, because minitape always preserves the order.
            name: Ignored.

        Returns:
            A dataset of the elements of all these datasets.

        Raises:
            ValueError: a length is below 1.
            TypeError: `map_func` does not return a dataset (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#interleave
        """
        _check_callable(map_func, "map_func")
        slots = os.cpu_count() or 1
        if cycle_length is not None and whole(cycle_length) != -1:
            slots = _at_least_1("cycle_length", cycle_length)
        block = 1 if block_length is None else _at_least_1("block_length", block_length)
        return self._then(
            "_InterleaveDataset" if num_parallel_calls is None else "_ParallelInterleaveDataset",
            lambda: _interleaved(self._elements(), _Datasets(map_func, "interleave"), slots, block),
            cardinality=UNKNOWN_CARDINALITY,
            spec=lambda: _spec_of_made(self, map_func, "interleave"),
        )

    def scan(
        self, initial_state: Any, scan_func: Callable[[Any, Any], Any], name: str | None = None
    ) -> Self:
        """Transform elements while updating a state: `scan_func(state, element)` returns the next state and the new element.

        Args:
            initial_state: The first state of each pass, consisting of numbers, tensors, or tuples and dicts of them.
            scan_func: Function of the state and an element that returns a pair (next state, new element).
            name: Ignored.

        Returns:
            A dataset of the new elements.

        Raises:
            TypeError: `scan_func` does not return a pair (raised during iteration).

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#scan
        """
        _check_callable(scan_func, "scan_func")
        start = entered(initial_state, "tf.data.Dataset.scan")

        def elements() -> Pass:
            function = UserFunction(scan_func, "tf.data.Dataset.scan")
            state = start
            for element in self._elements():
                answer = function(state, element)
                if type(answer) is not tuple or len(answer) != 2:
                    raise TapeTypeError(
                        "The scan function must return a pair comprising the new state and the output value.",
                        fix="return `state, output`",
                    )
                state = _next_state(state, answer[0], "scan")
                yield answer[1]

        return self._then(
            "_ScanDataset", elements, spec=lambda: _spec_of_first(elements, self, "scan")
        )

    def reduce(
        self, initial_state: Any, reduce_func: Callable[[Any, Any], Any], name: str | None = None
    ) -> Any:
        """Combine all elements into one value: `reduce_func(state, element)` returns the next state.

        Args:
            initial_state: The first state, consisting of numbers, tensors, or tuples and dicts of them.
            reduce_func: Function of the state and an element that returns the next state, with the same structure, dtypes
                and shapes.
            name: Ignored.

        Returns:
            The last state.

        Raises:
            TypeError: the next state has a different structure or dtype.

        Gradient: There is none, as in TensorFlow.

        Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset#reduce
        """
        _check_callable(reduce_func, "reduce_func")
        function = UserFunction(reduce_func, "tf.data.Dataset.reduce")
        state = entered(initial_state, "tf.data.Dataset.reduce")
        for element in self._elements():
            state = _next_state(state, function(state, element), "reduce")
        return as_tensors(state)


def _check_callable(function: Any, what: str) -> None:
    if not callable(function):
        raise TapeValueError(
            f"Argument `{what}` must be a callable. Received {function!r} (of type {type(function)}).",
            fix="pass `lambda x: ...`",
        )


def _at_least_1(what: str, value: Any) -> int:
    number = whole(value)
    if number < 1:
        raise InvalidArgumentError(f"`{what}` must be greater than zero, but is {number}.")
    return number


class _Predicate:
    """A user's condition during one pass."""

    def __init__(self, predicate: Callable[..., Any], method: str) -> None:
        self._function = UserFunction(predicate, f"tf.data.Dataset.{method}")

    def __call__(self, element: Any) -> bool:
        answer = self._function(*unpacked(element))
        if getattr(answer, "shape", None) != () or answer.dtype != np.bool_:
            shown = each(
                lambda leaf: (getattr(leaf, "dtype", None), getattr(leaf, "shape", None)), answer
            )
            raise TapeValueError(
                "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return type is "
                f"{shown}.",
                fix="return a comparison of scalars, such as `x > 0`; for several elements, use `tf.reduce_all(...)`",
            )
        return bool(answer)


class _Datasets:
    """A user's function that returns datasets, during one pass."""

    def __init__(self, function: Callable[..., Any], method: str) -> None:
        self._function = UserFunction(function, f"tf.data.Dataset.{method}")
        self._method = method

    def __call__(self, element: Any) -> Pipeline:
        dataset = self._function(*unpacked(element))
        if not isinstance(dataset, Pipeline):
            raise TapeTypeError(
                f"`map_func` must return a `Dataset` object. {self._method} got {type(dataset).__name__}.",
                fix="use `dataset.map(...)`, or return `tf.data.Dataset.from_tensors(x)`",
            )
        return dataset


def _interleaved(elements: Pass, made: _Datasets, slots: int, block: int) -> Pass:
    """Yield elements of several datasets alternately. Each dataset occupies a slot.

    An empty slot takes the next dataset. When its dataset ends, a slot stays empty for one cycle.
    """
    open_passes: list[Pass | None] = [None] * slots
    slot = taken = 0
    more = True
    while more or any(each_pass is not None for each_pass in open_passes):
        current = open_passes[slot]
        if current is None and more:
            element = next(elements, _END)
            more = element is not _END
            if more:
                open_passes[slot] = made(element)._elements()
            continue
        value = _END if current is None else next(current, _END)
        if value is _END:
            open_passes[slot] = None
        else:
            yield value
            taken += 1
        if value is _END or taken == block:
            slot, taken = (slot + 1) % slots, 0


_END = object()


def _next_state(before: Any, after: Any, method: str) -> Any:
    nest.assert_same_structure(before, after)
    for old, new in zip(nest.flatten(before), nest.flatten(after), strict=True):
        if old.dtype != new.dtype:
            raise TapeTypeError(
                f"`{method}`: the dtype of the state changed from {old.dtype} to {new.dtype}.",
                fix=f"pass an initial state of dtype {new.dtype}, such as `tf.constant(0, tf.{new.dtype})`",
            )
    return after


# --- the spec of the results ---


def _spec_of_first(elements: Callable[[], Pass], source: Pipeline, method: str) -> Any:
    element = next(elements(), _END)
    if element is not _END:
        return spec_of(element)
    raise TapeValueError(
        f"minitape infers the `element_spec` of `{method}` from the first element, but this dataset is empty."
    )


def _spec_of_results(source: Pipeline, function: Callable[..., Any]) -> Any:
    """Return the spec of the function's results for the first elements, in which sizes that differ are unknown."""
    calling = UserFunction(function, "tf.data.Dataset.map")
    given = source.element_spec
    elements = list(islice(source._elements(), 2)) or [each(_made_up, given)]
    answers = [spec_of(calling(*unpacked(element))) for element in elements]
    other = _with_other_sizes(elements[0], given)
    if other is not None:
        # A function may fail for an artificial element even if it works for the actual elements.
        with suppress(Exception):
            answers.append(spec_of(calling(*unpacked(other))))
    return reduce(lambda one, other: nest.map_structure(in_common, one, other), answers)


def _made_up(spec: Any) -> Any:
    if not isinstance(spec, TensorSpec):
        return None
    shape = [1 if size is None else size for size in spec.shape or ()]
    return as_array(
        np.full(shape, b"" if spec.dtype.numpy.kind == "O" else 0, spec.dtype.numpy), None
    )


def _with_other_sizes(element: Any, spec: Any) -> Any:
    """Return the element with a different size for each unknown size in its spec, or None if all sizes are known."""
    changed = False

    def leaf(array: Any, known: Any) -> Any:
        nonlocal changed
        for axis, size in enumerate(getattr(known, "shape", None) or ()):
            if size is None and array.shape[axis]:
                changed = True
                # Slicing is not enough, because one row may have to become two.
                array = array.repeat(2, axis) if array.shape[axis] == 1 else array.take([0], axis)
        return array

    other = nest.map_structure(leaf, element, spec)
    return other if changed else None


def _spec_of_made(source: Pipeline, function: Callable[..., Any], method: str) -> Any:
    element = next(source._elements(), _END)
    if element is _END:
        element = each(_made_up, source.element_spec)
    return _Datasets(function, method)(element).element_spec

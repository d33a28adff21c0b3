"""The elements of a pipeline, which are structures of arrays that become tensors only for the user's code.

    entered       converts a user's value to an element: tuples and dicts are kept, other objects become arrays
    as_tensors    converts an element to the form in which the user gets it
    call          calls a user's function with an element
    each, joined  apply a function to each leaf of one element, or to the leaves of several elements

As in TensorFlow, a list is not a structure but a value: [[1, 2], [3, 4]] is a matrix, while ([1, 2], [3, 4]) is two vectors.

Tapes do not record a pipeline. TensorFlow compiles its functions into separate graphs; minitape runs them with all tapes
paused. The results of these functions are therefore constants for a tape.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minitape.core import events, listeners
from minitape.core.convert import as_array, convert_to_tensor
from minitape.core.recorders import NO_TAPE, Record, Recorder, thread
from minitape.core.tensor import Tensor, TensorLike
from minitape.core.values import ARRAY_TYPES


class DatasetBase:
    """The base class of Dataset. An element may contain datasets, as the elements of `window` do."""


def each(function: Callable[[Any], Any], element: Any) -> Any:
    """Apply `function` to each leaf of an element and return the results in its structure."""
    kind = type(element)
    if kind is tuple:
        return tuple([each(function, part) for part in element])
    if isinstance(element, Mapping):
        filled = {key: each(function, part) for key, part in element.items()}
        return filled if kind is dict else kind(filled)
    if isinstance(element, tuple):
        return kind(*(each(function, part) for part in element))
    return function(element)


def joined(join: Callable[[Sequence[Any]], Any], elements: Sequence[Any]) -> Any:
    """Apply `join` to the leaves at each position of several elements."""
    first = elements[0]
    kind = type(first)
    if kind is tuple:
        return tuple([joined(join, column) for column in zip(*elements, strict=True)])
    if isinstance(first, Mapping):
        filled = {key: joined(join, [element[key] for element in elements]) for key in first}
        return filled if kind is dict else kind(filled)
    if isinstance(first, tuple):
        return kind(*(joined(join, column) for column in zip(*elements, strict=True)))
    return join(elements)


# --- conversion from and to the user's values ---


def entered(value: Any, via: str) -> Any:
    """Convert a number, tensor, list, tuple or dict of the user to an element; `via` is the name of the called function.

    Raises:
        ValueError, TypeError: a leaf cannot be converted to a tensor.
    """

    def leaf(given: Any) -> Any:
        if given is None or isinstance(given, DatasetBase):
            return given
        if type(given) in ARRAY_TYPES:
            return convert_to_tensor(given)._array
        # A list may contain tensors, which an op must stack.
        return _numbers_of(
            given if isinstance(given, TensorLike) else convert_to_tensor(given), via
        )

    return each(leaf, value)


def _numbers_of(tensor: TensorLike, via: str) -> Any:
    array = tensor._array
    return _left((tensor,), via, array) if listeners.active else array


def _left(used: tuple[TensorLike, ...], via: str, leaf: Any) -> Any:
    """Return the array of a leaf that was computed from `used`, or the object with which a listener replaces it."""
    if leaf is None or isinstance(leaf, DatasetBase):
        return leaf
    # np.stack keeps the mark of an array, but not of a NumPy scalar.
    return listeners.hand_out(used, via, np.asarray(leaf))


def as_tensors(element: Any) -> Any:
    """Convert an element to new tensors in the same structure, as the user gets it."""
    return each(_tensor, element)


def _tensor(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, DatasetBase):
        return leaf
    tensor = Tensor(leaf if type(leaf) in ARRAY_TYPES else as_array(leaf, None))
    if listeners.active:
        listeners.emit(events.Entered(tensor, leaf, "tf.data.Dataset"))
    return tensor


# --- the user's functions ---


class UserFunction:
    """A user's function for a dataset, which is called with tensors while all tapes and listeners are paused.

    Listeners get a single event, which reports that watched values that the function used have left the tape.
    """

    def __init__(self, function: Callable[..., Any], via: str) -> None:
        self._function = function
        self._via = via

    def __call__(self, *elements: Any) -> Any:
        """Return the function's result as an element. The caller unpacks tuples."""
        if not listeners.active:
            return entered(_off_tape((), self._function, elements), self._via)
        recorder = _UseRecorder(thread.active)
        active, listeners.active = listeners.active, ()
        try:
            answer = entered(_off_tape((recorder,), self._function, elements), self._via)
        finally:
            listeners.active = active
        if not recorder.seen:
            return answer
        used = tuple(recorder.seen.values())
        return each(lambda leaf: _left(used, self._via, leaf), answer)


def unpacked(element: Any) -> tuple[Any, ...]:
    """Return the arguments for an element; a tuple is unpacked, as in TensorFlow."""
    return element if type(element) is tuple else (element,)


def _off_tape(
    recording: tuple[Recorder, ...], function: Callable[..., Any], elements: tuple[Any, ...]
) -> Any:
    before = thread.active
    tensors = [as_tensors(element) for element in elements]
    thread.active = recording
    try:
        answer = function(*tensors)
        return tuple(answer) if type(answer) is list else answer
    finally:
        thread.active = before


class _UseRecorder:
    """A recorder in place of a tape, which records only which watched values are used."""

    number = NO_TAPE
    watches_variables = True

    def __init__(self, tapes: tuple[Recorder, ...]) -> None:
        self._watched_before: set[int] = set().union(*(tape.watched for tape in tapes))
        self.watched = set(self._watched_before)
        self.seen: dict[int, TensorLike] = {}

    @property
    def records(self) -> "_UseRecorder":
        return self

    def append(self, record: Record, /) -> None:
        for value in record.as_tensors()[1]:
            if isinstance(value, Tensor) and value._id in self._watched_before:
                self.seen[value._id] = value

    def see(self, variable: Any) -> None:
        self.seen[variable._id] = variable

"""What travels through a pipeline: elements made of arrays, which become tensors only where a user's code sees them.

    entered      what a user gives, as an element: tuples and dicts stay, all else becomes an array
    as_tensors   an element as a user gets it
    call         a user's function of an element
    each, joined leaf by leaf: of one element; of many, into one

A list is no structure here but a value, as in TensorFlow: [[1, 2], [3, 4]] is one matrix, ([1, 2], [3, 4]) are two vectors.

A tape does not see into a pipeline. TensorFlow compiles its functions into graphs of their own; here they run with all tapes
paused. What they compute comes out as data.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minitape.core import events, listeners
from minitape.core.convert import as_array, convert_to_tensor
from minitape.core.recorders import NO_TAPE, Record, Recorder, thread
from minitape.core.tensor import ArrayFace, Tensor
from minitape.core.values import ARRAY_TYPES


class Flow:
    """The kin of Dataset. An element may hold some: `window` gives datasets."""


def each(function: Callable[[Any], Any], element: Any) -> Any:
    """`function` of each leaf, in the structure of the element."""
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
    """`join` of what all elements have at one leaf, for each leaf of their structure."""
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


# --- from the user, and to the user ---


def entered(value: Any, via: str) -> Any:
    """The element that a user means by a number, tensor, list, tuple or dict; `via` is the function it was given to.

    Raises:
        ValueError, TypeError: a leaf cannot become a tensor.
    """

    def leaf(given: Any) -> Any:
        if given is None or isinstance(given, Flow):
            return given
        if type(given) in ARRAY_TYPES:
            return convert_to_tensor(given)._array
        # A list may hold tensors: they are stacked, by an op.
        return _numbers_of(given if isinstance(given, ArrayFace) else convert_to_tensor(given), via)

    return each(leaf, value)


def _numbers_of(tensor: ArrayFace, via: str) -> Any:
    array = tensor._array
    return _left((tensor,), via, array) if listeners.active else array


def _left(used: tuple[ArrayFace, ...], via: str, leaf: Any) -> Any:
    """The numbers of a leaf that was made of `used`, as who listens wants them to be."""
    if leaf is None or isinstance(leaf, Flow):
        return leaf
    # A mark goes through np.stack on an array, and not on NumPy's scalars.
    return listeners.hand_out(used, via, np.asarray(leaf))


def as_tensors(element: Any) -> Any:
    """The element as a user gets it: new tensors in its structure."""
    return each(_tensor, element)


def _tensor(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, Flow):
        return leaf
    tensor = Tensor(leaf if type(leaf) in ARRAY_TYPES else as_array(leaf, None))
    if listeners.active:
        listeners.tell(events.Entered(tensor, leaf, "tf.data.Dataset"))
    return tensor


# --- the user's functions ---


class Function:
    """A function that a user gave to a dataset: it is called with tensors, out of the sight of all tapes and listeners.

    Whoever listens is told one thing: what a gradient may be asked for, and the function used, left through it.
    """

    def __init__(self, function: Callable[..., Any], via: str) -> None:
        self._function = function
        self._via = via

    def __call__(self, *elements: Any) -> Any:
        """The function's answer as an element. A tuple is unpacked by who calls."""
        if not listeners.active:
            return entered(_off_tape((), self._function, elements), self._via)
        lookout = _Lookout(thread.active)
        hearing, listeners.active = listeners.active, ()
        try:
            answer = entered(_off_tape((lookout,), self._function, elements), self._via)
        finally:
            listeners.active = hearing
        if not lookout.seen:
            return answer
        used = tuple(lookout.seen.values())
        return each(lambda leaf: _left(used, self._via, leaf), answer)


def unpacked(element: Any) -> tuple[Any, ...]:
    """The arguments that an element becomes: a tuple is taken apart, as TensorFlow does."""
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


class _Lookout:
    """Stands where a tape would, and only remembers what it would have recorded the use of."""

    number = NO_TAPE
    watches_variables = True

    def __init__(self, tapes: tuple[Recorder, ...]) -> None:
        self._asked: set[int] = set().union(*(tape.watched for tape in tapes))
        self.watched = set(self._asked)
        self.seen: dict[int, ArrayFace] = {}

    @property
    def records(self) -> "_Lookout":
        return self

    def append(self, record: Record, /) -> None:
        for value in record.as_tensors()[1]:
            if isinstance(value, Tensor) and value._id in self._asked:
                self.seen[value._id] = value

    def see(self, variable: Any) -> None:
        self.seen[variable._id] = variable

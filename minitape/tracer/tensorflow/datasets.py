"""Follows values into datasets. For every tape, the elements of a dataset are constants that were made from values that left
TensorFlow earlier.

A dataset and its iterator are handles inside TensorFlow. For each handle, this module stores the values that left TensorFlow
when the handle was created: separately for each component of an element, or together if a function mixes the components.
"""

from __future__ import annotations

import weakref
from typing import Any

from minitape.tracer.engine import EventSink
from minitape.tracer.tensorflow.internals import Privates
from minitape.tracer.tensorflow.values import TensorFlowValues

_SOURCES = ("TensorDataset", "TensorSliceDataset")
_MAKES_ITERATOR = "MakeIterator"
_GIVES_ELEMENT = ("IteratorGetNext", "IteratorGetNextSync")

Left = tuple[
    Any, ...
]  # the values that left TensorFlow, for each component of an element; None for a component that was not a tensor


class Datasets:
    """Follows values through datasets.

    Args:
        tf: The private names of TensorFlow.
        values: Identifies values.
        sink: Receives the events, and marks the arrays that leave.
    """

    def __init__(self, tf: Privates, values: TensorFlowValues, sink: EventSink) -> None:
        self._kind = tf.public.data.Dataset
        self._values = values
        self._sink = sink
        self._held: dict[int, tuple[Any, Left]] = {}

    def op_ran(
        self,
        op: str,
        inputs: tuple[Any, ...],
        given: tuple[Any, ...],
        is_mixing: bool,
        outputs: Any,
        method: str,
    ) -> None:
        """Note an op that creates a dataset or an iterator.

        Args:
            op: The name of the op.
            inputs: Its inputs, tensors and handles.
            given: The value that the program passed for each input.
            is_mixing: Whether a function of the program computes the elements.
            outputs: Its outputs.
            method: The function that the program called.
        """
        if op == _MAKES_ITERATOR:
            self._hold(inputs[1], self._left_through(inputs[0]))
        elif "Dataset" in op and outputs and self._values.is_inside(outputs[0]):
            self._hold(outputs[0], self._left_for(op, inputs, given, is_mixing, method))

    def elements(self, op: str, inputs: tuple[Any, ...], outputs: Any) -> Left:
        """Return the values that left TensorFlow for each component of an element; None for components without such a value."""
        left = self._left_through(inputs[0]) if op in _GIVES_ELEMENT else ()
        if len(left) == len(outputs):
            return left
        return (list(left) if any(each is not None for each in left) else None,) * len(outputs)

    def _left_for(
        self, op: str, inputs: tuple[Any, ...], given: tuple[Any, ...], is_mixing: bool, method: str
    ) -> Left:
        if op in _SOURCES:
            return tuple(self._leaving(each, method) for each in given)
        before = [each for dataset in inputs for each in self._left_through(dataset)]
        used = [
            self._leaving(each, method)
            for each in given
            if self._values.is_value(each)
            and not self._values.is_inside(each)
            and not self._values.is_whole(each)
        ]
        return ([*before, *used],) if is_mixing or used else tuple(before)

    def _leaving(self, given: Any, method: str) -> Any:
        """Return the array that represents a tensor or variable after it has left; an array is returned unchanged."""
        if not self._values.is_value(given):
            return given
        if not hasattr(self._kind, method):
            return None
        numbers = self._values.numbers_of(given)
        return self._sink.hand_out((given,), f"tf.data.Dataset.{method}", numbers)

    def _left_through(self, handle: Any) -> Left:
        held = self._held.get(handle._id) if isinstance(handle, self._values.tensor) else None
        return () if held is None else held[1]

    def _hold(self, handle: Any, left: Left) -> None:
        """Keep an object alive as long as the handle exists."""
        if left:
            key = handle._id
            self._held[key] = weakref.ref(handle, lambda _: self._held.pop(key, None)), left

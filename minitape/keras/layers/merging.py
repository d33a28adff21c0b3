"""Layers that make one value of several, and the same as functions.

Source: https://keras.io/api/layers/merging_layers/
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras.layers.layer import Layer
from minitape.ops import arithmetic, extremes, joining


class _Merge(Layer):
    """Takes a list of values, as one argument."""

    def call(self, inputs: Any) -> Value:
        if not isinstance(inputs, list | tuple):
            raise TapeValueError(
                f"A merge layer should be called on a list of inputs, and layer '{self.name}' was "
                "given one value.",
                fix=f"tf.keras.layers.{type(self).__name__}()([a, b])",
                code="MT507",
            )
        return self._merged(list(inputs))

    def _merged(self, values: list[Value]) -> Value:
        raise NotImplementedError


class _OneByOne(_Merge):
    """Merges two values, then the result with the third, and so on."""

    of_two: Callable[[Value, Value], Value]

    def _merged(self, values: list[Value]) -> Value:
        return reduce(type(self).of_two, values)


class Add(_OneByOne):
    """a + b + ..."""

    of_two = staticmethod(arithmetic.add)


class Subtract(_OneByOne):
    """a - b."""

    of_two = staticmethod(arithmetic.subtract)


class Multiply(_OneByOne):
    """a · b · ..."""

    of_two = staticmethod(arithmetic.multiply)


class Maximum(_OneByOne):
    """The largest at each place."""

    of_two = staticmethod(extremes.maximum)


class Minimum(_OneByOne):
    """The smallest at each place."""

    of_two = staticmethod(extremes.minimum)


class Average(_OneByOne):
    """The mean at each place."""

    of_two = staticmethod(arithmetic.add)

    def _merged(self, values: list[Value]) -> Value:
        return super()._merged(values) / float(len(values))


class Concatenate(_Merge):
    """Side by side along `axis`."""

    def __init__(self, axis: int = -1, **settings: Any) -> None:
        super().__init__(**settings)
        self.axis = axis

    def _merged(self, values: list[Value]) -> Value:
        return joining.concat(values, self.axis)


def add(inputs: Any, **settings: Any) -> Value:
    """`Add` as a function."""
    return Add(**settings)(inputs)


def subtract(inputs: Any, **settings: Any) -> Value:
    """`Subtract` as a function."""
    return Subtract(**settings)(inputs)


def multiply(inputs: Any, **settings: Any) -> Value:
    """`Multiply` as a function."""
    return Multiply(**settings)(inputs)


def average(inputs: Any, **settings: Any) -> Value:
    """`Average` as a function."""
    return Average(**settings)(inputs)


def maximum(inputs: Any, **settings: Any) -> Value:
    """`Maximum` as a function."""
    return Maximum(**settings)(inputs)


def minimum(inputs: Any, **settings: Any) -> Value:
    """`Minimum` as a function."""
    return Minimum(**settings)(inputs)


def concatenate(inputs: Any, axis: int = -1, **settings: Any) -> Value:
    """`Concatenate` as a function."""
    return Concatenate(axis, **settings)(inputs)

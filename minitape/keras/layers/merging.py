"""Layers that make one value of several, and the same as functions.

    Add, Subtract, Multiply, Average, Maximum, Minimum    place by place; shapes broadcast, the batch apart
    Concatenate                                           side by side
    Dot                                                   products along an axis, example by example

Where masks hang on the inputs, a step counts in the answer that counts in one of them. Of a step that a mask takes out, Maximum
and Minimum take the others' numbers and Multiply a 1; to the rest a number is a number.

Source: https://keras.io/api/layers/merging_layers/
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

from minitape.core.arguments import listed
from minitape.core.convert import read_once
from minitape.core.values import Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras.layers.layer import Layer
from minitape.keras.masks import hang, is_masked, mask_of, masks_of
from minitape.ops import arithmetic, extremes, joining
from minitape.ops.axes import canonical_axis
from minitape.ops.broadcasting import broadcast_to
from minitape.ops.comparing import logical_or
from minitape.ops.extremes import reduce_any
from minitape.ops.making import ones_like, zeros_like
from minitape.ops.picking import where
from minitape.ops.products import einsum
from minitape.ops.shaping import expand_dims
from minitape.ops.statistics import l2_normalize


class _Merge(Layer):
    """Takes a list of values, as one argument."""

    supports_masking = True

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list) or not all(
            isinstance(shape, tuple | list) or hasattr(shape, "rank") for shape in input_shape
        ):
            raise TapeValueError(
                f"A merge layer should be called on a list of inputs, and layer '{self.name}' was given one value.",
                fix=f"tf.keras.layers.{type(self).__name__}()([a, b])",
                code="MT507",
            )
        batches = {shape[0] for shape in input_shape if len(shape)} - {None}
        if len(batches) > 1:
            raise TapeValueError(
                f"Cannot merge tensors with different batch sizes. Received tensors with shapes {input_shape}",
                fix="values of one batch",
                code="MT507",
            )

    def call(self, inputs: Any) -> Value:
        values = list(map(read_once, listed(inputs, "inputs")))
        if not values:
            raise TapeTypeError("There is nothing to merge.", fix="a list of tensors")
        return self._merged(values)

    def _merged(self, values: list[Value]) -> Value:
        raise NotImplementedError


class _OneByOne(_Merge):
    """Merges two values, then the result with the third, and so on."""

    _of_two: Callable[[Value, Value], Value]

    def _merged(self, values: list[Value]) -> Value:
        most = max(len(value.shape) for value in values)
        values = [_with_rank(value, most) for value in values]
        return self._reduced(values)

    def _reduced(self, values: list[Value]) -> Value:
        return reduce(type(self)._of_two, values)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """What takes a step out in all inputs takes it out of the answer."""
        if mask is None or any(each is None for each in mask):
            return None
        return reduce(logical_or, mask)


def _with_rank(value: Value, rank: int) -> Value:
    """Shapes broadcast behind the batch: new axes come after the first one."""
    while len(value.shape) < rank:
        value = expand_dims(value, axis=1)
    return value


def _merged_where_it_counts(of_two: Callable[[Value, Value], Value], values: list[Value]) -> Value:
    total, counted = values[0], _spread(values[0])
    for value in values[1:]:
        counts = _spread(value)
        if counts is not None:
            value = where(counts, value, total)
        if counted is not None:
            total = where(counted, total, value)
        both = counts is not None and counted is not None
        counted = logical_or(counted, counts) if both else None
        total = of_two(total, value)
    if counted is not None:
        hang(total, reduce_any(counted, axis=-1))
    return total


def _spread(value: Value) -> Any:
    """A value's mask in the shape of the value."""
    mask = mask_of(value)
    return None if mask is None else broadcast_to(expand_dims(mask, axis=-1), value.shape)


class Add(_OneByOne):
    """a + b + ..."""

    _of_two = staticmethod(arithmetic.add)


class Subtract(_OneByOne):
    """a - b.

    Raises:
        ValueError: there are more values, or fewer.
    """

    _of_two = staticmethod(arithmetic.subtract)

    def _merged(self, values: list[Value]) -> Value:
        if len(values) != 2:
            raise TapeValueError(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received: {len(values)} inputs",
                fix="Subtract()([a, b])",
            )
        return super()._merged(values)


class Multiply(_OneByOne):
    """a · b · ..."""

    _of_two = staticmethod(arithmetic.multiply)

    def _reduced(self, values: list[Value]) -> Value:
        masks = [_spread(value) for value in values]
        pairs = zip(values, masks, strict=True)
        product = super()._reduced(
            [x if m is None else where(m, x, ones_like(x)) for x, m in pairs]
        )
        if any(mask is None for mask in masks):
            return product
        counts = reduce(logical_or, masks)
        product = where(counts, product, zeros_like(product))
        hang(product, reduce_any(counts, axis=-1))
        return product


class _WhereItCounts(_OneByOne):
    """Takes a step that does not count from the others."""

    def _reduced(self, values: list[Value]) -> Value:
        if not is_masked(masks_of(values)):
            return super()._reduced(values)
        return _merged_where_it_counts(type(self)._of_two, values)


class Maximum(_WhereItCounts):
    """The largest at each place."""

    _of_two = staticmethod(extremes.maximum)


class Minimum(_WhereItCounts):
    """The smallest at each place."""

    _of_two = staticmethod(extremes.minimum)


class Average(_OneByOne):
    """The mean at each place."""

    _of_two = staticmethod(arithmetic.add)

    def _merged(self, values: list[Value]) -> Value:
        return super()._merged(values) / float(len(values))


class Concatenate(_Merge):
    """Side by side along `axis`.

    Raises:
        ValueError: the shapes differ on another axis, or a value has no axes.
    """

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if not all(map(len, input_shape)):
            raise TapeValueError(
                f"A `Concatenate` layer joins along an axis, and an input has none. Received: input_shape={input_shape}",
                fix="tf.stack([a, b]) of scalars",
                code="MT507",
            )

    def _merged(self, values: list[Value]) -> Value:
        ranks = {len(value.shape) for value in values}
        at = self.axis % max(ranks)
        others = {tuple(n for i, n in enumerate(value.shape) if i != at) for value in values}
        if len(ranks) > 1 or len(others) > 1:
            raise TapeValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
                f"Received: input_shape={[tuple(value.shape) for value in values]}",
                fix=f"values that only differ in the size of axis {self.axis}",
                code="MT507",
            )
        return joining.concat(values, self.axis)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        if mask is None or all(each is None for each in mask):
            return None
        pairs = zip(inputs, mask, strict=True)
        masks = [ones_like(x, "bool") if m is None else _like(m, x) for x, m in pairs]
        return reduce_any(joining.concat(masks, self.axis), axis=-1)


def _like(mask: Value, value: Value) -> Value:
    return (
        broadcast_to(expand_dims(mask, axis=-1), value.shape)
        if len(mask.shape) < len(value.shape)
        else mask
    )


class Dot(_Merge):
    """Products of two values along an axis of each, example by example.

    Args:
        axes: Which axis is summed away: one number for both, or one for each; the batch is axis 0.
        normalize: Whether both have length 1 along it first, which makes cosines of the products.

    Raises:
        TypeError: `axes` is neither a number nor a list.
        ValueError: the axes are not of one length.

    Source: https://keras.io/api/layers/merging_layers/dot/
    """

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(axes, int | list | tuple):
            raise TapeTypeError(
                f"Invalid type for argument `axes`: it should be a list or an int. Received: axes={axes}",
                fix="axes=1",
            )
        if not isinstance(axes, int) and [type(axis) for axis in axes] != [int, int]:
            raise TapeValueError(
                f"Invalid format for argument `axes`: it should contain two whole numbers. Received: axes={axes}",
                fix="axes=(1, 2)",
            )
        self.axes, self.normalize = axes, normalize

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if len(input_shape) != 2:
            raise TapeValueError(
                f"A `Dot` layer should be called on a list of 2 inputs. Received: input_shape={input_shape}",
                fix="Dot(axes=1)([a, b])",
            )
        first, second = self._axes_for(*input_shape)
        one, other = input_shape[0][first], input_shape[1][second]
        if one != other:
            raise TapeValueError(
                f"Incompatible input shapes: axis values {one} (at axis {first}) != {other} (at axis {second}). "
                f"Full input shapes: {input_shape[0]}, {input_shape[1]}",
                fix="axes of one length",
                code="MT507",
            )

    def _axes_for(self, a: Any, b: Any) -> tuple[int, int]:
        first, second = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        return canonical_axis(first, len(a), "Dot"), canonical_axis(second, len(b), "Dot")

    def _merged(self, values: list[Value]) -> Value:
        a, b = values
        first, second = self._axes_for(a.shape, b.shape)
        if self.normalize:
            a = l2_normalize(a, axis=first)
            b = l2_normalize(b, axis=second)
        # The batch is z, what is summed away y; all other axes are kept, those of a before those of b.
        of_a = ["z", *"abcdefg"[: len(a.shape) - 1]]
        of_b = ["z", *"hijklmn"[: len(b.shape) - 1]]
        of_a[first] = of_b[second] = "y"
        kept = [letter for letter in (*of_a[1:], *of_b[1:]) if letter != "y"]
        y = einsum(f"{''.join(of_a)},{''.join(of_b)}->z{''.join(kept)}", a, b)
        return y if kept else expand_dims(y, axis=-1)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None


def add(inputs: Any, **kwargs: Any) -> Value:
    """`Add` as a function."""
    return Add(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> Value:
    """`Subtract` as a function."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> Value:
    """`Multiply` as a function."""
    return Multiply(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> Value:
    """`Average` as a function."""
    return Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> Value:
    """`Maximum` as a function."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> Value:
    """`Minimum` as a function."""
    return Minimum(**kwargs)(inputs)


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Value:
    """`Concatenate` as a function."""
    return Concatenate(axis, **kwargs)(inputs)


def dot(inputs: Any, axes: Any = -1, **kwargs: Any) -> Value:
    """`Dot` as a function."""
    return Dot(axes, **kwargs)(inputs)

"""Layers that merge several values into one, and functions that do the same.

    Add, Subtract, Multiply, Average, Maximum, Minimum    element by element; all axes except the batch broadcast
    Concatenate                                           along an axis
    Dot                                                   products along an axis, separately for each example

If the inputs have masks, a step of the output is valid if it is valid in at least one input. In a masked step, Maximum and
Minimum use only the other inputs and Multiply uses 1; the other layers use the values as they are.

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
from minitape.keras.masks import attach_mask, is_masked, mask_of, masks_of
from minitape.ops import arithmetic, joining, minmax
from minitape.ops.axes import canonical_axis
from minitape.ops.broadcasting import broadcast_to
from minitape.ops.comparison import logical_or
from minitape.ops.creation import ones_like, zeros_like
from minitape.ops.indexing import where
from minitape.ops.minmax import reduce_any
from minitape.ops.products import einsum
from minitape.ops.reshaping import expand_dims
from minitape.ops.statistics import l2_normalize


class _Merge(Layer):
    """Base class of layers that are called on a list of values."""

    supports_masking = True

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list) or not all(
            isinstance(shape, tuple | list) or hasattr(shape, "rank") for shape in input_shape
        ):
            raise TapeValueError(
                f"A merge layer should be called on a list of inputs, but layer '{self.name}' received a single value.",
                fix=f"use `tf.keras.layers.{type(self).__name__}()([a, b])`",
                code="MT507",
            )
        batches = {shape[0] for shape in input_shape if len(shape)} - {None}
        if len(batches) > 1:
            raise TapeValueError(
                f"Cannot merge tensors with different batch sizes. Received tensors with shapes {input_shape}",
                fix="pass inputs with the same batch size",
                code="MT507",
            )

    def call(self, inputs: Any) -> Value:
        values = list(map(read_once, listed(inputs, "inputs")))
        if not values:
            raise TapeTypeError(
                "A merge layer was called on an empty list.",
                fix="pass a list of at least one tensor",
            )
        return self._merged(values)

    def _merged(self, values: list[Value]) -> Value:
        raise NotImplementedError


class _PairwiseMerge(_Merge):
    """Merge two values, then the result with the third, and so on."""

    _of_two: Callable[[Value, Value], Value]

    def _merged(self, values: list[Value]) -> Value:
        most = max(len(value.shape) for value in values)
        values = [_with_rank(value, most) for value in values]
        return self._reduced(values)

    def _reduced(self, values: list[Value]) -> Value:
        return reduce(type(self)._of_two, values)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mask of the output, in which a step is valid if it is valid in at least one input."""
        if mask is None or any(each is None for each in mask):
            return None
        return reduce(logical_or, mask)


def _with_rank(value: Value, rank: int) -> Value:
    """Insert axes after the batch axis until the value has the given rank."""
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
        attach_mask(total, reduce_any(counted, axis=-1))
    return total


def _spread(value: Value) -> Any:
    """Return a value's mask broadcast to the shape of the value."""
    mask = mask_of(value)
    return None if mask is None else broadcast_to(expand_dims(mask, axis=-1), value.shape)


class Add(_PairwiseMerge):
    """Add the inputs: a + b + ...

    The layer is called on a list of tensors whose shapes broadcast, except for the batch.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the input is not a list, or the batch sizes differ.

    Source: https://keras.io/api/layers/merging_layers/add/
    """

    _of_two = staticmethod(arithmetic.add)


class Subtract(_PairwiseMerge):
    """Subtract the second input from the first: a - b.

    The layer is called on a list of two tensors whose shapes broadcast, except for the batch.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the input is not a list of exactly two tensors, or the batch sizes differ.

    Source: https://keras.io/api/layers/merging_layers/subtract/
    """

    _of_two = staticmethod(arithmetic.subtract)

    def _merged(self, values: list[Value]) -> Value:
        if len(values) != 2:
            raise TapeValueError(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received: {len(values)} inputs",
                fix="use `Subtract()([a, b])`",
            )
        return super()._merged(values)


class Multiply(_PairwiseMerge):
    """Multiply the inputs: a · b · ...

    The layer is called on a list of tensors whose shapes broadcast, except for the batch.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the input is not a list, or the batch sizes differ.

    Source: https://keras.io/api/layers/merging_layers/multiply/
    """

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
        attach_mask(product, reduce_any(counts, axis=-1))
        return product


class _MaskedMerge(_PairwiseMerge):
    """Base class of merge layers that ignore a masked step of an input where another input is valid."""

    def _reduced(self, values: list[Value]) -> Value:
        if not is_masked(masks_of(values)):
            return super()._reduced(values)
        return _merged_where_it_counts(type(self)._of_two, values)


class Maximum(_MaskedMerge):
    """Return the elementwise maximum of the inputs.

    The layer is called on a list of tensors whose shapes broadcast, except for the batch.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the input is not a list, or the batch sizes differ.

    Source: https://keras.io/api/layers/merging_layers/maximum/
    """

    _of_two = staticmethod(minmax.maximum)


class Minimum(_MaskedMerge):
    """Return the elementwise minimum of the inputs.

    The layer is called on a list of tensors whose shapes broadcast, except for the batch.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the input is not a list, or the batch sizes differ.

    Source: https://keras.io/api/layers/merging_layers/minimum/
    """

    _of_two = staticmethod(minmax.minimum)


class Average(_PairwiseMerge):
    """Return the elementwise mean of the inputs.

    The layer is called on a list of tensors whose shapes broadcast, except for the batch.

    Args:
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the input is not a list, or the batch sizes differ.

    Source: https://keras.io/api/layers/merging_layers/average/
    """

    _of_two = staticmethod(arithmetic.add)

    def _merged(self, values: list[Value]) -> Value:
        return super()._merged(values) / float(len(values))


class Concatenate(_Merge):
    """Join the inputs along an axis.

    The layer is called on a list of tensors whose shapes differ at most in `axis`.

    Args:
        axis: Axis along which the inputs are joined; a negative axis counts from the last one.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: the shapes differ in any other axis, or an input is a scalar.

    Source: https://keras.io/api/layers/merging_layers/concatenate/
    """

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if not all(map(len, input_shape)):
            raise TapeValueError(
                f"A `Concatenate` layer joins along an axis, but an input is a scalar. Received: input_shape={input_shape}",
                fix="use `tf.stack([a, b])` for scalars",
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
                fix=f"pass inputs whose shapes differ only in axis {self.axis}",
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
    """Compute products of two tensors along an axis of each, separately for each example.

    The layer is called on a list of two tensors. The output has the axes of the first tensor, then the axes of the second,
    without the summed axes; for two inputs of shape [batch, n], the output has shape [batch, 1].

    Args:
        axes: Axis to sum over: one integer for both tensors, or a pair. The batch is axis 0.
        normalize: Whether to normalize both tensors to length 1 along the axis first; the products are then
            cosines.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        TypeError: `axes` is neither an integer nor a list or tuple.
        ValueError: the axes have different lengths, or the input is not a list of two tensors.

    Source: https://keras.io/api/layers/merging_layers/dot/
    """

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(axes, int | list | tuple):
            raise TapeTypeError(
                f"Invalid type for argument `axes`: it should be a list or an int. Received: axes={axes}",
                fix="pass `axes=1`",
            )
        if not isinstance(axes, int) and [type(axis) for axis in axes] != [int, int]:
            raise TapeValueError(
                f"Invalid format for argument `axes`: it should contain two integers. Received: axes={axes}",
                fix="pass `axes=(1, 2)`",
            )
        self.axes, self.normalize = axes, normalize

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if len(input_shape) != 2:
            raise TapeValueError(
                f"A `Dot` layer should be called on a list of 2 inputs. Received: input_shape={input_shape}",
                fix="use `Dot(axes=1)([a, b])`",
            )
        first, second = self._axes_for(*input_shape)
        one, other = input_shape[0][first], input_shape[1][second]
        if one != other:
            raise TapeValueError(
                f"Incompatible input shapes: axis values {one} (at axis {first}) != {other} (at axis {second}). "
                f"Full input shapes: {input_shape[0]}, {input_shape[1]}",
                fix="pass `axes` of the same length",
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
        # In the equation, z is the batch and y is the summed axis. The result keeps the other axes, first those of a, then
        # those of b.
        of_a = ["z", *"abcdefg"[: len(a.shape) - 1]]
        of_b = ["z", *"hijklmn"[: len(b.shape) - 1]]
        of_a[first] = of_b[second] = "y"
        kept = [letter for letter in (*of_a[1:], *of_b[1:]) if letter != "y"]
        y = einsum(f"{''.join(of_a)},{''.join(of_b)}->z{''.join(kept)}", a, b)
        return y if kept else expand_dims(y, axis=-1)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None


def add(inputs: Any, **kwargs: Any) -> Value:
    """Add the inputs with an `Add` layer.

    Args:
        inputs: List of tensors.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The elementwise sum.
    """
    return Add(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> Value:
    """Subtract the second of two inputs from the first with a `Subtract` layer.

    Args:
        inputs: List of two tensors.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The elementwise difference.
    """
    return Subtract(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> Value:
    """Multiply the inputs with a `Multiply` layer.

    Args:
        inputs: List of tensors.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The elementwise product.
    """
    return Multiply(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> Value:
    """Average the inputs with an `Average` layer.

    Args:
        inputs: List of tensors.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The elementwise mean.
    """
    return Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> Value:
    """Return the maximum of the inputs with a `Maximum` layer.

    Args:
        inputs: List of tensors.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The elementwise maximum.
    """
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> Value:
    """Return the minimum of the inputs with a `Minimum` layer.

    Args:
        inputs: List of tensors.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The elementwise minimum.
    """
    return Minimum(**kwargs)(inputs)


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Value:
    """Join the inputs with a `Concatenate` layer.

    Args:
        inputs: List of tensors.
        axis: Axis along which the inputs are joined.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The concatenated tensor.
    """
    return Concatenate(axis, **kwargs)(inputs)


def dot(inputs: Any, axes: Any = -1, **kwargs: Any) -> Value:
    """Compute products of two tensors with a `Dot` layer.

    Args:
        inputs: List of two tensors.
        axes: Axis to sum over: one integer for both tensors, or a pair.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Returns:
        The products; `Dot` describes their shape.
    """
    return Dot(axes, **kwargs)(inputs)

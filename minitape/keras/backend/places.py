"""Values, and places for them, under Keras's older names. They are made in `floatx`."""

from typing import Any

import numpy as np

from minitape.core.arguments import listed
from minitape.core.convert import constant as constant_tensor
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import ArrayFace
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeTypeError, TapeValueError
from minitape.keras.config import float_dtype
from minitape.ops import making, passing, progressions, random
from minitape.ops.axes import real_number, whole_number


def cast(x: Any, dtype: Any) -> Value:
    """`tf.cast`."""
    return passing.cast(x, dtype)


def cast_to_floatx(x: Any) -> Any:
    """In `floatx`: a tensor of a tensor, an array of all else."""
    if isinstance(x, ArrayFace):
        return passing.cast(x, float_dtype())
    try:
        return np.asarray(x, float_dtype().as_numpy_dtype)
    except (TypeError, ValueError) as error:
        kind = TapeTypeError if isinstance(error, TypeError) else TapeValueError
        raise kind(f"These are no numbers: {x!r}.", fix="numbers, or a list of them") from None


def dtype(x: Any) -> str:
    """The name of its dtype."""
    return convert_to_tensor(x).dtype.name


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Value:
    """`tf.constant`, in `floatx` by default."""
    return constant_tensor(value, dtype=float_dtype(dtype), shape=shape)


def variable(
    value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None
) -> Variable:
    """`tf.Variable`, in `floatx` by default."""
    return Variable(value, dtype=float_dtype(dtype), name=name, constraint=constraint)


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Variable:
    """A variable full of zeros."""
    return variable(making.zeros(shape, float_dtype(dtype)), dtype, name)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Variable:
    """A variable full of ones."""
    return variable(making.ones(shape, float_dtype(dtype)), dtype, name)


def eye(size: int, dtype: Any = None, name: str | None = None) -> Variable:
    """A variable: the identity."""
    return variable(making.eye(whole_number(size)), dtype, name)


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Value:
    """`tf.zeros_like`."""
    return making.zeros_like_for_users(x, dtype)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Value:
    """`tf.ones_like`."""
    return making.ones_like_for_users(x, dtype)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = "int32") -> Value:
    """`tf.range`, in int32 by default."""
    if stop is None:
        start, stop = 0, start if real_number(start) > 0 else 0
    return passing.cast(progressions.range(start, stop, step), dtype)


def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """`tf.random.normal`, in `floatx` by default."""
    return random.normal(shape, mean, stddev, float_dtype(dtype), seed)


def random_uniform(
    shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """`tf.random.uniform`, in `floatx` by default."""
    return random.uniform(shape, minval, maxval, float_dtype(dtype), seed)


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """`tf.random.truncated_normal`, in `floatx` by default."""
    return random.truncated_normal(shape, mean, stddev, float_dtype(dtype), seed)


def get_value(x: Any) -> Any:
    """Its numbers as an array; what is no tensor as it is."""
    return x.numpy() if isinstance(x, ArrayFace) else x


eval = get_value


def _variable(x: Any) -> Variable:
    """What can be assigned to.

    Raises:
        AttributeError: it is no variable.
    """
    if not isinstance(x, Variable):
        raise TapeAttributeError(
            f"Only a variable can be assigned to, and {x!r} is none.", fix="tf.Variable(x)"
        )
    return x


def set_value(x: Any, value: Any) -> None:
    """Store numbers in a variable, in its dtype."""
    target = _variable(x)
    target.assign(np.asarray(value, target.dtype.as_numpy_dtype))


def batch_get_value(tensors: Any) -> list[Any]:
    """The numbers of each, as arrays."""
    return [convert_to_tensor(each).numpy() for each in listed(tensors, "tensors")]


def batch_set_value(tuples: Any) -> None:
    """Store numbers in variables, in their dtypes: pairs of variable and value."""
    for pair in listed(tuples, "tuples"):
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise TapeTypeError(
                f"A variable and its value are needed, and not {pair!r}.",
                fix="batch_set_value([(variable, value)])",
            )
        set_value(*pair)


def update(x: Any, new_x: Any) -> Any:
    """`x.assign(new_x)`."""
    return _variable(x).assign(new_x)


def update_add(x: Any, increment: Any) -> Any:
    """`x.assign_add(increment)`."""
    return _variable(x).assign_add(increment)


def update_sub(x: Any, decrement: Any) -> Any:
    """`x.assign_sub(decrement)`."""
    return _variable(x).assign_sub(decrement)

"""Functions that create tensors and variables, under Keras's older names. The dtype is `floatx` by default."""

from typing import Any

import numpy as np

from minitape.core.arguments import listed
from minitape.core.convert import constant as constant_tensor
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import TensorLike
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeTypeError, TapeValueError
from minitape.keras.config import float_dtype
from minitape.ops import creation, identity, random, ranges
from minitape.ops.axes import real_number, whole_number


def cast(x: Any, dtype: Any) -> Value:
    """Cast a tensor: `tf.cast`.

    Args:
        x: A tensor or array.
        dtype: The new dtype.

    Returns:
        A tensor with the shape of `x`.
    """
    return identity.cast(x, dtype)


def cast_to_floatx(x: Any) -> Any:
    """Cast to `floatx`.

    Args:
        x: A tensor or array.

    Returns:
        A tensor for a tensor, otherwise an array.

    Raises:
        TypeError: `x` does not contain numbers.
        ValueError: `x` contains strings that are not numbers.
    """
    if isinstance(x, TensorLike):
        return identity.cast(x, float_dtype())
    try:
        return np.asarray(x, float_dtype().as_numpy_dtype)
    except (TypeError, ValueError) as error:
        kind = TapeTypeError if isinstance(error, TypeError) else TapeValueError
        raise kind(
            f"`cast_to_floatx` expects numbers. Received: {x!r}",
            fix="pass a number or a list of numbers",
        ) from None


def dtype(x: Any) -> str:
    """Return the name of a tensor's dtype.

    Args:
        x: A tensor or array.

    Returns:
        A string such as "float32".
    """
    return convert_to_tensor(x).dtype.name


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Value:
    """Create a tensor: `tf.constant`.

    Args:
        value: A number, a list or an array.
        dtype: Dtype of the result; `floatx` by default.
        shape: Shape of the result; the shape of `value` by default.
        name: Name of the result; ignored for tensors.

    Returns:
        A tensor.
    """
    return constant_tensor(value, dtype=float_dtype(dtype), shape=shape)


def variable(
    value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None
) -> Variable:
    """Create a variable: `tf.Variable`.

    Args:
        value: The initial value.
        dtype: Dtype of the result; `floatx` by default.
        name: Name of the result; ignored for tensors.
        constraint: Function that optimizers apply to the variable after each update.

    Returns:
        The variable.
    """
    return Variable(value, dtype=float_dtype(dtype), name=name, constraint=constraint)


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Variable:
    """Create a variable of zeros.

    Args:
        shape: Shape of the result.
        dtype: Dtype of the result; `floatx` by default.
        name: Name of the result; ignored for tensors.

    Returns:
        The variable.
    """
    return variable(creation.zeros(shape, float_dtype(dtype)), dtype, name)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Variable:
    """Create a variable of ones.

    Args:
        shape: Shape of the result.
        dtype: Dtype of the result; `floatx` by default.
        name: Name of the result; ignored for tensors.

    Returns:
        The variable.
    """
    return variable(creation.ones(shape, float_dtype(dtype)), dtype, name)


def eye(size: int, dtype: Any = None, name: str | None = None) -> Variable:
    """Create a variable with an identity matrix.

    Args:
        size: Number of rows and columns.
        dtype: Dtype of the result; `floatx` by default.
        name: Name of the result; ignored for tensors.

    Returns:
        The variable.
    """
    return variable(creation.eye(whole_number(size)), dtype, name)


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Create zeros with the shape of a tensor: `tf.zeros_like`.

    Args:
        x: A tensor or array.
        dtype: Dtype of the result; the dtype of `x` by default.
        name: Name of the result; ignored for tensors.

    Returns:
        A tensor.
    """
    return creation.zeros_like_for_users(x, dtype)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Create ones with the shape of a tensor: `tf.ones_like`.

    Args:
        x: A tensor or array.
        dtype: Dtype of the result; the dtype of `x` by default.
        name: Name of the result; ignored for tensors.

    Returns:
        A tensor.
    """
    return creation.ones_like_for_users(x, dtype)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = "int32") -> Value:
    """Create a sequence of numbers: `tf.range`.

    Args:
        start: First number; if `stop` is None, the end of a sequence that starts at 0.
        stop: End of the sequence, excluded.
        step: Difference between consecutive numbers.
        dtype: Dtype of the result; int32 by default.

    Returns:
        A vector.
    """
    if stop is None:
        start, stop = 0, start if real_number(start) > 0 else 0
    return identity.cast(ranges.range(start, stop, step), dtype)


def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Draw from a normal distribution: `tf.random.normal`.

    Args:
        shape: Shape of the result.
        mean: Mean of the distribution.
        stddev: Standard deviation of the distribution.
        dtype: Dtype of the result; `floatx` by default.
        seed: Integer seed, or None.

    Returns:
        A tensor with the given shape and dtype.
    """
    return random.normal(shape, mean, stddev, float_dtype(dtype), seed)


def random_uniform(
    shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Draw from a uniform distribution: `tf.random.uniform`.

    Args:
        shape: Shape of the result.
        minval: Lower limit, included.
        maxval: Upper limit, excluded.
        dtype: Dtype of the result; `floatx` by default.
        seed: Integer seed, or None.

    Returns:
        A tensor with the given shape and dtype.
    """
    return random.uniform(shape, minval, maxval, float_dtype(dtype), seed)


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Draw from a normal distribution truncated at two standard deviations: `tf.random.truncated_normal`.

    Args:
        shape: Shape of the result.
        mean: Mean of the distribution.
        stddev: Standard deviation of the distribution.
        dtype: Dtype of the result; `floatx` by default.
        seed: Integer seed, or None.

    Returns:
        A tensor with the given shape and dtype.
    """
    return random.truncated_normal(shape, mean, stddev, float_dtype(dtype), seed)


def get_value(x: Any) -> Any:
    """Return the value of a tensor or variable as an array.

    Args:
        x: A tensor or array.

    Returns:
        An array; any other object is returned unchanged.
    """
    return x.numpy() if isinstance(x, TensorLike) else x


eval = get_value


def _variable(x: Any) -> Variable:
    """Check that an object is a variable.

    Raises:
        AttributeError: the object is not a variable.
    """
    if not isinstance(x, Variable):
        raise TapeAttributeError(
            f"Only a variable can be assigned to. Received: {x!r}", fix="use `tf.Variable(x)`"
        )
    return x


def set_value(x: Any, value: Any) -> None:
    """Assign a value to a variable, cast to its dtype.

    Args:
        x: The variable.
        value: The new value.

    Raises:
        AttributeError: `x` is not a variable.
    """
    target = _variable(x)
    target.assign(np.asarray(value, target.dtype.as_numpy_dtype))


def batch_get_value(tensors: Any) -> list[Any]:
    """Return the values of tensors or variables as arrays.

    Args:
        tensors: List of tensors or variables.

    Returns:
        A list of arrays.
    """
    return [convert_to_tensor(each).numpy() for each in listed(tensors, "tensors")]


def batch_set_value(tuples: Any) -> None:
    """Assign values to variables, cast to their dtypes.

    Args:
        tuples: List of pairs (variable, value).

    Raises:
        TypeError: an entry is not a pair.
        AttributeError: the first entry of a pair is not a variable.
    """
    for pair in listed(tuples, "tuples"):
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise TapeTypeError(
                f"`batch_set_value` expects pairs of variable and value. Received: {pair!r}",
                fix="call `batch_set_value([(variable, value)])`",
            )
        set_value(*pair)


def update(x: Any, new_x: Any) -> Any:
    """Assign a value to a variable: `x.assign(new_x)`.

    Args:
        x: The variable.
        new_x: The new value.

    Returns:
        The variable.
    """
    return _variable(x).assign(new_x)


def update_add(x: Any, increment: Any) -> Any:
    """Add a value to a variable: `x.assign_add(increment)`.

    Args:
        x: The variable.
        increment: The value to add.

    Returns:
        The variable.
    """
    return _variable(x).assign_add(increment)


def update_sub(x: Any, decrement: Any) -> Any:
    """Subtract a value from a variable: `x.assign_sub(decrement)`.

    Args:
        x: The variable.
        decrement: The value to subtract.

    Returns:
        The variable.
    """
    return _variable(x).assign_sub(decrement)

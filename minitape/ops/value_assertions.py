"""Assertions about values. Each returns None, or raises an error whose message contains the values.

    assert_equal, assert_near             two values are equal, or nearly equal
    assert_less, assert_greater           the order of two values
    assert_positive, assert_non_negative  the sign of a value
    assert_all_finite                     no NaN and no infinity; returns the value

Tapes do not record them.

Source: https://www.tensorflow.org/api_docs/python/tf/debugging
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_operand, convert_to_tensor
from minitape.core.mismatch import shape_mismatch, wrong_kind
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import real_number
from minitape.ops.identity import identity


def _numbers(*values: Any) -> list[Array]:
    first = convert_to_tensor(values[0])
    rest = [convert_to_tensor(value, dtype_hint=first.dtype) for value in values[1:]]
    return [tensor._array for tensor in (first, *rest)]


def _check(holds: Array, message: Any, claim: str, *arrays: Array) -> None:
    if not np.all(holds):
        shown = "\n".join(f"{name} = {array}" for name, array in zip("xy", arrays))
        said = f"{message}\n" if message is not None and str(message) else ""
        raise InvalidArgumentError(f"{said}Condition {claim} did not hold.\n{shown}")


def _check_ordered(name: str, *arrays: Array) -> None:
    if any(dtypes.kind_of(array.dtype) not in "fiu" for array in arrays):
        kinds = " and ".join(dtypes.of(array).name for array in arrays)
        raise InvalidArgumentError(
            f"`{name}` compares real numbers, but got {kinds}.",
            fix="use `tf.debugging.assert_equal`",
        )


def _fit(*shapes: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def _comparison(
    claim: str, compare: Callable[[Array, Array], Array], name: str
) -> Callable[..., None]:
    def check(
        x: Any, y: Any, message: str | None = None, summarize: Any = None, name: Any = None
    ) -> None:
        a, b = _numbers(x, y)
        if compare not in (np.equal, np.not_equal):
            _check_ordered(name, a, b)
        if not _fit(a.shape, b.shape):
            raise InvalidArgumentError(
                f"`{name}` got incompatible shapes, {a.shape} and {b.shape}.",
                fix="use values of the same shape, or of shapes that broadcast",
                code="MT507",
            )
        _check(compare(a, b), message, f"{claim} element-wise", a, b)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = (
        f"Raise InvalidArgumentError unless {claim} for all elements.\n\n"
        f"    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/{name}\n"
    )
    return check


assert_equal = _comparison("x == y", np.equal, "assert_equal")
_none_equal = _comparison("x != y", np.not_equal, "assert_none_equal")
assert_less = _comparison("x < y", np.less, "assert_less")
assert_less_equal = _comparison("x <= y", np.less_equal, "assert_less_equal")
assert_greater = _comparison("x > y", np.greater, "assert_greater")
assert_greater_equal = _comparison("x >= y", np.greater_equal, "assert_greater_equal")


def assert_none_equal(
    x: Any, y: Any, summarize: Any = None, message: str | None = None, name: Any = None
) -> None:
    """Raise InvalidArgumentError unless x != y for all elements.

    The order of the last parameters differs from the order in similar functions.

    Args:
        x: A tensor of any shape and dtype.
        y: The same dtype; the shapes broadcast.
        summarize: Ignored.
        message: Text before the message.
        name: Ignored.

    Raises:
        InvalidArgumentError: two elements are equal.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_none_equal
    """
    _none_equal(x, y, message)


def _sign_claim(claim: str, holds: Callable[[Array], Array], name: str) -> Callable[..., None]:
    def check(x: Any, message: str | None = None, summarize: Any = None, name: Any = None) -> None:
        (a,) = _numbers(x)
        _check_ordered(name, a)
        _check(holds(a), message, f"{claim} element-wise", a)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = (
        f"Raise InvalidArgumentError unless {claim} for all elements.\n\n"
        f"    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/{name}\n"
    )
    return check


assert_positive = _sign_claim("x > 0", lambda x: x > 0, "assert_positive")
assert_non_negative = _sign_claim("x >= 0", lambda x: x >= 0, "assert_non_negative")
assert_negative = _sign_claim("x < 0", lambda x: x < 0, "assert_negative")
assert_non_positive = _sign_claim("x <= 0", lambda x: x <= 0, "assert_non_positive")


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: Any = None,
    name: Any = None,
) -> None:
    """Raise InvalidArgumentError unless |x - y| ≤ atol + rtol·|y| for all elements.

    Args:
        x: A float dtype.
        y: Of the same dtype.
        rtol: The relative tolerance; ten times the dtype's machine epsilon by default.
        atol: The absolute tolerance, with the same default.
        message: Text before the message.
        summarize: Ignored.
        name: Ignored.

    Raises:
        InvalidArgumentError: two elements differ by more.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_near
    """
    a, b = _numbers(x, y)
    if dtypes.kind_of(a.dtype) not in "fc":
        raise TapeValueError(
            f"`assert_near` compares floats, but got {dtypes.of(a).name}.",
            fix="use `tf.debugging.assert_equal`",
        )
    if not _fit(a.shape, b.shape):
        raise shape_mismatch("assert_near", (a, b), "broadcast")
    tolerance = 10 * dtypes.limits_of(a.dtype).eps
    absolute, relative = (tolerance if each is None else real_number(each) for each in (atol, rtol))
    _check(
        abs(a - b) <= absolute + relative * abs(b), message, "x and y not equal to tolerance", a, b
    )


def assert_all_finite(x: Value, message: str, name: str | None = None) -> Value:
    """Return `x` unchanged, or raise an error if it contains NaN or infinity.

    Args:
        x: A tensor of any shape with a float dtype.
        message: Text before the message.
        name: Ignored.

    Returns:
        `x`.

    Raises:
        InvalidArgumentError: an element is NaN or infinite.

    Gradient: It is the gradient of the identity.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/assert_all_finite
    """
    value = as_operand(x)
    array = convert_to_tensor(value)._array
    if dtypes.kind_of(array.dtype) != "f":
        raise wrong_kind("CheckNumerics", array, "f")
    if not np.all(np.isfinite(array)):
        kinds = [
            word for word, has in (("Inf", np.isinf(array)), ("NaN", np.isnan(array))) if has.any()
        ]
        raise InvalidArgumentError(f"{message} : Tensor had {' and '.join(kinds)} values")
    return identity(value)


def check_numerics(tensor: Value, message: str, name: str | None = None) -> Value:
    """Call `assert_all_finite`, of which this is the older name.

    Args:
        tensor: A tensor of any shape with a float dtype.
        message: Text before the message.
        name: Ignored.

    Returns:
        `tensor`.

    Raises:
        InvalidArgumentError: an element is NaN or infinite.

    Source: https://www.tensorflow.org/api_docs/python/tf/debugging/check_numerics
    """
    return assert_all_finite(tensor, message)

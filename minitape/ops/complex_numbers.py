"""Creates complex numbers from two real parts, and splits them.

    complex ↔ real, imag     two parts as one number, and back
    conj                     the complex conjugate
    complex_abs, angle       magnitude and phase

All rules of the catalog are transposes: with a cotangent ȳ = a + bi, the target changes by the real part of ȳ·ẏ. Then the usual
rules of exp, products and polynomials hold for complex numbers too. TensorFlow returns the conjugate of this cotangent, which is
the direction of steepest ascent. So a tape conjugates the seeds and the gradients, and nothing in between.
"""

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, read_once
from minitape.core.primitive import Primitive
from minitape.core.registry import SYNTAX
from minitape.core.values import Array, Value
from minitape.errors import TapeTypeError
from minitape.ops.arithmetic import abs as real_abs
from minitape.ops.arithmetic import conj as turned_round
from minitape.ops.arithmetic import divide_no_nan, reciprocal
from minitape.ops.arithmetic import sign as sign_of_real
from minitape.ops.broadcasting import sum_to
from minitape.ops.creation import zeros_like
from minitape.ops.identity import _cast
from minitape.ops.indexing import where
from minitape.ops.rules import elementwise


def _is_complex(x: Value) -> bool:
    return raw_dtype(x).kind == "c"  # type: ignore[no-any-return]  # a NumPy dtype, which mypy knows as Any


def _complex_kernel(a: Array, b: Array) -> Array:
    wide = np.result_type(a.dtype, np.complex64)
    y = np.empty(np.broadcast_shapes(a.shape, b.shape), wide)
    y.real, y.imag = a, b
    return y if y.ndim else y[()]


_complex: Primitive = Primitive(
    "Complex",
    _complex_kernel,
    vjp=(
        lambda ybar, y, a, b: sum_to(_real(ybar), a),
        lambda ybar, y, a, b: sum_to(-_imag(ybar), b),
    ),
    batch=elementwise,
    rule="ā = real part of ȳ   b̄ = -imaginary part of ȳ",
    dtype_kinds="f",
)

_real: Primitive = Primitive(
    "Real",
    np.real,
    vjp=(lambda ybar, y, x: _complex(ybar, zeros_like(ybar)),),
    batch=elementwise,
    rule="x̄ = ȳ, as a complex number",
    dtype_kinds="c",
)

_imag: Primitive = Primitive(
    "Imag",
    np.imag,
    vjp=(lambda ybar, y, x: _complex(zeros_like(ybar), -ybar),),
    batch=elementwise,
    rule="x̄ = -i·ȳ",
    dtype_kinds="c",
)

complex_abs: Primitive = Primitive(
    "ComplexAbs",
    np.abs,
    vjp=(lambda ybar, y, x: turned_round(x) * _cast(divide_no_nan(ybar, y), dtype=raw_dtype(x)),),
    batch=elementwise,
    residuals="xy",
    rule="x̄ = ȳ·conj x / |x|, and 0 at 0",
    dtype_kinds="c",
)

_angle: Primitive = Primitive(
    "Angle",
    np.angle,
    vjp=(lambda ybar, y, x: _complex(zeros_like(ybar), -ybar) * reciprocal(x),),
    batch=elementwise,
    residuals="x",
    rule="x̄ = -i·ȳ / x",
    dtype_kinds="c",
)


def complex(real: Value, imag: Value, name: str | None = None) -> Value:
    """Return complex numbers with given real and imaginary parts: complex64 from float32, complex128 from float64.

    Args:
        real: float32 or float64.
        imag: A tensor with the dtype of `real`; the two shapes broadcast.
        name: Ignored.

    Returns:
        A tensor with the broadcast shape; complex64 or complex128.

    Raises:
        TypeError: the parts are neither float32 nor float64.
        InvalidArgumentError: the dtypes differ.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/dtypes/complex
    """
    a = as_operand(real, imag)
    b = as_operand(imag, real)
    a = as_operand(a)
    if raw_dtype(a) not in (np.float32, np.float64):
        raise TapeTypeError(
            f"The parts of a complex number must be float32 or float64, but are {raw_dtype(a)}.",
            fix="use `tf.cast(x, tf.float32)`",
            code="MT506",
        )
    return _complex(a, b)


def real(input: Value, name: str | None = None) -> Value:
    """Return the real part; real numbers are returned unchanged.

    Args:
        input: A tensor of any shape with a number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape of `input`; float32 for complex64, float64 for complex128.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/real
    """
    x = read_once(input)
    return _real(x) if _is_complex(x) else x


def imag(input: Value, name: str | None = None) -> Value:
    """Return the imaginary part; 0 for real numbers.

    Args:
        input: A tensor of any shape with a number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape of `input`; float32 for complex64, float64 for complex128.

    Gradient: Derivatives of any order are supported, including batched ones. Real numbers have no gradient. The tape keeps no
    values.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/imag
    """
    x = read_once(input)
    return _imag(x) if _is_complex(x) else zeros_like(x)


def conj(x: Value, name: str | None = None) -> Value:
    """Return the complex conjugate; real numbers are returned unchanged.

    Args:
        x: A tensor of any shape with a number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/conj
    """
    value = read_once(x)
    return turned_round(value) if _is_complex(value) else value


def angle(input: Value, name: str | None = None) -> Value:
    """Return the phase of a complex number in radians, from -π to π; for real numbers, 0 or π.

    Args:
        input: A tensor of any shape with a float or complex dtype.
        name: Ignored.

    Returns:
        A tensor with the shape of `input`; float32 for complex64, float64 for complex128.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient is NaN at 0, where the phase is
    undefined. Real numbers have no gradient. The tape keeps the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/angle
    """
    x = read_once(input)
    if _is_complex(x):
        return _angle(x)
    return where(x < 0, np.array(np.pi, raw_dtype(x)), zeros_like(x))


def abs(x: Value, name: str | None = None) -> Value:
    """Return the absolute value.

    Args:
        x: A tensor of any shape with a number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`; the dtype is real even for complex numbers.

    Gradient: Derivatives of any order are supported, including batched ones. The gradient at 0 is 0. The tape keeps the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/abs
    """
    value = read_once(x)
    return complex_abs(value) if _is_complex(value) else real_abs(value)


SYNTAX["abs"] = abs


def sign(x: Value, name: str | None = None) -> Value:
    """Return the sign, -1, 0 or 1; for complex numbers x / |x|, and 0 at 0.

    Args:
        x: A tensor of any shape with a number dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: For real numbers it is 0, because the sign is constant on both sides of 0. For complex numbers, the derivatives of
    x / |x| of any order are supported.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/sign
    """
    value = read_once(x)
    if raw_dtype(value).kind != "c":
        return sign_of_real(value)
    return divide_no_nan(value, _cast(abs(value), dtype=raw_dtype(value)))

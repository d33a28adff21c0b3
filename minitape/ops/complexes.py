"""Complex numbers: making them of two real ones, and taking them apart.

    complex ↔ real, imag     two parts as one number, and back
    conj                     the imaginary part turned round
    complex_abs, angle       how far from 0, and in which direction

The rules of the whole catalogue are transposes: with ȳ = a + bi, the target changes by the real part of ȳ·ẏ. For exp, a product,
a polynomial the usual rule then holds as it stands. TensorFlow hands out the conjugate of that number, which points uphill; so
a tape turns imaginary parts round at its two doors, where seeds come in and where gradients go out, and nowhere between.
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
from minitape.ops.making import zeros_like
from minitape.ops.passing import _cast
from minitape.ops.picking import where
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
    accepts="f",
)

_real: Primitive = Primitive(
    "Real",
    np.real,
    vjp=(lambda ybar, y, x: _complex(ybar, zeros_like(ybar)),),
    batch=elementwise,
    rule="x̄ = ȳ, as a complex number",
    accepts="c",
)

_imag: Primitive = Primitive(
    "Imag",
    np.imag,
    vjp=(lambda ybar, y, x: _complex(zeros_like(ybar), -ybar),),
    batch=elementwise,
    rule="x̄ = -i·ȳ",
    accepts="c",
)

complex_abs: Primitive = Primitive(
    "ComplexAbs",
    np.abs,
    vjp=(lambda ybar, y, x: turned_round(x) * _cast(divide_no_nan(ybar, y), dtype=raw_dtype(x)),),
    batch=elementwise,
    saves="xy",
    rule="x̄ = ȳ·conj x / |x|, and 0 at 0",
    accepts="c",
)

_angle: Primitive = Primitive(
    "Angle",
    np.angle,
    vjp=(lambda ybar, y, x: _complex(zeros_like(ybar), -ybar) * reciprocal(x),),
    batch=elementwise,
    saves="x",
    rule="x̄ = -i·ȳ / x",
    accepts="c",
)


def complex(real: Value, imag: Value, name: str | None = None) -> Value:
    """The complex number of two parts: float32 makes complex64, float64 complex128.

    Args:
        real: float32 or float64.
        imag: Of the same dtype; the shapes broadcast.
        name: Ignored.

    Raises:
        TypeError: the parts are neither float32 nor float64.
        InvalidArgumentError: the dtypes differ.

    Gradient: to any order, batched. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/dtypes/complex
    """
    a = as_operand(real, imag)
    b = as_operand(imag, real)
    a = as_operand(a)
    if raw_dtype(a) not in (np.float32, np.float64):
        raise TapeTypeError(
            f"The parts of a complex number must be float32 or float64, but are {raw_dtype(a)}.",
            fix="tf.cast(x, tf.float32)",
            code="MT506",
        )
    return _complex(a, b)


def real(input: Value, name: str | None = None) -> Value:
    """The real part; a real number is its own.

    Gradient: to any order, batched. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/real
    """
    x = read_once(input)
    return _real(x) if _is_complex(x) else x


def imag(input: Value, name: str | None = None) -> Value:
    """The imaginary part; of a real number 0.

    Gradient: to any order, batched; none for a real number. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/imag
    """
    x = read_once(input)
    return _imag(x) if _is_complex(x) else zeros_like(x)


def conj(x: Value, name: str | None = None) -> Value:
    """The imaginary part turned round; a real number stays what it is.

    Gradient: to any order, batched. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/conj
    """
    value = read_once(x)
    return turned_round(value) if _is_complex(value) else value


def angle(input: Value, name: str | None = None) -> Value:
    """The direction of a complex number in radians, from -π to π; of a real number 0 or π.

    Gradient: to any order, batched; NaN at 0, which has no direction, and none for a real number. Remembers the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/angle
    """
    x = read_once(input)
    if _is_complex(x):
        return _angle(x)
    return where(x < 0, np.array(np.pi, raw_dtype(x)), zeros_like(x))


def abs(x: Value, name: str | None = None) -> Value:
    """How far from 0; real, also for a complex number.

    Args:
        x: Any shape; a number dtype.
        name: Ignored.

    Gradient: to any order, batched; 0 at 0. Remembers the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/abs
    """
    value = read_once(x)
    return complex_abs(value) if _is_complex(value) else real_abs(value)


SYNTAX["abs"] = abs


def sign(x: Value, name: str | None = None) -> Value:
    """-1, 0 or 1; of a complex number x / |x|, its direction, and 0 at 0.

    Args:
        x: Any shape; a number dtype.
        name: Ignored.

    Gradient: 0 for real numbers: flat on both sides of 0. Of complex ones how the direction turns, to any order.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/sign
    """
    value = read_once(x)
    if raw_dtype(value).kind != "c":
        return sign_of_real(value)
    return divide_no_nan(value, _cast(abs(value), dtype=raw_dtype(value)))

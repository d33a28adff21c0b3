"""Fourier and cosine transforms.

    fft ↔ ifft, over one, two and three axes      complex; a product with a symmetric matrix, which is its own transpose
    rfft ↔ irfft, over one, two and three axes    real; the negative frequencies mirror the positive ones
    dct, idct                                     cosine transforms of real numbers
    fftshift, ifftshift                           move frequency 0 to the center, and back

Because a tape conjugates the complex seeds and gradients of a backward pass (complex_numbers.py), the vjp of a Fourier transform
is the transform itself: Fᵀ = F.

Source: https://www.tensorflow.org/api_docs/python/tf/signal
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, is_engine_value, read_once
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import (
    AxisError,
    InvalidArgumentError,
    NotInTensorFlowError,
    TapeValueError,
)
from minitape.ops.arithmetic import conj
from minitape.ops.axes import as_ints, whole_number
from minitape.ops.complex_numbers import _real
from minitape.ops.identity import cast
from minitape.ops.products import matmul_primitive
from minitape.ops.reordering import roll
from minitape.ops.reshaping import _transpose
from minitape.ops.rules import leading_axes
from minitape.ops.slicing import _pad

# --- complex numbers ---


def _family(name: str, rank: int, *, back: bool) -> Primitive:
    """Return the transform over the last axes; its matrix is symmetric, so it is its own vjp."""

    def kernel(x: Array) -> Array:
        if x.ndim < rank:
            raise InvalidArgumentError(
                f"`{name}`: Input must have rank of at least {rank} but got shape {list(x.shape)}.",
                fix="use `tf.signal.fft` for one axis",
                code="MT507",
            )
        transform = np.fft.ifftn if back else np.fft.fftn
        return transform(x, axes=tuple(range(-rank, 0))).astype(x.dtype)

    made: Primitive = Primitive(
        name,
        kernel,
        vjp=(lambda ybar, y, x: made(ybar),),
        batch=leading_axes,
        rule=f"x̄ = {name.lower()}(ȳ)",
        dtype_kinds="c",
    )
    return made


_fft: Primitive = _family("FFT", 1, back=False)
_ifft: Primitive = _family("IFFT", 1, back=True)
_fft2d: Primitive = _family("FFT2D", 2, back=False)
_ifft2d: Primitive = _family("IFFT2D", 2, back=True)
_fft3d: Primitive = _family("FFT3D", 3, back=False)
_ifft3d: Primitive = _family("IFFT3D", 3, back=True)


def _as_complex(input: Any) -> Value:
    """Return tensors unchanged; other values become complex64, as in TensorFlow."""
    if is_engine_value(input):
        return as_operand(input)
    return cast(read_once(input), dtypes.complex64)


def fft(input: Value, name: str | None = None) -> Value:
    """Return the discrete Fourier transform along the last axis.

    Args:
        input: A tensor of shape [..., n] and dtype complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: the input is not complex, or is a scalar.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/fft
    """
    return _fft(_as_complex(input))


def ifft(input: Value, name: str | None = None) -> Value:
    """Return the inverse discrete Fourier transform along the last axis. The arguments and errors are those of `fft`.

    Args:
        input: A tensor of shape [..., n] and dtype complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/ifft
    """
    return _ifft(_as_complex(input))


def fft2d(input: Value, name: str | None = None) -> Value:
    """Apply `fft` over the last two axes.

    Args:
        input: A tensor of shape [..., n, m] and dtype complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/fft2d
    """
    return _fft2d(_as_complex(input))


def ifft2d(input: Value, name: str | None = None) -> Value:
    """Apply `ifft` over the last two axes.

    Args:
        input: A tensor of shape [..., n, m] and dtype complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/ifft2d
    """
    return _ifft2d(_as_complex(input))


def fft3d(input: Value, name: str | None = None) -> Value:
    """Apply `fft` over the last three axes.

    Args:
        input: A tensor of shape [..., n, m, k] and dtype complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/fft3d
    """
    return _fft3d(_as_complex(input))


def ifft3d(input: Value, name: str | None = None) -> Value:
    """Apply `ifft` over the last three axes.

    Args:
        input: A tensor of shape [..., n, m, k] and dtype complex64 or complex128.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `input`.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/ifft3d
    """
    return _ifft3d(_as_complex(input))


# --- real numbers ---


def _fitted(x: Value, sizes: Ints) -> Value:
    """Crop the last axes or pad them with zeros to these sizes."""
    for axis, size in zip(range(-len(sizes), 0), sizes):
        rest = (slice(None),) * (-axis - 1)
        if x.shape[axis] > size:
            x = x[(..., slice(0, size), *rest)]
        elif x.shape[axis] < size:
            borders = [(0, 0)] * len(x.shape)
            borders[axis] = (0, size - x.shape[axis])
            x = _pad(x, paddings=tuple(borders), value=0)
    return x


def _rfft_vjp(ybar: Value, y: Value, x: Value) -> Value:
    """Return the real part of the transform of ȳ, with zeros for the omitted frequencies."""
    borders = ((0, 0),) * (len(y.shape) - 1)
    missing = x.shape[-1] - y.shape[-1]
    return _real(_fft(_pad(ybar, paddings=(*borders, (0, missing)), value=0)))


_rfft: Primitive = Primitive(
    "RFFT",
    lambda x: np.fft.rfft(x).astype(np.result_type(x.dtype, np.complex64)),
    vjp=(_rfft_vjp,),
    batch=leading_axes,
    rule="x̄ = the real part of fft(ȳ)",
    dtype_kinds="f",
)


def _irfft_vjp(ybar: Value, y: Value, x: Value, *, size: int) -> Value:
    """Count each frequency twice, once for the negative frequency, except for the first and the middle one."""
    counts = np.full(size // 2 + 1, 2 / size)
    counts[0] = 1 / size
    if size % 2 == 0:
        counts[-1] = 1 / size
    return conj(_rfft(ybar)) * counts.astype(raw_dtype(x))


_irfft: Primitive = Primitive(
    "IRFFT",
    lambda x, *, size: np.fft.irfft(x, size).astype(x.real.dtype),
    vjp=(_irfft_vjp,),
    batch=leading_axes,
    rule="x̄ = rfft(ȳ) conjugated, times 2/n, but 1/n for the first and the middle element",
    dtype_kinds="c",
)


def _as_real(input: Any, op: str) -> Value:
    x = read_once(input)
    if (
        not is_engine_value(input) and raw_dtype(x).kind in "biufc"
    ):  # plain numbers are converted to a supported dtype
        x = read_once(np.real(x.numpy()).astype(np.float32))
    if raw_dtype(x) not in (np.float32, np.float64):
        raise TapeValueError(
            f"{op.upper()} requires tf.float32 or tf.float64 inputs, got: {dtypes.as_dtype(raw_dtype(x)).name}.",
            fix="use `tf.cast(x, tf.float32)`",
            code="MT506",
        )
    return x


def _sizes(x: Value, wanted: Any, rank: int, op: str) -> Ints:
    if len(x.shape) < rank:
        raise InvalidArgumentError(
            f"`{op}`: Input must have rank of at least {rank} but got shape {list(x.shape)}.",
            fix="use `tf.signal.rfft` for one axis",
            code="MT507",
        )
    if wanted is None:
        return tuple(x.shape)[-rank:]
    sizes = as_ints(wanted)
    if len(sizes) != rank:
        raise InvalidArgumentError(
            f"`{op}`: `fft_length` must have shape [{rank}], but is {wanted}.",
            fix=f"pass `fft_length={list(x.shape)[-rank:]}`",
        )
    return sizes


def _on_axis(transform: Primitive, x: Value, axis: int) -> Value:
    """Apply a transform of the last axis along another axis."""
    rank = len(x.shape)
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return _transpose(transform(_transpose(x, perm=tuple(order))), perm=tuple(order))


def _real_to_complex(input: Any, fft_length: Any, rank: int, op: str) -> Value:
    x = _as_real(input, op)
    y = _rfft(_fitted(x, _sizes(x, fft_length, rank, op)))
    for axis in range(-2, -rank - 1, -1):
        y = _on_axis(_fft, y, axis)
    return y


def _complex_to_real(input: Any, fft_length: Any, rank: int, op: str) -> Value:
    x = read_once(_as_complex(input))
    sizes = _sizes(x, fft_length, rank, op)
    if fft_length is None:
        sizes = (*sizes[:-1], max(2 * (sizes[-1] - 1), 0))
    x = _fitted(x, (*sizes[:-1], sizes[-1] // 2 + 1))
    for axis in range(-2, -rank - 1, -1):
        x = _on_axis(_ifft, x, axis)
    return _irfft(x, size=sizes[-1])


def rfft(input_tensor: Value, fft_length: Any = None, name: str | None = None) -> Value:
    """Return the non-negative frequencies of the discrete Fourier transform of real numbers along the last axis.

    Args:
        input_tensor: A tensor of shape [..., n] and dtype float32 or float64.
        fft_length: A list with one size, to which the axis is cropped or padded with zeros.
        name: Ignored.

    Returns:
        A tensor of shape [..., fft_length // 2 + 1] with a complex dtype.

    Raises:
        ValueError: the dtype is not supported.
        InvalidArgumentError: `fft_length` does not have one element, or the input is a scalar.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Unlike in TensorFlow, an odd length has a gradient too (TensorFlow raises InvalidArgumentError).

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/rfft
    """
    return _real_to_complex(input_tensor, fft_length, 1, "rfft")


def irfft(input_tensor: Value, fft_length: Any = None, name: str | None = None) -> Value:
    """Return the real signal with the given non-negative frequencies, along the last axis.

    Args:
        input_tensor: A tensor of shape [..., n // 2 + 1] and dtype complex64 or complex128.
        fft_length: A list with one size, n; by default twice the size of the last axis minus 2.
        name: Ignored.

    Returns:
        A tensor of shape [..., n] with a real dtype.

    Raises:
        InvalidArgumentError: the input is not complex, or is a scalar; `fft_length` does not have one element.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps only the shape.

    Unlike in TensorFlow, an odd length has a gradient too (TensorFlow raises InvalidArgumentError).

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/irfft
    """
    return _complex_to_real(input_tensor, fft_length, 1, "irfft")


def rfft2d(input_tensor: Value, fft_length: Any = None, name: str | None = None) -> Value:
    """Apply `rfft` over the last two axes.

    Args:
        input_tensor: A tensor of shape [..., n, m] and dtype float32 or float64.
        fft_length: A list of two sizes.
        name: Ignored.

    Returns:
        A tensor of shape [..., fft_length[0], fft_length[1] // 2 + 1] with a complex dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/rfft2d
    """
    return _real_to_complex(input_tensor, fft_length, 2, "rfft2d")


def irfft2d(input_tensor: Value, fft_length: Any = None, name: str | None = None) -> Value:
    """Apply `irfft` over the last two axes.

    Args:
        input_tensor: A tensor of shape [..., n, m // 2 + 1] and dtype complex64 or complex128.
        fft_length: A list of two sizes.
        name: Ignored.

    Returns:
        A tensor of shape [..., n, m] with a real dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/irfft2d
    """
    return _complex_to_real(input_tensor, fft_length, 2, "irfft2d")


def rfft3d(input_tensor: Value, fft_length: Any = None, name: str | None = None) -> Value:
    """Apply `rfft` over the last three axes.

    Args:
        input_tensor: A tensor of shape [..., n, m, k] and dtype float32 or float64.
        fft_length: A list of three sizes.
        name: Ignored.

    Returns:
        A tensor of shape [..., fft_length[0], fft_length[1], fft_length[2] // 2 + 1] with a complex dtype.

    Unlike in TensorFlow, this function has a gradient (TensorFlow raises LookupError).

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/rfft3d
    """
    return _real_to_complex(input_tensor, fft_length, 3, "rfft3d")


def irfft3d(input_tensor: Value, fft_length: Any = None, name: str | None = None) -> Value:
    """Apply `irfft` over the last three axes.

    Args:
        input_tensor: A tensor of shape [..., n, m, k // 2 + 1] and dtype complex64 or complex128.
        fft_length: A list of three sizes.
        name: Ignored.

    Returns:
        A tensor of shape [..., n, m, k] with a real dtype.

    Unlike in TensorFlow, this function has a gradient (TensorFlow raises LookupError).

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/irfft3d
    """
    return _complex_to_real(input_tensor, fft_length, 3, "irfft3d")


# --- shifts ---


def _shifted(x: Any, axes: Any, *, back: bool) -> Value:
    value = read_once(x)
    along = tuple(range(len(value.shape))) if axes is None else as_ints(axes)
    halves = [value.shape[axis] // 2 for axis in along]
    return roll(value, [-half for half in halves] if back else halves, list(along))


def fftshift(x: Value, axes: Any = None, name: str | None = None) -> Value:
    """Move frequency 0 to the center.

    Args:
        x: A tensor of any shape and dtype.
        axes: One axis or several; all by default.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/fftshift
    """
    return _shifted(x, axes, back=False)


def ifftshift(x: Value, axes: Any = None, name: str | None = None) -> Value:
    """Undo `fftshift`.

    Args:
        x: A tensor of any shape and dtype.
        axes: One axis or several; all by default.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `x`.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/ifftshift
    """
    return _shifted(x, axes, back=True)


# --- cosine transforms ---


def _cosines(type: int, size: int, norm: str | None) -> Array:
    """Return the matrix [n, k] of a transform, whose column k is the cosine of frequency k."""
    n, k = np.arange(size)[:, None], np.arange(size)
    if type == 1:
        matrix = 2 * np.cos(np.pi * n * k / (size - 1))
        matrix[[0, -1]] /= 2
        return matrix
    if type == 4:
        matrix = 2 * np.cos(np.pi * (2 * n + 1) * (2 * k + 1) / (4 * size))
        return matrix * math.sqrt(1 / (2 * size)) if norm else matrix
    second = 2 * np.cos(np.pi * (2 * n + 1) * k / (2 * size))
    if norm:
        second = second * math.sqrt(1 / (2 * size))
        second[:, 0] *= math.sqrt(0.5)
        return second if type == 2 else second.T
    if type == 3:
        second[:, 0] /= 2
        return second.T
    return second


def dct(
    input: Value,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Value:
    """Return the discrete cosine transform along the last axis.

    Args:
        input: A tensor of shape [..., n] and dtype float32 or float64.
        type: 1 to 4: the type of the transform.
        n: The size to which the axis is cropped or padded with zeros.
        axis: Must be -1.
        norm: "ortho" for an orthogonal matrix, for types 2 to 4.
        name: Ignored.

    Returns:
        A tensor of shape [..., n], with the dtype of `input`.

    Raises:
        ValueError: the type or norm is unknown, or the axis is too short.
        NotImplementedError: `axis` is not -1.

    Gradient: Derivatives of any order are supported, including batched ones. A tape records a product with a matrix of cosines.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/dct
    """
    return _by_cosines(input, type, n, axis, norm, "dct")


def idct(
    input: Value,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Value:
    """Return the inverse of `dct` of the same type, up to a factor of 2n (2n - 2 for type 1) without a norm.

    Args:
        input: A tensor of shape [..., n] and dtype float32 or float64.
        type: The type of the `dct`.
        n: The size to which the axis is cropped or padded with zeros.
        axis: Must be -1.
        norm: Has the same meaning as in `dct`.
        name: Ignored.

    Returns:
        A tensor of shape [..., n], with the dtype of `input`.

    Raises:
        ValueError: the type or norm is unknown, or the axis is too short.
        NotImplementedError: `axis` is not -1.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/signal/idct
    """
    undoes = {2: 3, 3: 2}
    return _by_cosines(input, undoes.get(type, type), n, axis, norm, "idct")


def _by_cosines(input: Any, type: int, n: Any, axis: int, norm: Any, op: str) -> Value:
    if getattr(axis, "ndim", 0) or axis != -1:
        raise NotInTensorFlowError(
            f"axis must be -1. Got: {axis}.", fix="use `tf.transpose` to make the axis the last one"
        )
    if type not in (1, 2, 3, 4):
        raise TapeValueError("Types I, II, III and IV (I)DCT are supported.", fix="pass `type=2`")
    if norm not in (None, "ortho"):
        raise TapeValueError(
            f"Unknown normalization. Expected None or 'ortho', got: {norm}.",
            fix='pass `norm="ortho"`',
        )
    if type == 1 and norm:
        raise TapeValueError(
            "Normalization is not supported for the Type-I DCT.", fix="pass `norm=None`"
        )
    x = _as_real(input, op)
    if not len(x.shape):
        raise AxisError(f"`{op}`: the input is a scalar, which has no axis.", code="MT507")
    if n is not None:
        x = _fitted(x, (whole_number(n),))
    if type == 1 and x.shape[-1] < 2:
        raise TapeValueError(
            "Type-I DCT requires the dimension to be greater than one.", fix="pass `type=2`"
        )
    matrix = _cosines(type, x.shape[-1], norm).astype(raw_dtype(x))
    flat = len(x.shape) == 1
    y = matmul_primitive(x[None] if flat else x, matrix)
    return y[0] if flat else y

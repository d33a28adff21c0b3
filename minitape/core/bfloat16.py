"""bfloat16 is float32 with the last 16 bits removed. An op computes in float32 and rounds the result once.

    load      return the dtype, from the package ml_dtypes, when a program first uses it
    extend    extend an op so that its kernel, and its rules on arrays, convert bfloat16 to float32 and round the result

NumPy has no such dtype. The dtype of ml_dtypes has kind "V" and does not work everywhere: with a Python float it becomes
float32, sums lose precision, and LAPACK does not support it. So ops never compute in it. A program without bfloat16 uses the
ops as they were declared, at no extra cost.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import Batched
from minitape.core.declaration import Declaration, EveryInput
from minitape.core.dtypes import DType
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.registry import DTYPE_HOOKS, PRIMITIVES
from minitape.core.values import ARRAY_TYPES, Array, Value
from minitape.errors import MissingNameError

# The kind of dtypes that other packages define. Of these dtypes, only bfloat16 can be the dtype of a tensor.
KIND = "V"

_WIDE = np.dtype(np.float32)

# The ops that TensorFlow does not implement for bfloat16.
_NOT_HERE = frozenset(
    {
        "AdjustContrastv2",
        "AdjustHue",
        "AdjustSaturation",
        "BesselI0",
        "BesselI0e",
        "BesselI1",
        "BesselI1e",
        "BesselJ0",
        "BesselJ1",
        "BesselK0",
        "BesselK0e",
        "BesselK1",
        "BesselK1e",
        "BesselY0",
        "BesselY1",
        "Betainc",
        "Cholesky",
        "Complex",
        "CropAndResize",
        "CropAndResizeGradBoxes",
        "CropAndResizeGradImage",
        "Dawsn",
        "Digamma",
        "Eig",
        "Erfinv",
        "Expint",
        "FresnelCos",
        "FresnelSin",
        "HistogramFixedWidth",
        "Igamma",
        "IgammaGradA",
        "Igammac",
        "Lgamma",
        "LogMatrixDeterminant",
        "Lu",
        "MatrixDeterminant",
        "MatrixInverse",
        "MatrixSolve",
        "MatrixSquareRoot",
        "MatrixTriangularSolve",
        "Ndtri",
        "NextAfter",
        "Polygamma",
        "Qr",
        "RFFT",
        "RandomPoissonV2",
        "ResizeBicubicGrad",
        "Rint",
        "ScaleAndTranslateGrad",
        "SelfAdjointEigV2",
        "Spence",
        "Svd",
        "TruncateMod",
        "Zeta",
    }
)

# These ops depend on the bits or the limits of the dtype, which differ from those of float32.
_IN_ITS_OWN_NUMBERS = ("Bitcast", "UnsortedSegmentMax", "UnsortedSegmentMin")


def load() -> DType:
    """Return `tf.bfloat16`; the first call registers the dtype and extends the ops.

    Raises:
        ImportError: the package ml_dtypes is not installed.
    """
    if DTYPE_HOOKS:
        return dtypes.as_dtype("bfloat16")
    try:
        number = importlib.import_module("ml_dtypes").bfloat16
    except ModuleNotFoundError as error:
        raise MissingNameError(
            "`tf.bfloat16` requires the package `ml_dtypes`, because NumPy has no such dtype.",
            fix="run `pip install ml_dtypes`",
        ) from error
    dtype = DType("bfloat16", number)
    ARRAY_TYPES.add(number)
    dtypes.add(dtype)
    DTYPE_HOOKS.append(extend)
    for primitive in PRIMITIVES.values():
        extend(primitive)
    return dtype


dtypes.LATER["bfloat16"] = load


def extend(op: Declaration) -> None:
    """Let an op compute bfloat16 inputs in float32; an op that TensorFlow does not implement for bfloat16 refuses them."""
    if op.name in _NOT_HERE:
        op.dtype_kinds = op.dtype_kinds.replace(KIND, "")
        return
    if "f" in op.dtype_kinds and KIND not in op.dtype_kinds:
        op.dtype_kinds += KIND
    if op.name not in _IN_ITS_OWN_NUMBERS:
        op.kernel = _rounding(op.kernel)
    if isinstance(op.rules, EveryInput):
        op.rules = EveryInput(partial(_cotangent_by_position, op.rules.rule))
    else:
        op.rules = _rounding_rules(op.rules)


def _is_narrow(value: Value) -> bool:
    return type(value) in ARRAY_TYPES and value.dtype.kind == KIND


def _widened(value: Value) -> Value:
    """Return arrays in float32, and tensors unchanged, because each op that receives a tensor converts it."""
    if type(value) is Batched:
        return Batched(_widened(value.stack))
    if type(value) is tuple:  # the cotangents of an op with several outputs
        return tuple(map(_widened, value))
    return value.astype(_WIDE) if _is_narrow(value) else value


def _narrowed(value: Value, narrow: Any) -> Value:
    if type(value) is Batched:
        return Batched(_narrowed(value.stack, narrow))
    if type(value) is IndexedSlices:
        return IndexedSlices(_narrowed(value.values, narrow), value.indices, value.dense_shape)
    return value.astype(narrow) if type(value) in ARRAY_TYPES else value


def _rounding(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel of an op, extended to bfloat16."""

    @wraps(kernel)
    def rounding(*arrays: Array, **settings: Any) -> Any:
        narrow = next((array.dtype for array in arrays if _is_narrow(array)), None)
        if narrow is None:
            return kernel(*arrays, **settings)
        answer = kernel(*map(_widened, arrays), **settings)
        if settings.get("dtype") == _WIDE or any(array.dtype == _WIDE for array in arrays):
            return answer
        if type(answer) is tuple:
            return tuple(_rounded(each, narrow) for each in answer)
        return _rounded(answer, narrow)

    return rounding


def _rounded(answer: Array, narrow: Any) -> Array:
    return answer.astype(narrow) if answer.dtype == _WIDE else answer


def _rounding_rules(rules: Sequence[Any]) -> tuple[Any, ...]:
    """Return the rules of an op, extended to arrays of bfloat16."""
    return tuple(
        None if rule is None else partial(_cotangent, rule, position)
        for position, rule in enumerate(rules)
    )


def _cotangent_by_position(
    rule: Callable[..., Any], position: int, *values: Value, **settings: Any
) -> Value:
    """Return the result of `_cotangent` for a single rule that is used for all inputs."""
    return _cotangent(partial(rule, position), position, *values, **settings)


def _cotangent(
    rule: Callable[..., Any], position: int, ybar: Value, y: Value, *inputs: Value, **settings: Any
) -> Value:
    """Return the cotangent that a rule computes for the input at `position`, in the dtype of that input."""
    amount = rule(_widened(ybar), _widened(y), *map(_widened, inputs), **settings)
    wanted = inputs[position].dtype
    return _narrowed(amount, wanted) if getattr(wanted, "kind", "") == KIND else amount

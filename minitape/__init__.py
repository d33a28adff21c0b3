"""minitape: TensorFlow's GradientTape that you can read, watch and question.

    import minitape as tf

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)      # 6.0

The names are TensorFlow's. This page is the shop window: it lists them in groups, and holds no code of its own but the
lazy door to the rooms that few programs enter.
"""

import warnings as _warnings
from typing import Any as _Any

__version__ = "0.1.0"

# log(0) is -inf and 0/0 is nan in TensorFlow, without a word. NumPy would warn of each.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")

# --- values ---
from minitape import dtypes, errors, linalg, math, nest, nn, random, strings
from minitape.autodiff.custom import custom_gradient, grad_pass_through
from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.unconnected import UnconnectedGradients
from minitape.core.convert import constant, convert_to_tensor
from minitape.core.eager import device, executing_eagerly, function, init_scope, name_scope
from minitape.core.eager import print_ as print
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.module import Module
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor
from minitape.core.variable import Variable
from minitape.dtypes import (
    DType,
    as_dtype,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from minitape.math import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    divide,
    equal,
    exp,
    floor,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    multiply,
    negative,
    not_equal,
    pow,
    reduce_mean,
    reduce_sum,
    round,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    truediv,
)
from minitape.ops.broadcasting import broadcast_to
from minitape.ops.joining import concat, meshgrid, split, stack, tile, unstack
from minitape.ops.making import eye, fill, linspace, one_hot, ones, range, rank, shape, size, zeros
from minitape.ops.making import ones_like_for_users as ones_like
from minitape.ops.making import zeros_like_for_users as zeros_like
from minitape.ops.moving import reverse, roll
from minitape.ops.passing import cast, ensure_shape, numpy_function, py_function, unique
from minitape.ops.passing import identity_for_users as identity
from minitape.ops.passing import stop_gradient_for_users as stop_gradient
from minitape.ops.passing import unique_with_counts
from minitape.ops.picking import boolean_mask, gather, gather_nd, repeat, scatter_nd
from minitape.ops.picking import tensor_scatter_nd_add, tensor_scatter_nd_sub
from minitape.ops.picking import tensor_scatter_nd_update, where
from minitape.ops.products import einsum, matmul, tensordot
from minitape.ops.shaping import expand_dims, reshape, squeeze, transpose
from minitape.ops.slicing import pad
from minitape.ops.slicing import slice_for_users as slice

newaxis = None


def __getattr__(name: str) -> _Any:
    """The heavy rooms, opened when they are first entered; a word of help for every other name."""
    import importlib

    if name in ("keras", "debug"):
        return importlib.import_module(f"minitape.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    import difflib

    near = difflib.get_close_matches(name, [n for n in globals() if not n.startswith("_")], 1)
    hint = f" Did you mean tf.{near[0]}?" if near else ""
    raise AttributeError(
        f"minitape has no '{name}'.{hint}\n  more: minitape explain MT902", name=name
    )

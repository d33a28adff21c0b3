"""The part of Keras's backend that Keras 3 still exports: TensorFlow's ops under Keras's older names and with their defaults.

    `numbers`      sum, mean, argmax ... along axes; exp, clip, relu ... elementwise
    `shapes`       reshape, concatenate, dot ...
    `variables`    variable, zeros, get_value ...

The package also exports the global settings of Keras, such as floatx and epsilon. New programs use `tf.reduce_mean` instead
of `K.mean`, which does the same.

Source: https://www.tensorflow.org/api_docs/python/tf/keras/backend
"""

from typing import Any

from minitape.core import dtypes
from minitape.keras.backend.numbers import (
    abs,
    all,
    any,
    argmax,
    argmin,
    clip,
    cos,
    cumprod,
    cumsum,
    elu,
    equal,
    exp,
    greater,
    greater_equal,
    hard_sigmoid,
    l2_normalize,
    less,
    less_equal,
    log,
    max,
    maximum,
    mean,
    min,
    minimum,
    not_equal,
    pow,
    prod,
    relu,
    round,
    sigmoid,
    sign,
    sin,
    softmax,
    softplus,
    softsign,
    sqrt,
    square,
    std,
    stop_gradient,
    sum,
    tanh,
    var,
)
from minitape.keras.backend.shapes import (
    batch_flatten,
    concatenate,
    count_params,
    dot,
    expand_dims,
    flatten,
    gather,
    int_shape,
    ndim,
    one_hot,
    permute_dimensions,
    repeat,
    repeat_elements,
    reshape,
    reverse,
    shape,
    squeeze,
    stack,
    tile,
    transpose,
)
from minitape.keras.backend.variables import (
    arange,
    batch_get_value,
    batch_set_value,
    cast,
    cast_to_floatx,
    constant,
    dtype,
    eval,
    eye,
    get_value,
    ones,
    ones_like,
    random_normal,
    random_uniform,
    set_value,
    truncated_normal,
    update,
    update_add,
    update_sub,
    variable,
    zeros,
    zeros_like,
)
from minitape.keras.config import (
    backend,
    epsilon,
    floatx,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)
from minitape.keras.naming import names


def clear_session(free_memory: bool = True) -> None:
    """Restart the numbering of layer names.

    Args:
        free_memory: Ignored, because Python frees objects that are no longer referenced.
    """
    names.given.clear()


def is_float_dtype(dtype: Any) -> bool:
    """Return whether a dtype is a floating-point dtype.

    Args:
        dtype: A dtype or its name.

    Returns:
        A bool.
    """
    return dtypes.as_dtype(dtype).is_floating


def is_int_dtype(dtype: Any) -> bool:
    """Return whether a dtype is an integer dtype.

    Args:
        dtype: A dtype or its name.

    Returns:
        A bool.
    """
    return dtypes.as_dtype(dtype).is_integer


__all__ = [
    "abs",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "backend",
    "batch_flatten",
    "batch_get_value",
    "batch_set_value",
    "cast",
    "cast_to_floatx",
    "clear_session",
    "clip",
    "concatenate",
    "constant",
    "cos",
    "count_params",
    "cumprod",
    "cumsum",
    "dot",
    "dtype",
    "elu",
    "epsilon",
    "equal",
    "eval",
    "exp",
    "expand_dims",
    "eye",
    "flatten",
    "floatx",
    "gather",
    "get_value",
    "greater",
    "greater_equal",
    "hard_sigmoid",
    "image_data_format",
    "int_shape",
    "is_float_dtype",
    "is_int_dtype",
    "l2_normalize",
    "less",
    "less_equal",
    "log",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "ndim",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "permute_dimensions",
    "pow",
    "prod",
    "random_normal",
    "random_uniform",
    "relu",
    "repeat",
    "repeat_elements",
    "reshape",
    "reverse",
    "round",
    "set_epsilon",
    "set_floatx",
    "set_image_data_format",
    "set_value",
    "shape",
    "sigmoid",
    "sign",
    "sin",
    "softmax",
    "softplus",
    "softsign",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "stop_gradient",
    "sum",
    "tanh",
    "tile",
    "transpose",
    "truncated_normal",
    "update",
    "update_add",
    "update_sub",
    "var",
    "variable",
    "zeros",
    "zeros_like",
]

"""`tf.function` marks a function that TensorFlow would compile; in minitape the function runs as ordinary Python code.

The function behaves as in TensorFlow: an input signature converts or refuses the arguments, and the results are tensors.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from minitape.core import nest
from minitape.core.convert import convert_to_tensor
from minitape.core.eager import TensorSpec
from minitape.core.tensor import TensorLike
from minitape.core.values import ARRAY_TYPES
from minitape.core.variable import Variable
from minitape.errors import TapeTypeError


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: Any = None,
    experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Any:
    """Mark a function for TensorFlow to compile; in minitape it runs as Python code and returns tensors.

    Unlike TensorFlow, minitape does not trace the function into a graph, so each call runs the Python code, and a Python side
    effect happens at every call.

    Args:
        func: The function; if it is omitted, a decorator is returned.
        input_signature: A `tf.TensorSpec` for each argument, to which the argument is converted.

    All other settings are about graphs and are ignored.

    Returns:
        The marked function, or a decorator.

    Raises:
        TypeError: an argument does not fit `input_signature` (when called).

    Source: https://www.tensorflow.org/api_docs/python/tf/function
    """
    if func is None:
        return functools.partial(function, input_signature=input_signature)

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        if input_signature is not None:
            args, kwargs = _in_signature_order(func, args, kwargs, input_signature), {}
        return nest.map_structure(_as_result, func(*args, **kwargs))

    run.python_function = func  # type: ignore[attr-defined]  # as TensorFlow offers it
    return run


def _as_result(value: Any) -> Any:
    """Convert a result as a graph does, so that numbers and arrays become tensors, and a variable becomes its value."""
    is_number = isinstance(value, bool | int | float | complex | str | Variable)
    return convert_to_tensor(value) if is_number or type(value) in ARRAY_TYPES else value


def _in_signature_order(func: Any, args: Any, kwargs: Any, signature: Any) -> tuple[Any, ...]:
    """Return the arguments in order, each converted to its spec in the input signature."""
    bound = inspect.signature(func).bind(*args, **kwargs)
    given = tuple(bound.args)
    # The first argument of a method is its object, which the signature does not contain.
    own = given[: max(0, len(given) - len(signature))] if _is_method(func) else ()
    values = given[len(own) :]
    if len(values) != len(signature):
        raise TapeTypeError(
            f"The `input_signature` of `{func.__name__}` has {len(signature)} arguments, but the call has {len(values)} "
            "arguments."
        )
    return own + tuple(_converted(func, *pair) for pair in zip(signature, values, strict=True))


def _converted(func: Any, spec: Any, value: Any) -> Any:
    """Convert one argument.

    A list is a structure if the signature has a structure at its position, otherwise it contains the rows of a
    tensor.
    """
    if not nest.is_nested(spec):
        return _fitting(func, spec, value)
    nest.assert_same_structure(spec, value)
    leaves = zip(nest.flatten(spec), nest.flatten(value), strict=True)
    return nest.pack_sequence_as(spec, [_fitting(func, *pair) for pair in leaves])


def _is_method(func: Any) -> bool:
    return next(iter(inspect.signature(func).parameters), "") == "self"


def _fitting(func: Any, spec: TensorSpec, value: Any) -> Any:
    tensor = value if isinstance(value, TensorLike) else convert_to_tensor(value, dtype=spec.dtype)
    if not spec.is_compatible_with(tensor):
        raise TapeTypeError(
            f"The `input_signature` of `{func.__name__}` requires {spec}, but the argument is a {tensor.dtype.name} tensor of "
            f"shape {tensor.shape}.",
            fix=f"use `tf.cast(x, tf.{spec.dtype.name})`" if tensor.dtype != spec.dtype else None,
        )
    return tensor

"""Functions that turn a function f into one that computes gradients of f.

    gradients_function(f)        arguments → gradients with respect to the arguments
    val_and_grad_function(f)     arguments → value and gradients
    make_vjp(f)                  arguments → value and a function from cotangent to gradients
    implicit_grad(f)             arguments → (gradient, variable) for each variable that f reads
    implicit_val_and_grad(f)     arguments → value and these pairs

Each of the resulting functions opens a tape around a call to f, watches the arguments (variables are watched automatically), and
computes a gradient. In TensorFlow these functions are older than GradientTape; their code shows typical uses of a tape.

Source: TensorFlow, tensorflow/python/eager/backprop.py
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.unconnected import UnconnectedGradients
from minitape.core import nest
from minitape.core.convert import convert_to_tensor
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.variable import Variable
from minitape.errors import (
    ConsumedTapeError,
    TapeIndexError,
    TapeRuntimeError,
    TapeValueError,
    code_list,
)

Params = Sequence[str] | Sequence[int] | None
Gradients = list[Any]
PairsWithVariables = list[tuple[Any, Variable]]


def make_vjp(f: Callable[..., Any], params: Params = None, persistent: bool = True) -> Any:
    """Return a function that computes `f` and its vector-Jacobian product.

    Args:
        f: A function that takes values and returns a tensor or a nested structure of tensors.
        params: The arguments with respect to which to differentiate: their names or their positions; by default all.
        persistent: Whether the vjp may be called more than once.

    Returns:
        A function of f's arguments that returns `(value, vjp)`. `vjp(dy)` is the list of gradients for a cotangent `dy`
        of the value, ones by default.

    Raises:
        ValueError: `params` mixes names and positions or contains an unknown name, a keyword argument is given, or `f` returns
            None.
        IndexError: there are fewer arguments than `params` needs. All these errors are raised when the function is called.
        InternalError: `vjp` is called again although not `persistent`; it is also a RuntimeError.

    Source: TensorFlow, `make_vjp` in python/eager/backprop.py

    >>> value, vjp = make_vjp(lambda x: x * x)(3.0)
    >>> float(value), float(vjp()[0]), float(vjp(10.0)[0])
    (9.0, 6.0, 60.0)
    """

    def decorated(*args: Any, **kwargs: Any) -> tuple[Any, Callable[..., Gradients]]:
        _refuse_keywords(kwargs)
        positions = _positions(f, params, len(args))
        with GradientTape(persistent=persistent) as tape:
            values = _as_separate_tensors(args, positions)
            sources = [values[position] for position in positions]
            tape.watch([each for each in sources if each.dtype.is_differentiable])
            # The arguments are copied, so that a function that returns its argument returns a different tensor.
            result = nest.map_structure(PRIMITIVES["Identity"], _tensors(f(*values), f))
        return result, _way_back(tape, result, sources, persistent)

    return decorated


def _way_back(
    tape: GradientTape, result: Any, sources: list[Tensor], persistent: bool
) -> Callable[..., Gradients]:
    targets = nest.flatten(result)
    is_consumed = False

    def vjp(dy: Any = None) -> Gradients:
        nonlocal is_consumed
        if is_consumed:
            raise ConsumedTapeError(
                "This vjp has already been used, and the resources of its tape were released.",
                fix="use `make_vjp(f, persistent=True)`",
                code="MT501",
            )
        is_consumed = not persistent
        seeds = None if dy is None else list(map(_seed, nest.flatten(dy), targets))
        gradients: Gradients = tape.gradient(targets, sources, output_gradients=seeds)
        return gradients

    return vjp


def _seed(dy: Any, target: Tensor) -> Tensor:
    """Return the cotangent of the value; a scalar is used for all elements of the value."""
    seed = convert_to_tensor(dy, dtype_hint=target.dtype)
    if seed.shape == target.shape:
        return seed
    stretched: Tensor = PRIMITIVES["BroadcastTo"](seed, shape=tuple(target.shape))
    return stretched


def val_and_grad_function(f: Callable[..., Any], params: Params = None) -> Any:
    """Return a function that computes `f` and its gradients.

    Args:
        f: A function that takes values and returns a tensor or a nested structure of tensors; several tensors count as their sum.
        params: The arguments with respect to which to differentiate: their names or their positions; by default all.

    Returns:
        A function of f's arguments that returns `(value, gradients)`. It takes one keyword argument, `dy`: a cotangent of the
        value, ones by default.

    Raises:
        ValueError, IndexError: as in `make_vjp`.

    Source: TensorFlow, `val_and_grad_function` in python/eager/backprop.py

    >>> value, (by_x, by_y) = val_and_grad_function(lambda x, y: x * y)(2.0, 5.0)
    >>> float(value), float(by_x), float(by_y)
    (10.0, 5.0, 2.0)
    """

    def decorated(*args: Any, dy: Any = None, **kwargs: Any) -> tuple[Any, Gradients]:
        _refuse_keywords(kwargs)
        value, vjp = make_vjp(f, params)(*args)
        return value, vjp(dy)

    return decorated


def gradients_function(f: Callable[..., Any], params: Params = None) -> Any:
    """Return a function that computes the gradients of `f`, as `val_and_grad_function` does, without the value.

    Applied to its own result, it returns a function that computes second derivatives.

    Args:
        f: The function, as in `val_and_grad_function`.
        params: The parameters, as in `val_and_grad_function`.

    Returns:
        A function of f's arguments that returns a list of gradients.

    Source: TensorFlow, `gradients_function` in python/eager/backprop.py

    >>> derivative = gradients_function(lambda x: x**3)
    >>> second_derivative = gradients_function(lambda x: derivative(x)[0])
    >>> float(derivative(2.0)[0]), float(second_derivative(2.0)[0])
    (12.0, 12.0)
    """

    def decorated(*args: Any, **kwargs: Any) -> Gradients:
        gradients: Gradients = val_and_grad_function(f, params)(*args, **kwargs)[1]
        return gradients

    return decorated


def implicit_val_and_grad(f: Callable[..., Any]) -> Any:
    """Return a function that computes `f` and its gradient with respect to each trainable variable that it reads.

    Args:
        f: A function with any arguments that returns a tensor or a nested structure of tensors; several tensors count as their
            sum.

    Returns:
        A function of f's arguments that returns `(value, pairs)`: a pair `(gradient, variable)` for each variable, in the
        order in which the variables were created. `optimizer.apply_gradients` takes these pairs.

    Raises:
        ValueError: `f` returns None, or reads no trainable variable (when called).

    Source: TensorFlow, `implicit_val_and_grad` in python/eager/backprop.py
    """

    def decorated(*args: Any, **kwargs: Any) -> tuple[Any, PairsWithVariables]:
        with GradientTape() as tape:
            value = _not_none(f(*args, **kwargs), f)
        variables = tape.watched_variables()
        if not variables:
            raise TapeValueError(
                "No trainable variables were accessed while the function was being computed.",
                fix="read a `tf.Variable` inside the function, or use `gradients_function`",
                code="MT503",
            )
        gradients = tape.gradient(value, list(variables))
        return value, list(zip(gradients, variables, strict=True))

    return decorated


def implicit_grad(f: Callable[..., Any]) -> Any:
    """Return a function that computes the pairs of `implicit_val_and_grad`, without the value.

    Args:
        f: The function, as in `implicit_val_and_grad`.

    Returns:
        A function of f's arguments that returns pairs `(gradient, variable)`.

    Source: TensorFlow, `implicit_grad` in python/eager/backprop.py
    """

    def decorated(*args: Any, **kwargs: Any) -> PairsWithVariables:
        pairs: PairsWithVariables = implicit_val_and_grad(f)(*args, **kwargs)[1]
        return pairs

    return decorated


value_and_gradients_function = val_and_grad_function
implicit_gradients = implicit_grad
implicit_value_and_gradients = implicit_val_and_grad


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> NoReturn:
    """Raise RuntimeError: symbolic differentiation of graphs is not supported.

    Unlike in TensorFlow, it is not supported inside a `tf.function` either, because minitape runs the function as Python code
    without a graph.

    Raises:
        RuntimeError: always, as in TensorFlow in eager mode.

    Source: https://www.tensorflow.org/api_docs/python/tf/gradients
    """
    raise TapeRuntimeError(
        "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead, "
        "also inside a tf.function.",
        fix="write `with tf.GradientTape() as tape: y = f(x)`, then call `tape.gradient(y, x)`",
        code="MT504",
    )


# --- arguments and results ---


def _refuse_keywords(kwargs: dict[str, Any]) -> None:
    if kwargs:
        raise TapeValueError(
            "Functions to be differentiated cannot receive keyword arguments.",
            fix=f"pass {code_list(kwargs)} by position",
            code="MT503",
        )


def _positions(f: Callable[..., Any], params: Params, given: int) -> list[int]:
    """Return the positions of the arguments with respect to which to differentiate."""
    names = _names_of_arguments(f)
    if params is None:
        wanted = list(range(len(names) or given))
    elif all(isinstance(each, str) for each in params):
        wanted = [_position_of(str(name), names) for name in params]
    elif all(isinstance(each, int) for each in params):
        wanted = [int(each) for each in params]
    else:
        raise TapeValueError(
            f"`params` must be all strings or all integers, but is {list(params)}.",
            fix="pass `params=['x', 'y']` or `params=[0, 1]`",
            code="MT503",
        )
    for position in wanted:
        if not 0 <= position < given:
            raise TapeIndexError(
                f"The gradient with respect to argument {position} was requested, but the call has {given} arguments.",
                fix="pass all arguments, or list fewer of them in `params`, such as `params=[0]`",
                code="MT503",
            )
    return wanted


def _names_of_arguments(f: Callable[..., Any]) -> list[str]:
    """Return the positional parameters; `*args` has none."""
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(f).parameters.values()
    return [each.name for each in parameters if each.kind in by_position]


def _position_of(name: str, names: list[str]) -> int:
    if name not in names:
        raise TapeValueError(
            f"{name!r} is not in list of the function's parameters, {names}.",
            fix=f"pass `params=[{names[0]!r}]`" if names else "pass `params=[0]`",
            code="MT503",
        )
    return names.index(name)


def _as_separate_tensors(args: Sequence[Any], positions: Sequence[int]) -> list[Any]:
    """Return the arguments, with tensors for those to differentiate: a tensor that is passed twice becomes two arguments."""
    values = [convert_to_tensor(x) if i in positions else x for i, x in enumerate(args)]
    seen: set[int] = set()
    for position in sorted(positions):
        if values[position]._id in seen:
            values[position] = PRIMITIVES["Identity"](values[position])
        seen.add(values[position]._id)
    return values


def _not_none(result: Any, f: Callable[..., Any]) -> Any:
    if result is None:
        name = getattr(f, "__name__", type(f).__name__)
        raise TapeValueError(
            "Cannot differentiate a function that returns None; "
            f"did you forget to return a value from {name}?",
            fix=f"end `{name}` with `return loss`",
            code="MT503",
        )
    return result


def _tensors(result: Any, f: Callable[..., Any]) -> Any:
    return nest.map_structure(convert_to_tensor, _not_none(result, f))

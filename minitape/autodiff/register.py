"""Lets a program define its own op by a kernel in NumPy and a rule for each argument, in the same way as minitape's ops.

    @tf.register_op(vjp=lambda ybar, y, x: ybar * 3.0 * x * x, residuals="x", batch="elementwise")
    def cube(x):
        return x * x * x

After that, `cube` is an op like any other. Tapes record it, it can be differentiated any number of times and in forward
mode, and the tracer shows it. `custom_gradient` defines the rule of a function of ops; `register_op` defines an op that
existing ops cannot express.

The declaration is checked immediately where possible. Whenever a rule runs, the values that it reads are checked (only those that
`residuals` names are kept), and so is the value that it returns (it must have the shape and dtype of its argument).
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand
from minitape.core.declaration import EVERY_INPUT, NUMERIC_KINDS, NoGradient, Rule
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import ARRAY_TYPES, Array, ShapeDtype, Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.ops.rules import elementwise, leading_axes, one_by_one

Kernel = Callable[..., Any]
Function = Callable[..., Any]

_BATCH_RULES = {
    "elementwise": elementwise,
    "leading_axes": leading_axes,
    "one_by_one": one_by_one,
}


class OwnPrimitive(Primitive):
    """An op that a program registered."""


def register_op(
    name: str | None = None,
    *,
    vjp: Rule | Sequence[Rule | None] | NoGradient,
    residuals: str | Sequence[str] = "",
    batch: str | Callable[..., Any] | None = None,
    rule: str = "",
    dtype_kinds: str = NUMERIC_KINDS,
    outputs: int = 1,
) -> Callable[[Kernel], Function]:
    """Define an op by a function that computes with NumPy.

    The function's positional parameters are the op's inputs. They are arrays (NumPy scalars for rank 0), and the function must
    not change them. Its keyword-only parameters are settings, which the rules also receive as keywords. For complex numbers, a
    rule computes ȳ·f'(x) without conjugation.

    Args:
        name: The name of the op in a trace; the function's name by default.
        vjp: For each input a rule `rule(ybar, y, *inputs, **settings)` that returns the cotangent of that input, written with
            tensor operators and `tf` functions, never with NumPy. None for an input that is not differentiable, such as an index.
            `tf.autodiff.no_gradient(reason)` if the op is not differentiable.
        residuals: The values that the rules read: the letters of the inputs in order (a, b, c ...; x for a single input) and y
            for the output. One string for all rules, or one for each rule. A tape does not keep values that no rule reads.
        batch: How the op runs on a batch: "elementwise" if it treats each element separately, "leading_axes" if it works only
            on the last axes, "one_by_one" for a loop, or a function as in `minitape.ops.rules`. By default the op runs in a
            loop, with a warning.
        rule: A sentence or formula that explains the rules; the debugger shows it.
        dtype_kinds: The kinds of dtypes that the op supports: f float, c complex, i and u integer, b bool.
        outputs: The number of values that the function returns; several values are returned as a tuple.

    Returns:
        A decorator; the decorated function takes values that can become tensors, and returns tensors.

    Raises:
        ValueError: the declaration is inconsistent, for example because the name exists, or there are too few rules or an unknown
            letter.
        TypeError: a rule cannot be called as above, or (when it runs) reads a value that was not kept.

    >>> @register_op(vjp=lambda ybar, y, x: ybar * 3.0 * x * x, residuals="x", batch="elementwise")
    ... def cube(x):
    ...     return x * x * x
    >>> float(cube(2.0))
    8.0
    """

    def register(kernel: Kernel) -> Function:
        title = name or kernel.__name__
        inputs, settings = _parameters(title, kernel)
        declared: NoGradient | list[Rule | None]
        same_dtype_args: list[int] | None = None
        if isinstance(vjp, NoGradient):
            declared = vjp
        else:
            rules: list[Rule | None] = [vjp] if callable(vjp) else list(vjp)
            _check_rules(title, rules, inputs, settings)
            words = [residuals] * len(rules) if isinstance(residuals, str) else list(residuals)
            _check_residuals(title, words, inputs)
            declared = [
                None if each is None else _checked(title, inputs, position, each)
                for position, each in enumerate(rules)
            ]
            same_dtype_args = [position for position, each in enumerate(rules) if each is not None]
        _check_name(title, kernel)
        primitive = OwnPrimitive(
            title,
            _on_arrays(kernel),
            vjp=declared,
            batch=_batch_rule(title, batch),
            residuals=residuals,
            rule=rule
            or (vjp.reason if isinstance(vjp, NoGradient) else "the custom rule of the op"),
            dtype_kinds=dtype_kinds,
            same_dtype_args=same_dtype_args,
            outputs=outputs,
        )
        return _function(primitive, kernel)

    return register


def _function(primitive: Primitive, kernel: Kernel) -> Function:
    signature = inspect.signature(kernel)

    @functools.wraps(kernel)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        first, *others = bound.args
        return primitive(as_operand(first, *others), *others, **bound.kwargs)

    call.__wrapped_primitive__ = primitive  # type: ignore[attr-defined]  # as on all public ops
    return call


def _on_arrays(kernel: Kernel) -> Kernel:
    """Return the kernel in the form that the engine needs: its result is an array, or a NumPy scalar for rank 0."""

    @functools.wraps(kernel)
    def computed(*arrays: Array, **settings: Any) -> Any:
        y = kernel(*arrays, **settings)
        return tuple(map(_as_array, y)) if isinstance(y, tuple) else _as_array(y)

    return computed


def _as_array(y: Any) -> Array:
    array = np.asarray(y)
    return array if array.ndim else array[()]


def _checked(title: str, inputs: list[str], position: int, rule: Rule) -> Rule:
    """Return the rule with checks of its result and helpful errors."""
    argument = inputs[position]

    @functools.wraps(rule)
    def checked(ybar: Value, y: Value, *values: Value, **settings: Any) -> Value | None:
        try:
            xbar = rule(ybar, y, *values, **settings)
        except Exception as error:
            forgotten = _unsaved_inputs(inputs, y, values)
            if forgotten:
                raise TapeTypeError(
                    f"The rule of `{title}` for `{argument}` failed, because `residuals` does not include "
                    f"{' and '.join(forgotten.values())}.",
                    fix=f"pass `residuals={''.join(forgotten)!r}` to `register_op`, because the rule reads these values",
                    code="MT503",
                ) from error
            raise
        if xbar is None:
            return None
        _check_cotangent(title, argument, xbar, values[position])
        return xbar._array if type(xbar) is Tensor and type(ybar) in ARRAY_TYPES else xbar

    return checked


def _unsaved_inputs(inputs: list[str], y: Value, values: Sequence[Value]) -> dict[str, str]:
    """Return the letters and names of the inputs whose values were not kept for the rule."""
    named = {
        _letter(inputs, position): inputs[position]
        for position, value in enumerate(values)
        if isinstance(value, ShapeDtype)
    }
    return named | ({"y": "the output"} if isinstance(y, ShapeDtype) else {})


def _letter(inputs: list[str], position: int) -> str:
    return "x" if len(inputs) == 1 else EVERY_INPUT[position]


def _check_cotangent(title: str, argument: str, xbar: Any, x: Value) -> None:
    if not hasattr(xbar, "shape"):
        raise TapeTypeError(
            f"The rule of `{title}` for `{argument}` returned {xbar!r:.60}, which is not a tensor.",
            fix="return a tensor that is computed from `ybar`: `ybar` times the derivative",
            code="MT503",
        )
    if tuple(xbar.shape) != tuple(x.shape):
        raise TapeValueError(
            f"The rule of `{title}` for `{argument}` returned shape {tuple(xbar.shape)}, "
            f"but `{argument}` has shape {tuple(x.shape)}.",
            fix=f"use `tf.autodiff.sum_to(..., {argument})`, which sums over the broadcast axes",
            code="MT507",
        )
    if not isinstance(xbar, IndexedSlices) and raw_dtype(xbar) != raw_dtype(x):
        raise TapeTypeError(
            f"The rule of `{title}` for `{argument}` returned dtype {raw_dtype(xbar).name}, "
            f"but `{argument}` has dtype {raw_dtype(x).name}.",
            fix="compute with tensors and Python numbers, which keep the dtype of `ybar`",
            code="MT506",
        )


# --- checks of the declaration ---


def _parameters(title: str, kernel: Kernel) -> tuple[list[str], list[str]]:
    """Return the names of the kernel's inputs and of its settings."""
    inputs, settings = [], []
    for each in inspect.signature(kernel).parameters.values():
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            inputs.append(each.name)
        elif each.kind is each.KEYWORD_ONLY:
            settings.append(each.name)
        else:
            raise TapeValueError(
                f"`{title}` takes {each}, but an op needs inputs with names, each with its own rule.",
                fix=f"write `def {title}(a, b): ...`",
            )
    if not inputs:
        raise TapeValueError(f"`{title}` has no input.", fix=f"write `def {title}(x): ...`")
    return inputs, settings


def _check_rules(
    title: str, rules: list[Rule | None], inputs: list[str], settings: list[str]
) -> None:
    if len(rules) != len(inputs):
        raise TapeValueError(
            f"`{title}` has {len(inputs)} inputs ({', '.join(inputs)}), but {len(rules)} rules.",
            fix="pass one rule for each input, `vjp=(rule_of_a, rule_of_b, ...)`, with `None` for an input that is not "
            "differentiable",
        )
    for argument, rule in zip(inputs, rules, strict=True):
        if rule is not None:
            _check_call(title, argument, rule, inputs, settings)


def _check_call(
    title: str, argument: str, rule: Rule, inputs: list[str], settings: list[str]
) -> None:
    try:
        inspect.signature(rule).bind(None, None, *inputs, **dict.fromkeys(settings))
    except TypeError as error:
        wanted = ", ".join(["ybar", "y", *inputs, *settings])
        raise TapeTypeError(
            f"The rule of `{title}` for `{argument}` cannot be called as rule({wanted}): {error}.",
            fix=f"pass `lambda {wanted}: ...`",
        ) from error


def _check_residuals(title: str, words: list[str], inputs: list[str]) -> None:
    if len(words) != len(inputs):
        raise TapeValueError(
            f"`{title}` has {len(inputs)} inputs, but `residuals` has {len(words)} strings.",
            fix='pass one string for all rules, or one string for each rule: `residuals=("b", "a")`',
        )
    allowed = [_letter(inputs, position) for position in range(len(inputs))] + ["y"]
    unknown = sorted(set("".join(words)) - set(allowed))
    if unknown:
        raise TapeValueError(
            f"`residuals` of `{title}` contains {unknown[0]!r}; the allowed letters are {', '.join(allowed)}.",
            fix=f"pass `residuals={''.join(allowed)!r}`, which keeps all values",
        )


def _check_name(title: str, kernel: Kernel) -> None:
    """Refuse a name that exists, unless the same function is defined again, as when a notebook cell runs twice."""
    taken = PRIMITIVES.get(title)
    if taken is None:
        return
    same = isinstance(taken, OwnPrimitive) and (
        taken.kernel.__module__,
        taken.kernel.__qualname__,
    ) == (kernel.__module__, kernel.__qualname__)
    if not same:
        raise TapeValueError(
            f"An op named {title} already exists.", fix=f'use `register_op("My{title}", ...)`'
        )


def _batch_rule(title: str, batch: str | Callable[..., Any] | None) -> Callable[..., Any] | None:
    if batch is None or callable(batch):
        return batch
    if batch not in _BATCH_RULES:
        raise TapeValueError(
            f"`batch` of `{title}` is {batch!r}, but must be one of {', '.join(_BATCH_RULES)}.",
            fix='pass `batch="one_by_one"`, which works for every op',
        )
    return _BATCH_RULES[batch]

"""Checks the rule of a single op against finite differences, in float64.

A rule computes x̄ = ȳ·f'(x), for complex numbers too. In this convention, if ȳ is the derivative of a real number L with respect
to y, L changes by the real part of ȳ·ẏ for any change ẏ of y.

RuleCheck           the result of a check
check_rule          runs the op's kernel and its rules on given inputs
as_computed_with    the inputs of an op that ran, as arrays
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.autodiff.finite_differences import GradientVerdict, derivative, direction, judge
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, beside
from minitape.core.declaration import DIFFERENTIABLE_KINDS, is_differentiable
from minitape.core.dtypes import kind_of
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import TensorLike
from minitape.core.values import Array
from minitape.errors import Teaching

_TOLERANCE = 1e-6
_DOUBLE = {"f": np.dtype(np.float64), "c": np.dtype(np.complex128)}
_WORST_FIRST = (
    GradientVerdict.DIFFERS,
    GradientVerdict.UNSETTLED,
    GradientVerdict.KINK,
    GradientVerdict.AGREES,
    GradientVerdict.UNCHECKED,
)


@dataclass(frozen=True)
class RuleCheck:
    """The result of checking one op: `error` is the largest difference, relative to the magnitude of the derivative."""

    op: str
    rule: str
    shapes: tuple[tuple[int, ...], ...]
    verdict: GradientVerdict
    error: float
    why: str = ""


def doubled(value: Any) -> Any:
    """Return a float array or dtype in float64, a complex one in complex128; other values unchanged."""
    if isinstance(value, np.dtype):
        return _DOUBLE.get(kind_of(value), value)
    if isinstance(value, np.ndarray | np.generic):
        return value.astype(_DOUBLE.get(kind_of(value.dtype), value.dtype))
    return value


def check_rule(
    primitive: Primitive, inputs: tuple[Array, ...], settings: dict[str, Any], *, seed: int = 0
) -> RuleCheck:
    """Compare the vjp of one op with finite differences along random directions, for each input that has a rule.

    Args:
        primitive: The op.
        inputs: Its inputs as arrays; floats are checked in float64.
        settings: Its settings, in canonical form.
        seed: The seed of the random directions.

    Returns:
        The worst result over all inputs.
    """
    shapes = tuple(tuple(np.shape(x)) for x in inputs)
    if has_own_rule(primitive):
        why = "the rule belongs to a single function call, so it cannot be run again"
        return RuleCheck(primitive.name, primitive.rule, shapes, GradientVerdict.OWN, 0.0, why)
    inputs = tuple(map(doubled, inputs))
    settings = {name: doubled(value) for name, value in settings.items()}
    rng = np.random.default_rng(seed)
    worst = (GradientVerdict.UNCHECKED, 0.0)
    try:
        with np.errstate(all="ignore"):
            for position in _checkable(primitive, inputs):
                found = _check_input(primitive, inputs, settings, position, rng)
                worst = min(worst, found, key=lambda each: (_WORST_FIRST.index(each[0]), -each[1]))
    except (Teaching, ValueError, TypeError, np.linalg.LinAlgError) as error:
        why = f"the op does not run in float64: {str(error).splitlines()[0]}"
        return RuleCheck(
            primitive.name, primitive.rule, shapes, GradientVerdict.UNCHECKED, 0.0, why
        )
    why = (
        ""
        if worst[0] is not GradientVerdict.UNCHECKED
        else "the op has no real or complex input with a rule"
    )
    return RuleCheck(primitive.name, primitive.rule, shapes, *worst, why)


def _checkable(primitive: Primitive, inputs: tuple[Array, ...]) -> list[int]:
    """Return the positions of the inputs that have a derivative and a rule."""
    if not primitive.rules:
        return []
    return [
        position
        for position, x in enumerate(inputs)
        if is_differentiable(x) and primitive.rules[position] is not None
    ]


def _check_input(
    primitive: Primitive,
    inputs: tuple[Array, ...],
    settings: dict[str, Any],
    position: int,
    rng: np.random.Generator,
) -> tuple[GradientVerdict, float]:
    y = primitive.kernel(*inputs, **settings)
    ybar = _seed(y, rng)
    rule = primitive.rules[position]
    assert rule is not None
    xbar = numbers(rule(ybar, y, *inputs, **settings))
    along = direction(inputs[position], rng)

    def perturbed(step: float) -> float:
        there = (*inputs[:position], inputs[position] + step * along, *inputs[position + 1 :])
        return inner(primitive.kernel(*there, **settings), ybar)

    found = derivative(perturbed)
    products = np.zeros(()) if xbar is None else xbar * along
    claimed, size = float(np.sum(products).real), float(np.sum(np.abs(products)))
    error = abs(claimed - found.value) / max(size, abs(found.value), 1e-12)
    return judge(claimed, found, size=size, tolerance=_TOLERANCE), error


def _seed(y: Any, rng: np.random.Generator) -> Any:
    """Return a cotangent for each real or complex output."""
    if isinstance(y, tuple):
        return tuple(_seed(each, rng) for each in y)
    kind, shape = raw_dtype(y).kind, np.shape(y)
    if kind not in DIFFERENTIABLE_KINDS:
        return None
    weights = rng.uniform(0.5, 1.5, shape)
    return (weights if kind == "f" else weights + 1j * rng.uniform(0.5, 1.5, shape))[()]


def inner(xs: Any, ys: Any) -> float:
    """Return ⟨xs, ys⟩, the real part of the sum of all products; None counts as 0."""
    if isinstance(xs, tuple):
        return sum(inner(x, y) for x, y in zip(xs, ys, strict=True))
    return 0.0 if xs is None or ys is None else float(np.sum(xs * ys).real)


def numbers(value: Any) -> Array | None:
    """Return a gradient of any type as a dense array."""
    if value is None:
        return None
    if isinstance(value, IndexedSlices):
        value = value.to_dense_tensor()
    return np.asarray(getattr(value, "_array", value))


def as_computed_with(primitive: Primitive, given: tuple[Any, ...]) -> tuple[Array, ...]:
    """Return the inputs of an op as the arrays that it used; a plain number next to a tensor was converted to the tensor's
    dtype.
    """
    same_dtype_args = [
        each
        for i, each in enumerate(given)
        if primitive.same_dtype_args is None or i in primitive.same_dtype_args
    ]
    lead = next(
        (each._array.dtype for each in same_dtype_args if isinstance(each, TensorLike)), None
    )

    def array(position: int, value: Any) -> Array:
        if isinstance(value, TensorLike):
            return value._array
        follows = primitive.same_dtype_args is None or position in primitive.same_dtype_args
        return beside(value, lead) if lead is not None and follows else as_array(value, None)

    return tuple(array(position, value) for position, value in enumerate(given))


def has_own_rule(primitive: Primitive) -> bool:
    """Whether the op was created for a single call to a function with a custom gradient, so that its kernel cannot be run
    again.
    """
    return PRIMITIVES.get(primitive.name) is not primitive

"""Checks that the gradient of a function is correct.

    gradcheck           compares the tape with finite differences for each argument, and finds the op with the wrong rule
    assert_gradients    does the same for a test, and raises an error if the gradients differ
    GradientReport      the result of a check
    GradientComparison  one gradient and its finite differences

The first order is checked along random directions, which perturb all elements of an argument at once. The second order is the
first order of x ↦ ⟨u, ∇f(x)⟩ for a random u, and so on.

Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.autodiff.finite_differences import GradientVerdict, derivative, direction, judge
from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.rulecheck import (
    RuleCheck,
    as_computed_with,
    check_rule,
    numbers,
)
from minitape.core import listeners, nest
from minitape.core.convert import convert_to_tensor
from minitape.core.primitive import OpRan
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.errors import DtypeMismatchError, TapeValueError

_DIRECTIONS = 3
_FEW = 256  # the maximum number of elements that are checked individually if a gradient is wrong
# maps the number of bytes of a float to the allowed relative error
TOLERANCE = {2: 3e-2, 4: 1e-3, 8: 1e-6}


@dataclass(frozen=True)
class GradientComparison:
    """One gradient and its finite differences.

    Both numbers are derivatives along a random direction or, if `element` is an index, with respect to that element, which is
    where they differ most. `why` states what could not be compared.
    """

    source: str
    order: int
    shape: tuple[int, ...]
    verdict: GradientVerdict
    by_tape: float = 0.0
    by_steps: float = 0.0
    error: float = 0.0
    element: tuple[int, ...] | None = None
    why: str = ""

    def __str__(self) -> str:
        if self.verdict is GradientVerdict.UNCHECKED:
            return f"{self.source}: not checked, because {self.why}"
        where = f" at {list(self.element)}" if self.element else ""
        order = "" if self.order == 1 else f", order {self.order}"
        return (
            f"{self.source}{order}: {self.verdict}{where}: the tape computes {self.by_tape:.8g}, "
            f"finite differences give {self.by_steps:.8g}"
        )


@dataclass(frozen=True)
class GradientReport:
    """The result of a check, which is true if no gradient differs. `dtype` is the dtype of the computation."""

    comparisons: tuple[GradientComparison, ...]
    rules: tuple[RuleCheck, ...]
    dtype: str

    @property
    def ok(self) -> bool:
        """Whether no gradient differs."""
        return all(each.verdict is not GradientVerdict.DIFFERS for each in self.comparisons)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        lines = [f"  {each}" for each in self.comparisons]
        if self.ok:
            return "\n".join([f"the gradients agree ({self.dtype})", *lines])
        head = f"a gradient differs from the derivative of its function ({self.dtype})"
        return "\n".join([head, *lines, *self._suspects()])

    def _suspects(self) -> list[str]:
        """Return the possible causes: a rule that is not the derivative, a user-defined rule, or operations outside the tape."""
        suspects = [
            f"  the rule of `{each.op}` does not equal the derivative of the op: {each.rule} (relative error {each.error:.2g})"
            for each in self.rules
            if each.verdict is GradientVerdict.DIFFERS
        ]
        own = [each.op for each in self.rules if each.verdict is GradientVerdict.OWN]
        suspects += [f"  `{name}` has a custom rule" for name in dict.fromkeys(own)]
        return suspects or [
            "  the rule of every op equals the derivative of the op. Either the tape does not record a part of `fn` (run "
            "`minitape explain`), or `fn` does not return the same result in each call"
        ]


def gradcheck(
    fn: Callable[..., Any], *args: Any, order: int = 1, tolerance: float | None = None
) -> GradientReport:
    """Compare the gradients of a function with finite differences, in float64.

    Args:
        fn: A function that takes tensors and returns a tensor or a nested structure of tensors. It is called many times, so it
            must return the same result each time.
        args: The point at which to check: values that can become tensors. Floats are passed to `fn` as float64; if `fn` contains
            values of a different dtype, all keep their dtype, and the tolerance is larger.
        order: 1 for the gradient, 2 to include the gradient of the gradient, and so on.
        tolerance: The allowed relative error: 1e-6 by default in float64, 1e-3 in float32.

    Returns:
        A report that is true if all gradients agree; print it for details. If a gradient differs, each op that `fn` ran is
        checked alone, and the report names those whose rule is not their derivative.

    Raises:
        ValueError: there are no arguments, or none of them is a float.

    At a kink (relu at 0, a tie of a maximum) the two one-sided derivatives differ; a gradient equal to one of them or between
    them counts as right.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient

    >>> report = gradcheck(lambda x: x * x * x, [1.0, 2.0], order=2)
    >>> report.ok, report.dtype
    (True, 'float64')
    """
    at, dtype = _in_one_dtype(fn, [convert_to_tensor(arg) for arg in args])
    smooth = [i for i, x in enumerate(at) if x.dtype.is_floating]
    if not smooth:
        raise TapeValueError(
            "`gradcheck` needs an argument of a float dtype, because only floats can be perturbed.",
            fix="call `gradcheck(fn, 3.0)`",
        )
    allowed = TOLERANCE[dtype.itemsize] if tolerance is None else tolerance
    rng = np.random.default_rng(0)
    found: list[GradientComparison] = []
    flat = _flat(fn)
    for each in range(1, order + 1):
        found += [_compare(flat, at, i, each, allowed, rng) for i in smooth]
        flat = _gradient_along(flat, at, smooth, rng)
    report = GradientReport(tuple(found), (), str(dtype))
    return report if report.ok else GradientReport(report.comparisons, _rules(fn, at), report.dtype)


def assert_gradients(
    fn: Callable[..., Any], *args: Any, order: int = 1, tolerance: float | None = None
) -> None:
    """Raise an error if a gradient is not the derivative of its function. This is `gradcheck` for use in a test.

    Args:
        fn: The function to check. All parameters are those of `gradcheck`.

    Raises:
        AssertionError: a gradient differs; the message names the gradient, the element, and the op whose rule is wrong.
        ValueError: there are no arguments, or none of them is a float.

    >>> assert_gradients(lambda x: x * x, 3.0)
    """
    report = gradcheck(fn, *args, order=order, tolerance=tolerance)
    if not report.ok:
        raise AssertionError(str(report))


def _in_one_dtype(fn: Callable[..., Any], given: list[Tensor]) -> tuple[list[Tensor], Any]:
    double = [Tensor(x._array.astype(np.float64)) if x.dtype.is_floating else x for x in given]
    try:
        fn(*double)
    except DtypeMismatchError:
        kinds = [x._array.dtype for x in given if x.dtype.is_floating]
        return given, min(kinds, key=lambda dtype: int(dtype.itemsize))
    return double, np.dtype(np.float64)


def _flat(fn: Callable[..., Any]) -> Callable[..., list[Tensor]]:
    """Return a function that calls `fn` and returns a flat list of its float results."""

    def run(*values: Tensor) -> list[Tensor]:
        leaves = [convert_to_tensor(leaf) for leaf in nest.flatten(fn(*values))]
        return [leaf for leaf in leaves if leaf.dtype.is_floating]

    return run


def _gradient_along(
    fn: Callable[..., list[Tensor]], at: list[Tensor], smooth: list[int], rng: np.random.Generator
) -> Callable[..., list[Tensor]]:
    """Return x ↦ ⟨u, ∇f(x)⟩: a function of the same arguments, one order higher."""
    along = [Tensor(rng.normal(size=at[i]._array.shape).astype(at[i]._array.dtype)) for i in smooth]

    def run(*values: Tensor) -> list[Tensor]:
        with GradientTape() as tape:
            sources = [values[i] for i in smooth]
            tape.watch(sources)
            y = fn(*values)
        gradients = tape.gradient(y, sources, unconnected_gradients="zero")
        return [convert_to_tensor(g) * u for g, u in zip(gradients, along, strict=True)]

    return run


def _compare(
    fn: Callable[..., list[Tensor]],
    at: list[Tensor],
    position: int,
    order: int,
    tolerance: float,
    rng: np.random.Generator,
) -> GradientComparison:
    source = f"argument {position}"
    with GradientTape() as tape:
        tape.watch(at[position])
        y = fn(*at)
    seeds = _seeds([each._array for each in y], rng)
    gradient = tape.gradient(y, at[position], seeds, unconnected_gradients="zero") if y else None
    x = at[position]._array

    def perturbed(there: Array) -> float:
        values = [*at[:position], Tensor(there.astype(x.dtype)), *at[position + 1 :]]
        each = zip(fn(*values), seeds, strict=True)
        return float(sum(np.sum(out._array.astype(np.float64) * seed) for out, seed in each))

    return compare(source, order, numbers(gradient), np.asarray(x), perturbed, tolerance, rng)


def _seeds(outs: list[Array], rng: np.random.Generator) -> list[Array]:
    """Return a weight for each element of the results; a scalar result keeps its own derivative."""
    if sum(out.size for out in outs) == 1:
        return [np.ones(out.shape, out.dtype) for out in outs]
    return [rng.uniform(0.5, 1.5, out.shape).astype(out.dtype) for out in outs]


def compare(
    source: str,
    order: int,
    gradient: Array | None,
    x: Array,
    perturbed: Callable[[Array], float],
    tolerance: float,
    rng: np.random.Generator,
) -> GradientComparison:
    """Compare a gradient at `x` with finite differences of `perturbed`, which returns the function's value at another point.

    Args:
        source: The name of the argument, for the report.
        order: The order of the derivative.
        gradient: The gradient in the shape of `x`, or None.
        x: The point.
        perturbed: A function that takes a perturbed `x` and returns the function's value at that point.
        tolerance: The allowed relative error.
        rng: Draws the directions.

    Returns:
        The worst comparison along random directions; if its two values differ and `x` is small, the worst comparison along a
        single element.
    """

    def along(way: Array, index: tuple[int, ...] | None = None) -> GradientComparison:
        return _along(source, order, gradient, x, perturbed, tolerance, way, index)

    if x.size == 1:
        return along(*next(_one_by_one(x)))
    worst = max((along(direction(x, rng)) for _ in range(_DIRECTIONS)), key=_badness)
    if worst.verdict is not GradientVerdict.DIFFERS or x.size > _FEW:
        return worst
    return max((along(*each) for each in _one_by_one(x)), key=_badness)


def _badness(comparison: GradientComparison) -> tuple[bool, float]:
    return comparison.verdict is GradientVerdict.DIFFERS, comparison.error


def _along(
    source: str,
    order: int,
    gradient: Array | None,
    x: Array,
    perturbed: Callable[[Array], float],
    tolerance: float,
    along: Array,
    index: tuple[int, ...] | None = None,
) -> GradientComparison:
    # The step size is chosen for float64; with a less accurate dtype it must be larger.
    stretch = {2: 1e4, 4: 1e2}.get(x.dtype.itemsize, 1.0)
    along = along * stretch
    with np.errstate(all="ignore"):
        steps = derivative(lambda step: perturbed(x + step * along))
        products = np.zeros(()) if gradient is None else gradient * along
        claimed, size = float(np.sum(products)), float(np.sum(np.abs(products)))
        verdict = judge(claimed, steps, size=size, tolerance=tolerance)
        error = abs(claimed - steps.value) / max(size, abs(steps.value), 1e-300)
    # Along one element, the derivative is that element of the gradient.
    length = stretch if index is None else float(np.sum(along))
    by_tape, by_steps = claimed / length, steps.value / length
    return GradientComparison(source, order, x.shape, verdict, by_tape, by_steps, error, index)


def _one_by_one(x: Array) -> Iterator[tuple[Array, tuple[int, ...]]]:
    """Yield a direction along each single element, with the magnitude of that element, and the index of the element."""
    for index in np.ndindex(x.shape):
        way = np.zeros(x.shape)
        way[index] = abs(x[index]) or 1.0
        yield way, index


class _Ops:
    """A listener that collects each op of a run with its inputs, once for each combination of shapes."""

    def __init__(self) -> None:
        self.seen: dict[tuple[Any, ...], tuple[Any, tuple[Array, ...], dict[str, Any]]] = {}

    def emit(self, event: Any) -> None:
        if not isinstance(event, OpRan):
            return
        arrays = as_computed_with(event.primitive, event.given)
        key = (event.primitive.name, *(np.shape(array) for array in arrays))
        self.seen.setdefault(key, (event.primitive, arrays, event.settings))

    def hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return product


def _rules(fn: Callable[..., Any], at: list[Tensor]) -> tuple[RuleCheck, ...]:
    ops = _Ops()
    with GradientTape() as tape, listeners.listen(ops):
        tape.watch([x for x in at if x.dtype.is_floating])
        fn(*at)
    return tuple(check_rule(*op) for op in ops.seen.values() if op[0].rules)

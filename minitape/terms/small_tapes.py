"""The tape of a small gradient call as data, with which the page's script computes it again for other input values.

Each op is a list of the elements that depend on each other, so the script implements no ops, only the functions of one or two
numbers in `FUNCTIONS`:

    linear    an element of the output, an element of an input, and the factor between them
    product   an element of the output, and two elements whose product is added to it
    each      an element of the output, and the elements of all inputs that it is a function of
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.html.data.term_data import SmallTape
from minitape.replay.reason import Reason
from minitape.terms.local import Family, Local
from minitape.terms.patterns import Pattern, Patterns
from minitape.terms.run import RunValues, indexed, no_warnings, unraveled
from minitape.terms.trace_index import Taken
from minitape.trace.events import Numbers

_MOST = 200  # the maximum number of elements of all values, and of ops
_MOST_OPS = 5_000  # the maximum number of ops in the run; finding those of a call takes too long in a longer run
_MOST_OF_ONE = 16  # the maximum number of elements of an input that a reader can change
_PAIRS = 40_000  # the maximum number of pairs of elements of one op
FUNCTIONS = (
    *("Pow", "RealDiv", "SquaredDifference", "Square", "Sqrt", "Rsqrt", "Reciprocal"),
    *("Exp", "Expm1", "Log", "Log1p", "Tanh", "Sigmoid", "Softplus", "Relu", "Abs", "Sin", "Cos"),
)
_FLOATS = ("float16", "bfloat16", "float32", "float64")


class _UnsuitableError(Exception):
    """The script of the page cannot compute this tape."""


def small_tape(run: RunValues, call: int) -> SmallTape | None:
    """Return a gradient call as data that the page's script can compute; None if it is too large or has other ops.

    Args:
        run: The run.
        call: The number of the gradient call.
    """
    if len(run.trace_index.taken) > _MOST_OPS:
        return None
    try:
        with no_warnings():
            found = _Tape(run, call).data()
    except _UnsuitableError:
        return None
    return found if found.inputs else None


class _Tape:
    """The ops between the sources and the target of a gradient call, in order."""

    def __init__(self, run: RunValues, call: int) -> None:
        self._run = run
        self._index = run.trace_index
        self._patterns = Patterns(self._run)
        self._requested = self._index.requested[call]
        passes = self._index.backward_passes[call]
        if self._requested.api != "gradient" or len(self._requested.targets) != 1 or not passes:
            raise _UnsuitableError
        (target,) = self._requested.targets
        self._target = self._index.named(target)
        seeds = passes[0].sent[self._target][:1]
        self._seed = self._single(seeds[0].total if seeds else None)
        self._recorded = self._single(self._index.values.get(target))
        self._sources = [s.value for s in self._requested.sources if s.value is not None]
        self._maker = {
            out.id: taken for taken in self._index.taken.values() for out in taken.op.outputs
        }
        self._positions: dict[int, int] = {}  # of each value, on the page
        self._sizes: list[int] = []
        self._leaves: dict[int, list[float]] = {}
        self._names: dict[int, Numbers] = {}
        self._ops: list[list[Any]] = []
        self._op_positions: dict[int, int] = {}
        self._computed = self._all_computed()
        self._add_ops()

    def data(self) -> SmallTape:
        read = {
            value: self._positions[variable]
            for value, variable in self._index.variable_of.items()
            if variable in self._positions
        }
        return SmallTape(
            self._sizes,
            self._leaves,
            self._ops,
            (self._positions[self._target], self._recorded, self._seed),
            self._requested.target_name or "target",
            [*self._inputs()],
            [self._positions[each] for each in self._sources if each in self._positions],
            self._positions | read,
            self._op_positions,
        )

    # --- the ops ---

    def _add_ops(self) -> None:
        if self._target not in self._computed:
            raise _UnsuitableError
        needed: dict[int, Taken] = {}
        waiting = [self._target]
        while waiting:
            taken = self._maker.get(waiting.pop())
            if taken is None or taken.op.number in needed or not self._is_computed(taken):
                continue
            needed[taken.op.number] = taken
            if len(needed) > _MOST:
                raise _UnsuitableError
            waiting += [self._index.named(each.value) for each in taken.op.inputs]
        for _, taken in sorted(needed.items()):
            self._add(taken)

    def _all_computed(self) -> set[int]:
        """Return all values that were computed from a source; the ops are in order, so this needs no recursion."""
        depending = {*self._sources}
        computed = set[int]()
        for taken in self._index.taken.values():
            if any(self._index.named(each.value) in depending for each in taken.op.inputs):
                made = {out.id for out in taken.op.outputs}
                depending |= made
                computed |= made
        return computed

    def _is_computed(self, taken: Taken) -> bool:
        return any(out.id in self._computed for out in taken.op.outputs)

    def _add(self, taken: Taken) -> None:
        op = taken.op
        if len(op.outputs) != 1 or self._requested.tapes[0] not in op.recorded:
            raise _UnsuitableError
        given = []
        for each, numbers in zip(op.inputs, taken.inputs, strict=True):
            given.append(self._position(self._index.named(each.value), numbers))
        local = self._run.local(taken)
        if isinstance(local, Reason) or local.is_complex:
            raise _UnsuitableError
        if local.family is Family.LINEAR:
            kind, parts = "linear", self._factors(taken, local, given)
        else:
            kind, parts = self._pattern(taken, local)
        self._op_positions[op.number] = len(self._ops)
        self._ops.append([kind, op.name, given, self._new(op.outputs[0].id, op.outputs[0]), parts])

    def _factors(self, taken: Taken, local: Local, given: list[int]) -> list[list[Any]]:
        """Return for each input its position, followed by elements of the output and of the input with their factors.

        The rest of the output, such as the plain number in `1.0 + x`, becomes an additional leaf in `given`.
        """
        found: list[list[Any]] = []
        (out,) = taken.op.outputs
        left = np.asarray(self._elements(out))
        most = max(1.0, float(np.abs(left).max(initial=0.0)))
        rows_of = local.jacobian(0, _PAIRS)
        for position, (rows, each) in enumerate(zip(rows_of, taken.op.inputs, strict=False)):
            value = self._index.named(each.value)
            if rows is not None:
                out_at, in_at = np.nonzero(rows)
                factors = [float(f"{factor:.9g}") for factor in rows[out_at, in_at]]
                found.append([position, out_at.tolist(), in_at.tolist(), factors])
                elements = np.asarray(self._elements(taken.inputs[position]))
                left = left - rows.astype(float) @ elements
            elif value in self._sources or value in self._maker:
                raise _UnsuitableError
            else:
                self._names.pop(value, None)
        if not found:
            raise _UnsuitableError
        if not np.allclose(left, 0.0, atol=1e-5 * most):
            every = [*range(out.size)]
            found.append([len(given), every, every, [1.0] * out.size])
            given.append(self._leaf(left.tolist()))
        return found

    def _pattern(self, taken: Taken, local: Local) -> tuple[str, list[Any]]:
        """Return the kind of an op that is not linear, and the elements that depend on each other."""
        has_floats = all(each is not None and each.dtype in _FLOATS for each in taken.inputs)
        found = self._patterns.of(taken)
        pattern = self._patterns.all[found.pattern] if found.pattern is not None else None
        if pattern is not None and has_floats:
            is_product = pattern["kind"] == "product" and len(taken.inputs) == 2
            if local.family is Family.PRODUCT and is_product:
                return "product", _at(pattern)
            if local.family is Family.ELEMENTWISE and taken.op.name in FUNCTIONS:
                return "each", _at(pattern)
        raise _UnsuitableError

    # --- the values ---

    def _position(self, value: int, numbers: Numbers | None) -> int:
        """Return the position of an input; an input that no op of this tape computed becomes a leaf."""
        if value not in self._positions:
            self._positions[value] = self._leaf(self._elements(numbers))
            assert numbers is not None
            self._names[value] = numbers
        elif (
            self._leaves.get(self._positions[value], elements := self._elements(numbers))
            != elements
        ):
            raise _UnsuitableError  # the variable has changed in between
        return self._positions[value]

    def _leaf(self, elements: list[float]) -> int:
        position = self._space(len(elements))
        self._leaves[position] = elements
        return position

    def _new(self, value: int, numbers: Numbers) -> int:
        self._positions[value] = self._space(numbers.size)
        return self._positions[value]

    def _space(self, size: int) -> int:
        """Reserve space for one more value, and return its position."""
        if sum(self._sizes) + size > _MOST:
            raise _UnsuitableError
        self._sizes.append(size)
        return len(self._sizes) - 1

    def _elements(self, numbers: Numbers | None) -> list[float]:
        array = None if numbers is None else self._index.array(numbers)
        if array is None or isinstance(array, Reason) or not _is_finite(array):
            raise _UnsuitableError
        return [float(each) for each in np.ravel(array)]

    def _single(self, numbers: Numbers | None) -> float:
        values = self._elements(numbers)
        if len(values) != 1:
            raise _UnsuitableError
        return values[0]

    # --- the inputs that a reader can change ---

    def _inputs(self) -> Iterator[tuple[str, int, int]]:
        """Yield the elements that a reader may change: the name, the position of the value, and the index; sources first."""
        given = {source.value: source.name for source in self._requested.sources}
        for value, numbers in sorted(
            self._names.items(), key=lambda each: each[0] not in self._sources
        ):
            name = given.get(value) or self._run.name(value)
            is_named = name[:1].isidentifier()  # a name, not a number in the source
            if is_named and numbers.size <= _MOST_OF_ONE and numbers.dtype in _FLOATS:
                shape = tuple(numbers.shape)
                for offset in range(numbers.size):
                    yield indexed(name, unraveled(offset, shape)), self._positions[value], offset


def _is_finite(array: Array) -> bool:
    return array.dtype.kind in "biuf" and bool(np.all(np.isfinite(array)))


def _at(pattern: Pattern) -> list[list[int]]:
    """Return for each input, and then for the output, the flat index in each iteration of a pattern's loops."""
    sizes, shapes = pattern["sizes"], [tuple(each) for each in pattern["shapes"]]
    count = int(np.prod(sizes))
    if count > _PAIRS:
        raise _UnsuitableError
    loops = np.indices(sizes).reshape(len(sizes), count)
    found = []
    is_inside = np.ones(count, dtype=bool)
    for rules, shape in zip(pattern["at"], shapes, strict=True):
        flat = np.zeros(count, dtype=int)
        for (start, *steps), length in zip(rules, shape, strict=True):
            index = np.full(count, start)
            for loop, step in zip(steps[::2], steps[1::2], strict=True):
                index += loops[loop] * step
            is_inside &= (index >= 0) & (index < length)
            flat = flat * length + index
        found.append(flat)
    return [flat[is_inside].tolist() for flat in found]

"""Finds the pattern of an op: which elements of its inputs and outputs depend on each other, and with which factors.

    Local      an op that ran, and its derivative at its inputs
    Pairing    a pair of dependent elements, and the factor between them
    Slices     rows that a gradient rule sends instead of a whole table
    Family     what is known about an op besides its derivative

The pattern is derived from the op itself, not from a table of ops. For y = f(x₁, x₂, …) with the Jacobians J₁, J₂, …:

- Column i of J_k is f's forward derivative in the direction of element i of x_k (jvp, `column`); row j is the vjp with a
  cotangent that is 1 at element j and 0 elsewhere (`row`). Two elements depend on each other if the entry is not 0, and these
  numbers are the factors. This holds for any op with a gradient rule, but a factor is then only a number.
- Linear ops (`Family.LINEAR`): if no gradient rule reads a value, J does not depend on the values, so every factor is a
  constant and Σ factor · element is the exact result (`_reads_no_quantity`). An op that only copies is found from three
  probes: with inputs 1, k and k² for the k-th element, an output that is a single element c · x_k gives c, c·k and c·k². It
  is a single element only if (c·k²) · c = (c·k)²: for several elements with factors of the same sign, the mean of the squares
  exceeds the square of the mean (`copied`, `_single`).
- Products (`Family.PRODUCT`, listed in `_PRODUCTS`): y_j = Σ ± x_a · z_b is linear in each input. A factor of x_a is an
  element of z, and its position b is found by evaluating the op with all inputs 1 except a unit vector at a (count of
  products), and again with the k-th element of z equal to k (sum of positions). If there is exactly one product, the count
  is ±1 and the sum divided by the count is the position (`_product_column`, `_product_row`, `_product`).
- Elementwise ops (`Family.ELEMENTWISE`): by the op's batching rule, element j of the output depends only on the elements
  at position j of the broadcast inputs, even where the derivative is 0.
- Other ops: the elements with a nonzero derivative at the current inputs, which may miss a dependence that is 0 there.

Limits of this method:

- Codes are float64 integers: exact up to 2⁵³, their squares up to about 9 · 10⁷ elements.
- The test for a single element allows a relative error of `_SAME` = 10⁻⁶. The sum of the neighbors k and k + 1 misses it by
  1 / (2k + 1)², so an output that contains only sums of neighbors beyond k ≈ 500 would pass as twice a single element, and so
  would some sums with factors of both signs. The check of the sums (below) rejects such a pattern.
- If several products contain the same element, or a factor is a sum of elements, `Pairing.number` is only their total, and
  `others` is empty. If a complex contribution is not a product, only `Pairing.amount` is set.
- A rule that does not belong to the kernel (a wrong custom gradient) gives a wrong pattern. So the callers and the script of the
page add up the terms, and show them only if the sum equals the recorded value (`adds_up`).
- An op without a record (integers, booleans) has no derivative: `Reason.NO_RULE`, unless it is elementwise.

Tests: tests/terms/test_every_op.py adds up the terms of every op of the catalog, for values and for cotangents;
tests/terms/test_expansions.py has the patterns of single ops; tests/terms/test_on_tensorflow.py does both for traces of
TensorFlow.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from minitape.autodiff.accumulate import dense
from minitape.core.batched import Batched
from minitape.core.declaration import DIFFERENTIABLE_KINDS, Declaration, inputs_read, output_read
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.recorders import Record
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Array, Value
from minitape.ops.rules import elementwise
from minitape.replay.numbers import conjugate, plain
from minitape.replay.reason import Reason
from minitape.replay.running import ReplayedInput, ReplayedOp

_AT_ONCE = 256  # the maximum number of rows of a Jacobian
_SAME = 1e-6
_PRODUCTS = {
    "Mul",
    "MulNoNan",
    "MatMul",
    "Einsum",
    "Cross",
    "Conv2D",
    "Conv2DBackpropFilter",
    "Conv2DBackpropInput",
}
_NOT_LINEAR = (
    "NextAfter",
    # not linear, although its rule is, because its result jumps by a fixed step
)
_SEND_ROWS = ("GatherV2", "GatherNd")  # the ops whose rules send IndexedSlices
MEANS = ("Mean", "AvgPool", "AvgPoolGrad")  # the factors of these ops are 1/n


class Family(Enum):
    """What is known about an op: constant factors, products of elements, elementwise dependence, or only its derivative."""

    LINEAR = auto()
    PRODUCT = auto()
    ELEMENTWISE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Pairing:
    """An element that depends on a given element, or on which the given element depends.

    Args:
        position: The tensor of the element, among the outputs (for a column) or the inputs (for a row).
        element: Its flat index in that tensor.
        number: The factor; None if the factor is not a single number.
        others: The elements of other inputs whose product is the factor, as (position, flat index); empty for other factors.
        sign: -1 if that product is subtracted.
        contribution: The contribution of this element, if it is not `number` times the element.
    """

    position: int
    element: int
    number: complex | float | None
    others: tuple[tuple[int, int], ...] = ()
    sign: float = 1.0
    contribution: complex | float | None = None


class Slices(NamedTuple):
    """The IndexedSlices that a rule sends: the rows, and for each element its flat index in the cotangent."""

    indices: Array
    copied_from: Array


class Local:
    """An op that ran again, and its derivative at its inputs.

    Args:
        again: The op that ran again.
        op: Its name.
        is_minitape: Whether complex cotangents follow minitape's convention; in TensorFlow's, they are conjugated.
    """

    def __init__(self, again: ReplayedOp, op: str, *, is_minitape: bool) -> None:
        self._again = again
        self._is_minitape = is_minitape
        records = again.tape.records
        self.family = _family(records, PRIMITIVES.get(op))
        # The primitive that computes the op; None if minitape computes the op with several primitives.
        self.primitive: Declaration | None = records[0].primitive if len(records) == 1 else None
        self.records = records
        self._slices: dict[int, Slices | None] = {}
        self.shapes = [np.shape(each.array) for each in again.given]
        self.outs = [np.shape(each) for each in again.arrays]

    @property
    def given(self) -> tuple[ReplayedInput, ...]:
        return self._again.given

    @property
    def order(self) -> list[int]:
        """For an op that is a single primitive, the position of the input for each argument of the primitive."""
        ids = [each._id if each is not None else 0 for each in self._again.inputs]
        return [ids.index(each) if each in ids else -1 for each in self.records[0].inputs]

    @property
    def is_complex(self) -> bool:
        arrays = [*(each.array for each in self._again.given), *self._again.arrays]
        return any(np.asarray(each).dtype.kind == "c" for each in arrays)

    # --- backward: the elements of the outputs from which an element of an input gets contributions ---

    def column(
        self,
        position: int,
        element: int,
        arrived: Sequence[Array | None],
        *,
        by_rule: bool = False,
    ) -> list[Pairing] | Reason:
        """Return the elements of the outputs that depend on an element of an input.

        Args:
            position: The input.
            element: The flat index in that input.
            arrived: The cotangent of each output; None for an unused output.
            by_rule: Apply the rule to each element of the cotangent separately, even if more is known about the op.
        """
        if self.family is Family.PRODUCT and not by_rule:
            return self._product_column(position, element)
        if self.is_complex or by_rule:
            return self._one_by_one(position, element, arrived)
        pushed = self._again.pushed(position, self._unit(position, element))
        if isinstance(pushed, Reason) or any(
            each is None and _is_smooth(y)
            for each, y in zip(pushed, self._again.arrays, strict=True)
        ):
            return self._one_by_one(position, element, arrived)
        found = []
        for out, (derivatives, cotangent) in enumerate(zip(pushed, arrived, strict=True)):
            if derivatives is None or cotangent is None:
                continue
            flat = np.ravel(derivatives)
            for each in self._met(position, element, out, flat != 0):
                found.append(Pairing(out, each, flat[each].item()))
        return found

    def _met(self, position: int, element: int, out: int, are_moved: Array) -> list[int]:
        """Return the elements of an output that depend on the element, found by their position in an elementwise op, and
        otherwise by their derivatives.
        """
        if self.family is Family.ELEMENTWISE:
            are_moved = _stretched(self.shapes[position], self.outs[out]) == element
        return [int(each) for each in np.flatnonzero(are_moved)]

    def _unit(self, position: int, element: int) -> Array:
        array = np.asarray(self._again.given[position].array)
        return _unit(array.shape, array.dtype, element)

    def _one_by_one(
        self, position: int, element: int, arrived: Sequence[Array | None]
    ) -> list[Pairing] | Reason:
        """Apply the rule to each element of the cotangent separately."""
        found = []
        for out, cotangent in enumerate(arrived):
            if cotangent is None or not _is_smooth(self._again.arrays[out]):
                continue
            all_of_them = np.ones(np.size(cotangent), bool)
            indices = self._met(position, element, out, all_of_them)
            for begin in range(0, len(indices), _AT_ONCE):
                part = indices[begin : begin + _AT_ONCE]
                amounts = self._amounts(position, element, out, part, np.ravel(cotangent))
                if isinstance(amounts, Reason):
                    return amounts
                factors = self._amounts(position, element, out, part, None)
                assert not isinstance(factors, Reason)
                found += [
                    _one(out, at, factor, amount, np.ravel(cotangent)[at])
                    for at, factor, amount in zip(part, factors, amounts, strict=True)
                    if factor or amount or self.family is Family.ELEMENTWISE
                ]
        return found

    def _amounts(
        self, position: int, element: int, out: int, indices: list[int], cotangent: Array | None
    ) -> list[complex | float] | Reason:
        """Return the contribution of each of these elements of a cotangent to the element; None means a cotangent of ones."""
        y = np.asarray(self._again.arrays[out])
        seeds = np.zeros((len(indices), y.size), y.dtype)
        seeds[range(len(indices)), indices] = 1 if cotangent is None else cotangent[indices]
        stack = Batched(seeds.reshape(len(indices), *y.shape))
        sent = self.sent([stack if each == out else None for each in range(len(self.outs))])
        if isinstance(sent, Reason):
            return sent
        amount = sent[position]
        if amount is None:
            return [0.0] * len(indices)
        rows = np.reshape(plain(dense(amount)), (-1, np.size(self._again.given[position].array)))
        rows = np.broadcast_to(
            rows, (len(indices), rows.shape[1])
        )  # a single row suffices if the rule does not read the cotangent
        return [each.item() for each in rows[:, element]]

    def sent(self, arrived: Sequence[Value | None]) -> list[Value | None] | Reason:
        """Return the contribution that the rule sends to each input, in the convention of the trace."""
        if self._is_minitape:
            return self._again.back(arrived)
        sent = self._again.back([None if each is None else conjugate(each) for each in arrived])
        if isinstance(sent, Reason):
            return sent
        return [None if each is None else conjugate(each) for each in sent]

    def slices(self, position: int) -> Slices | None:
        """Return the contribution that the rule sends to an input if it is an IndexedSlices; otherwise None."""
        if all(record.primitive.name not in _SEND_ROWS for record in self.records):
            return None
        if position not in self._slices:
            self._slices[position] = self._as_slices(position)
        return self._slices[position]

    def _as_slices(self, position: int) -> Slices | None:
        y = np.asarray(self._again.arrays[0])
        if len(self.outs) > 1 or not _is_smooth(y):
            return None
        codes = np.arange(1.0, y.size + 1).reshape(y.shape)[()]
        sent = self._again.back([codes])
        amount = None if isinstance(sent, Reason) else sent[position]
        if type(amount) is not IndexedSlices:
            return None
        indices = np.asarray(getattr(amount.indices, "_array", amount.indices))
        return Slices(indices, plain(amount).astype(np.int64) - 1)

    # --- forward: the elements of the inputs from which an element of an output is computed ---

    def row(self, out: int, element: int) -> list[Pairing] | Reason:
        """Return the elements of the inputs that an element of an output depends on.

        For a product, the elements of its first factor, with those of the other factors as `others`.
        """
        y = np.asarray(self._again.arrays[out])
        if self.family is Family.PRODUCT:
            return self._product_row(element)
        if self.family is Family.ELEMENTWISE:
            indices = [self.beside(position, element) for position in range(len(self.shapes))]
            return [Pairing(position, at, None) for position, at in enumerate(indices)]
        if not _is_smooth(y) or not self._again.tape.records:
            return Reason.NO_RULE
        sent = self._row_of(self._with_operands(), out, element)
        if isinstance(sent, Reason):
            return sent
        return [
            Pairing(position, int(at), np.ravel(amount)[at].item())
            for position, amount in enumerate(sent)
            if amount is not None
            for at in np.flatnonzero(amount)
        ]

    def beside(self, position: int, element: int) -> int:
        """For an elementwise op, return the flat index of the input's element from which an element of the output is computed."""
        return int(_stretched(self.shapes[position], self.outs[0]).flat[element])

    def _row_of(
        self, again: ReplayedOp | Reason, out: int, element: int
    ) -> list[Array | None] | Reason:
        """Return a row of the Jacobian: for each input, the derivative of an element of an output."""
        if isinstance(again, Reason):
            return again
        y = np.asarray(again.arrays[out])
        seed = _unit(y.shape, y.dtype, element)
        sent = again.back([seed if each == out else None for each in range(len(self.outs))])
        if isinstance(sent, Reason):
            return sent
        return [None if each is None else plain(dense(each)) for each in sent]

    def _with_operands(self) -> ReplayedOp | Reason:
        """Return the op with its plain numbers as tensors, because the output depends on them too."""
        given = self._again.given
        if not any(each.is_operand for each in given):
            return self._again
        dtype = next(each.array.dtype for each in given if not each.is_operand)
        are_alike = self.primitive is not None and self.primitive.same_dtype_args is None
        return self._again.of(
            [
                ReplayedInput(each.array.astype(dtype), False)
                if each.is_operand and (are_alike or _is_smooth(each.array))
                else each
                for each in given
            ]
        )

    # --- products ---

    def _product_column(self, position: int, element: int) -> list[Pairing] | Reason:
        shape = self.shapes[position]
        unit = _unit(shape, np.dtype(np.float64), element)
        ones = self._run({position: unit})
        if isinstance(ones, Reason):
            return ones
        counts = np.ravel(ones.arrays[0])
        others = [each for each in self.smooth() if each != position]
        codes: dict[int, Array] = {}
        for other in others:
            coded = self._run({position: unit, other: _codes(self.shapes[other])})
            if isinstance(coded, Reason):
                return coded
            codes[other] = np.ravel(coded.arrays[0])
        found = [
            self._product(0, int(at), counts[at], {k: each[at] for k, each in codes.items()})
            for at in np.flatnonzero(counts)
        ]
        pushed = self._again.pushed(position, self._unit(position, element))
        derivatives = None if isinstance(pushed, Reason) else pushed[0]
        return [_with_derivative(each, derivatives) for each in found]

    def _product_row(self, element: int) -> list[Pairing] | Reason:
        first, *others = self.smooth()
        counts = self._sent_by_product({}, first, element)
        codes = {
            other: self._sent_by_product({other: _codes(self.shapes[other])}, first, element)
            for other in others
        }
        if isinstance(counts, Reason):
            return counts
        found = []
        for at in np.flatnonzero(counts):
            here = {k: each[at] for k, each in codes.items() if not isinstance(each, Reason)}
            found.append(self._product(first, int(at), counts[at], here))
        derivatives = self._row_of(self._with_operands(), 0, element)
        return [
            _with_derivative(each, None if isinstance(derivatives, Reason) else derivatives[first])
            for each in found
        ]

    def _sent_by_product(
        self, replaced: dict[int, Array], position: int, element: int
    ) -> Array | Reason:
        sent = self._row_of(self._run(replaced), 0, element)
        if isinstance(sent, Reason):
            return sent
        amount = sent[position]
        return np.zeros(np.prod(self.shapes[position])) if amount is None else np.ravel(amount)

    def _run(self, replaced: dict[int, Array]) -> ReplayedOp | Reason:
        """Return the op with other inputs: the given ones, and ones for the rest."""
        given = list(self._again.given)
        for position in self.smooth():
            ones = np.ones(self.shapes[position])
            array = replaced.get(position, ones)
            given[position] = ReplayedInput(array if array.ndim else array[()], False)
        return self._again.of(given)

    def smooth(self) -> list[int]:
        """Return the positions of the differentiable inputs."""
        return [at for at, each in enumerate(self._again.given) if _is_smooth(each.array)]

    def _product(self, out: int, at: int, count: float, codes: dict[int, float]) -> Pairing:
        """Return the pair of elements, given the signed number of products and the sum of their elements' codes."""
        if abs(count) != 1.0:
            return Pairing(out, at, None)
        others = tuple((other, round(code / count) - 1) for other, code in codes.items())
        factor = count
        for other, offset in others:
            number = np.ravel(self._again.given[other].array)[offset].item()
            factor = factor * (number if self._is_minitape else np.conj(number).item())
        return Pairing(out, at, factor, others, count)

    # --- all elements at once ---

    def jacobian(self, out: int, largest: int) -> list[Array | None]:
        """Return for each input the derivatives of all elements of an output; None for an input that has none. Return an empty
        list if there are too many."""
        y = np.asarray(self._again.arrays[out])
        if not _is_smooth(y) or not self.records:
            return []
        stack = Batched(np.eye(y.size, dtype=y.dtype).reshape(y.size, *y.shape))
        if any(y.size * int(np.prod(shape)) > largest for shape in self.shapes):
            return []
        sent = self._again.back([stack if each == out else None for each in range(len(self.outs))])
        if isinstance(sent, Reason):
            return []
        return [
            None if amount is None else self._rows_of(dense(amount), shape, y.size)
            for amount, shape in zip(sent, self.shapes, strict=True)
        ]

    @staticmethod
    def _rows_of(amount: Value, shape: tuple[int, ...], count: int) -> Array:
        size = int(np.prod(shape))
        return np.broadcast_to(np.reshape(plain(amount), (-1, size)), (count, size))

    def stretched(self) -> list[int]:
        """Return the inputs of an elementwise op that are broadcast."""
        return [each for each in self.smooth() if self.shapes[each] != self.outs[0]]

    def derivatives_of_each(self, position: int) -> Array | None:
        """For an elementwise op, return the derivative of each element of the output with respect to the input's element."""
        wide = [
            ReplayedInput(np.broadcast_to(each.array, self.outs[0]).copy()[()], False)
            if _is_smooth(each.array) and not each.is_operand
            else each
            for each in self._again.given
        ]
        again = self._again.of(wide)
        y = np.asarray(self._again.arrays[0])
        sent = again if isinstance(again, Reason) else again.back([np.ones_like(y)[()]])
        return None if isinstance(sent, Reason) or sent[position] is None else plain(sent[position])

    def copied(self, position: int, out: int) -> tuple[str, Array, float] | Reason | None:
        """For a linear op, return which element each element of an output copies, or to which element each element of an input
        is added.

        Returns:
            `picked`, and for each element of the output a flat index in the input; or `added`, and for each element of the
            input a flat index in the output, -1 for none; and the factor, 0 if no elements depend on each other. None if a
            tensor is empty; Reason.UNSURE if the pattern is different.
        """
        size = int(np.prod(self.shapes[position]))
        if size == 0:
            return None
        codes = np.arange(1.0, size + 1).reshape(self.shapes[position])
        zero = self._alone(position, np.zeros_like(codes), out)
        reported = [self._alone(position, each, out) for each in (codes**0, codes, codes**2)]
        if zero is None or any(each is None for each in reported) or not _is_smooth(zero):
            return Reason.UNSURE
        found = _single(*(each - zero for each in reported if each is not None))
        if found is not None:
            return ("picked", *found)
        y = int(np.prod(self.outs[out]))
        codes = np.arange(1.0, y + 1).reshape(self.outs[out])
        sent = [self._sent_alone(position, each[()], out) for each in (codes**0, codes, codes**2)]
        if any(each is None for each in sent):
            return Reason.UNSURE
        found = _single(*(each for each in sent if each is not None))
        return Reason.UNSURE if found is None else ("added", *found)

    def _alone(self, position: int, array: Array, out: int) -> Array | None:
        """Return an output of the op for these values of one input, with zeros for the other inputs."""
        again = self._wide({position: array})
        return None if again is None else np.ravel(again.arrays[out])

    def _wide(self, replaced: dict[int, Array]) -> ReplayedOp | None:
        given = list(self._again.given)
        for each in self.smooth():
            array = replaced.get(each, np.zeros(self.shapes[each]))
            given[each] = ReplayedInput(array[()], False)
        again = self._again.of(given)
        return None if isinstance(again, Reason) else again

    def _sent_alone(self, position: int, cotangent: Array, out: int) -> Array | None:
        again = self._wide({})
        if again is None:
            return None
        sent = again.back([cotangent if each == out else None for each in range(len(self.outs))])
        amount = None if isinstance(sent, Reason) else sent[position]
        return None if amount is None else np.ravel(plain(dense(amount)))


def _single(ones: Array, codes: Array, squares: Array) -> tuple[Array, float] | None:
    """Return the single element from which each output is computed, and their common factor; None if an output has several."""
    there = ones != 0
    factors = np.unique(ones[there])
    if len(factors) > 1:
        return None
    factor = float(factors[0]) if len(factors) else 0.0
    # For several elements, the mean of the squares exceeds the square of the mean.
    if np.any(np.abs(squares * ones - codes**2) > _SAME * codes**2) or np.any(codes[~there]):
        return None
    indices = np.full(ones.shape, -1)
    indices[there] = np.rint(codes[there] / factor).astype(int) - 1
    return indices, factor


def _family(records: list[Record], named: Declaration | None) -> Family:
    kinds = [_kind(record) for record in records]
    if not kinds:  # integers and booleans are not recorded
        is_alone = named is not None and named.batch is elementwise
        return Family.ELEMENTWISE if is_alone else Family.OTHER
    if all(each is Family.LINEAR for each in kinds):
        return Family.LINEAR
    if len(kinds) == 1:
        return kinds[0]
    rest = [record for record, kind in zip(records, kinds, strict=True) if kind is Family.LINEAR]
    is_one = kinds.count(Family.PRODUCT) == 1 and len(rest) == len(kinds) - 1
    if is_one and all(len(record.inputs) == 1 for record in rest):
        return Family.PRODUCT
    return Family.OTHER


def _kind(record: Record) -> Family:
    op = record.primitive
    if op.name in _PRODUCTS:
        return Family.PRODUCT
    is_linear = op.name not in _NOT_LINEAR and op.gradient == "rule" and op.rules
    if is_linear and _reads_no_quantity(record):
        return Family.LINEAR
    return Family.ELEMENTWISE if op.batch is elementwise else Family.OTHER


def _reads_no_quantity(record: Record) -> bool:
    """Return whether no rule of the op reads a real value, so that the derivative does not depend on the values."""
    smooth = [at for at, each in enumerate(record.saved) if each.dtype.kind in DIFFERENTIABLE_KINDS]
    for at in smooth:
        residual_masks = record.primitive.residual_masks[at]
        if record.primitive.rules[at] is None or output_read(residual_masks):
            return False
        if not set(smooth).isdisjoint(inputs_read(residual_masks, len(record.saved))):
            return False
    return True


def _with_derivative(met: Pairing, derivatives: Array | None) -> Pairing:
    """Return the pair with the derivative as its factor, unless the factor is a product of elements of other inputs."""
    if met.others or derivatives is None:
        return met
    return replace(met, number=np.ravel(derivatives)[met.element].item())


def _one(
    out: int, at: int, factor: complex | float, amount: complex | float, cotangent: complex | float
) -> Pairing:
    """Return the pair for a contribution that the rule computed; for complex numbers, the contribution may not be a product."""
    product = factor * cotangent
    if np.isclose(product, amount, rtol=_SAME, atol=0.0, equal_nan=True):
        return Pairing(out, at, factor)
    return Pairing(out, at, None, contribution=amount)


def _stretched(shape: tuple[int, ...], to: tuple[int, ...]) -> Array:
    """Return for each element of an output the flat index of the element of an input that is broadcast to it."""
    return np.broadcast_to(np.arange(int(np.prod(shape))).reshape(shape), to)


def _codes(shape: tuple[int, ...]) -> Array:
    return np.arange(1.0, np.prod(shape) + 1).reshape(shape)


def _unit(shape: tuple[int, ...], dtype: np.dtype, element: int) -> Array:
    unit = np.zeros(int(np.prod(shape)), dtype)
    unit[element] = 1
    return unit.reshape(shape)[()]


def _is_smooth(array: Array) -> bool:
    return np.asarray(array).dtype.kind in DIFFERENTIABLE_KINDS

"""Which elements of an op's inputs and outputs meet, and by which factors.

    Local      an op, and its derivative at the numbers that it took
    Meeting    an element that meets, and the factor between the two
    Slices     rows that a rule sends in place of a whole table
    Family     how much is known of an op beside its derivative

The derivative is the op's own: a column of the Jacobian is what forward mode makes of one element that moves, a row what the
rule makes of one element of the cotangent. From what an op's rules read follows more: a rule that reads no numbers is that of a
linear op, whose factors are constants. A product of values is linear in each of them; there a factor is an element of another
input, and *which* is told by its position: the op runs on the numbers 1, 2, 3, … in place of that input.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from minitape.again.numbers import conjugate, plain
from minitape.again.reason import Reason
from minitape.again.running import Again, Given
from minitape.autodiff.accumulate import dense
from minitape.core.batched import Batched
from minitape.core.declaration import SMOOTH, Declaration, inputs_read, output_read
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.recorders import Record
from minitape.core.registry import PRIMITIVES
from minitape.core.values import Array, Value
from minitape.ops.rules import elementwise

_AT_ONCE = 256  # rows of a Jacobian
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
_NOT_LINEAR = ("NextAfter",)  # though its rule is: it takes a step that has no slope
_SEND_ROWS = ("GatherV2", "GatherNd")  # the ops whose rules send IndexedSlices
MEANS = ("Mean", "AvgPool", "AvgPoolGrad")  # their factors are 1/n


class Family(Enum):
    """How much is known of an op: constant factors, products of elements, each element alone, or no more than its slopes."""

    LINEAR = auto()
    PRODUCT = auto()
    ELEMENTWISE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Meeting:
    """An element that meets the one asked about.

    Args:
        position: Of the tensor among the outputs (of a column) or the inputs (of a row).
        element: Its place in that tensor, flattened.
        number: The factor; None where two elements meet and the factor is no single number.
        others: The elements of other inputs whose product the factor is, as (position, place); empty if it is another number.
        sign: -1 where that product is taken away.
        amount: What this element contributes, where that is no product with `number`.
    """

    position: int
    element: int
    number: complex | float | None
    others: tuple[tuple[int, int], ...] = ()
    sign: float = 1.0
    amount: complex | float | None = None


class Slices(NamedTuple):
    """IndexedSlices that a rule sends: to which rows, and for each element the place in the cotangent that it is from."""

    indices: Array
    places: Array


class Local:
    """An op that ran again, and its derivative there.

    Args:
        again: The op.
        op: Its name.
        is_minitape: Whether complex cotangents are minitape's; else they are conjugated, as TensorFlow's.
    """

    def __init__(self, again: Again, op: str, *, is_minitape: bool) -> None:
        self._again = again
        self._is_minitape = is_minitape
        records = again.tape.records
        self.family = _family(records, PRIMITIVES.get(op))
        # The one op that it is; of several, each in its part, no rule says it all.
        self.primitive: Declaration | None = records[0].primitive if len(records) == 1 else None
        self.records = records
        self._slices: dict[int, Slices | None] = {}
        self.shapes = [np.shape(each.array) for each in again.given]
        self.outs = [np.shape(each) for each in again.arrays]

    @property
    def given(self) -> tuple[Given, ...]:
        return self._again.given

    @property
    def order(self) -> list[int]:
        """Of an op that is a single one: which of the inputs stand at its places."""
        ids = [each._id if each is not None else 0 for each in self._again.inputs]
        return [ids.index(each) if each in ids else -1 for each in self.records[0].inputs]

    @property
    def is_complex(self) -> bool:
        arrays = [*(each.array for each in self._again.given), *self._again.arrays]
        return any(np.asarray(each).dtype.kind == "c" for each in arrays)

    # --- backward: what of the outputs an element of an input is sent ---

    def column(
        self,
        position: int,
        element: int,
        arrived: Sequence[Array | None],
        *,
        by_rule: bool = False,
    ) -> list[Meeting] | Reason:
        """The elements of the outputs that the element of an input meets.

        Args:
            position: Of the input.
            element: Its place in it, flattened.
            arrived: The cotangent of each output, None for one that nobody used.
            by_rule: Ask the rule for each element of the cotangent alone, whatever else is known of the op.
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
        for out, (slopes, cotangent) in enumerate(zip(pushed, arrived, strict=True)):
            if slopes is None or cotangent is None:
                continue
            flat = np.ravel(slopes)
            for each in self._met(position, element, out, flat != 0):
                found.append(Meeting(out, each, flat[each].item()))
        return found

    def _met(self, position: int, element: int, out: int, are_moved: Array) -> list[int]:
        """Where the element is read: where the op treats each alone by its place, else where it has a slope."""
        if self.family is Family.ELEMENTWISE:
            are_moved = _stretched(self.shapes[position], self.outs[out]) == element
        return [int(each) for each in np.flatnonzero(are_moved)]

    def _unit(self, position: int, element: int) -> Array:
        array = np.asarray(self._again.given[position].array)
        return _unit(array.shape, array.dtype, element)

    def _one_by_one(
        self, position: int, element: int, arrived: Sequence[Array | None]
    ) -> list[Meeting] | Reason:
        """The rule applied to one element of the cotangent at a time."""
        found = []
        for out, cotangent in enumerate(arrived):
            if cotangent is None or not _is_smooth(self._again.arrays[out]):
                continue
            all_of_them = np.ones(np.size(cotangent), bool)
            places = self._met(position, element, out, all_of_them)
            for begin in range(0, len(places), _AT_ONCE):
                part = places[begin : begin + _AT_ONCE]
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
        self, position: int, element: int, out: int, places: list[int], cotangent: Array | None
    ) -> list[complex | float] | Reason:
        """What the element is sent for each of these elements of a cotangent alone; for ones if there is none."""
        y = np.asarray(self._again.arrays[out])
        seeds = np.zeros((len(places), y.size), y.dtype)
        seeds[range(len(places)), places] = 1 if cotangent is None else cotangent[places]
        stack = Batched(seeds.reshape(len(places), *y.shape))
        sent = self.sent([stack if each == out else None for each in range(len(self.outs))])
        if isinstance(sent, Reason):
            return sent
        amount = sent[position]
        if amount is None:
            return [0.0] * len(places)
        rows = np.reshape(plain(dense(amount)), (-1, np.size(self._again.given[position].array)))
        rows = np.broadcast_to(
            rows, (len(places), rows.shape[1])
        )  # one, if the rule reads no cotangent
        return [each.item() for each in rows[:, element]]

    def sent(self, arrived: Sequence[Value | None]) -> list[Value | None] | Reason:
        """What the rule sends to each input, in the convention of the trace."""
        if self._is_minitape:
            return self._again.back(arrived)
        sent = self._again.back([None if each is None else conjugate(each) for each in arrived])
        if isinstance(sent, Reason):
            return sent
        return [None if each is None else conjugate(each) for each in sent]

    def slices(self, position: int) -> Slices | None:
        """What the rule sends to an input as IndexedSlices; None if it sends something else."""
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

    # --- forward: what of the inputs an element of an output is made of ---

    def row(self, out: int, element: int) -> list[Meeting] | Reason:
        """The elements of the inputs that the element of an output is made of.

        Of a product those of its first factor, with the others as `others`.
        """
        y = np.asarray(self._again.arrays[out])
        if self.family is Family.PRODUCT:
            return self._product_row(element)
        if self.family is Family.ELEMENTWISE:
            places = [self.beside(position, element) for position in range(len(self.shapes))]
            return [Meeting(position, at, None) for position, at in enumerate(places)]
        if not _is_smooth(y) or not self._again.tape.records:
            return Reason.NO_RULE
        sent = self._row_of(self._with_operands(), out, element)
        if isinstance(sent, Reason):
            return sent
        return [
            Meeting(position, int(at), np.ravel(amount)[at].item())
            for position, amount in enumerate(sent)
            if amount is not None
            for at in np.flatnonzero(amount)
        ]

    def beside(self, position: int, element: int) -> int:
        """Of an op that treats each element alone: the place of the element of an input behind one of the output."""
        return int(_stretched(self.shapes[position], self.outs[0]).flat[element])

    def _row_of(self, again: Again | Reason, out: int, element: int) -> list[Array | None] | Reason:
        """A row of the Jacobian: for each input how an element of an output moves with it."""
        if isinstance(again, Reason):
            return again
        y = np.asarray(again.arrays[out])
        seed = _unit(y.shape, y.dtype, element)
        sent = again.back([seed if each == out else None for each in range(len(self.outs))])
        if isinstance(sent, Reason):
            return sent
        return [None if each is None else plain(dense(each)) for each in sent]

    def _with_operands(self) -> Again | Reason:
        """The op with its plain numbers as tensors: what comes out is made of them too."""
        given = self._again.given
        if not any(each.is_operand for each in given):
            return self._again
        dtype = next(each.array.dtype for each in given if not each.is_operand)
        are_alike = self.primitive is not None and self.primitive.alike is None
        return self._again.of(
            [
                Given(each.array.astype(dtype), False)
                if each.is_operand and (are_alike or _is_smooth(each.array))
                else each
                for each in given
            ]
        )

    # --- products ---

    def _product_column(self, position: int, element: int) -> list[Meeting] | Reason:
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
        slopes = None if isinstance(pushed, Reason) else pushed[0]
        return [_with_slope(each, slopes) for each in found]

    def _product_row(self, element: int) -> list[Meeting] | Reason:
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
        slopes = self._row_of(self._with_operands(), 0, element)
        return [
            _with_slope(each, None if isinstance(slopes, Reason) else slopes[first])
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

    def _run(self, replaced: dict[int, Array]) -> Again | Reason:
        """The op on other numbers: those that are given, and ones."""
        given = list(self._again.given)
        for position in self.smooth():
            ones = np.ones(self.shapes[position])
            array = replaced.get(position, ones)
            given[position] = Given(array if array.ndim else array[()], False)
        return self._again.of(given)

    def smooth(self) -> list[int]:
        """The positions of inputs that may have a slope."""
        return [at for at, each in enumerate(self._again.given) if _is_smooth(each.array)]

    def _product(self, out: int, at: int, count: float, codes: dict[int, float]) -> Meeting:
        """A meeting from how many products there are, with their signs, and the sum of the codes of the elements in them."""
        if abs(count) != 1.0:
            return Meeting(out, at, None)
        others = tuple((other, round(code / count) - 1) for other, code in codes.items())
        factor = count
        for other, place in others:
            number = np.ravel(self._again.given[other].array)[place].item()
            factor = factor * (number if self._is_minitape else np.conj(number).item())
        return Meeting(out, at, factor, others, count)

    # --- all elements at once ---

    def jacobian(self, out: int, largest: int) -> list[Array | None]:
        """For each input the slopes of all elements of an output by all of it; None where there are none, or too many."""
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
        """Of an op that treats each element alone: the inputs that are smaller than what comes out."""
        return [each for each in self.smooth() if self.shapes[each] != self.outs[0]]

    def slopes_of_each(self, position: int) -> Array | None:
        """Of an op that treats each element alone: how each element of the output moves with the one of this input."""
        wide = [
            Given(np.broadcast_to(each.array, self.outs[0]).copy()[()], False)
            if _is_smooth(each.array) and not each.is_operand
            else each
            for each in self._again.given
        ]
        again = self._again.of(wide)
        y = np.asarray(self._again.arrays[0])
        sent = again if isinstance(again, Reason) else again.back([np.ones_like(y)[()]])
        return None if isinstance(sent, Reason) or sent[position] is None else plain(sent[position])

    def copied(self, position: int, out: int) -> tuple[str, Array, float] | Reason | None:
        """Of a linear op: where each element of an output is from, or where each of an input goes.

        Returns:
            `picked` and for each element of the output the place in the input, or `added` and for each of the input the place in
            the output, -1 where none; and the factor, 0 if the two never meet. None if one of them is empty;
            Reason.UNSURE if they meet otherwise.
        """
        size = int(np.prod(self.shapes[position]))
        if size == 0:
            return None
        codes = np.arange(1.0, size + 1).reshape(self.shapes[position])
        zero = self._alone(position, np.zeros_like(codes), out)
        told = [self._alone(position, each, out) for each in (codes**0, codes, codes**2)]
        if zero is None or any(each is None for each in told):
            return Reason.UNSURE
        found = _single(*(each - zero for each in told if each is not None))
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
        """An output for these numbers in one input, and zeros in the others."""
        again = self._wide({position: array})
        return None if again is None else np.ravel(again.arrays[out])

    def _wide(self, replaced: dict[int, Array]) -> Again | None:
        given = list(self._again.given)
        for each in self.smooth():
            array = replaced.get(each, np.zeros(self.shapes[each]))
            given[each] = Given(array[()], False)
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
    """Which single element stands in each place, where it stands alone, and the factor that they all have; else None."""
    there = ones != 0
    factors = np.unique(ones[there])
    if len(factors) > 1:
        return None
    factor = float(factors[0]) if len(factors) else 0.0
    # Of two elements the mean of the squares is more than the square of the mean.
    if np.any(np.abs(squares * ones - codes**2) > _SAME * codes**2) or np.any(codes[~there]):
        return None
    places = np.full(ones.shape, -1)
    places[there] = np.rint(codes[there] / factor).astype(int) - 1
    return places, factor


def _family(records: list[Record], named: Declaration | None) -> Family:
    kinds = [_kind(record) for record in records]
    if not kinds:  # whole numbers and truths leave no record
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
    """Whether no rule of the op reads a real number: then all that it does to a cotangent is there before the numbers are."""
    smooth = [at for at, each in enumerate(record.kept) if each.dtype.kind in SMOOTH]
    for at in smooth:
        reads = record.primitive.reads[at]
        if record.primitive.rules[at] is None or output_read(reads):
            return False
        if not set(smooth).isdisjoint(inputs_read(reads, len(record.kept))):
            return False
    return True


def _with_slope(met: Meeting, slopes: Array | None) -> Meeting:
    """A factor that is no element of another input, but several: their sum as a number."""
    if met.others or slopes is None:
        return met
    return replace(met, number=np.ravel(slopes)[met.element].item())


def _one(
    out: int, at: int, factor: complex | float, amount: complex | float, cotangent: complex | float
) -> Meeting:
    """A meeting where the rule was asked for the amount: of complex numbers it may be more than a product."""
    product = factor * cotangent
    if np.isclose(product, amount, rtol=_SAME, atol=0.0, equal_nan=True):
        return Meeting(out, at, factor)
    return Meeting(out, at, None, amount=amount)


def _stretched(shape: tuple[int, ...], to: tuple[int, ...]) -> Array:
    """For each element of an output the place of the element of an input that stands there."""
    return np.broadcast_to(np.arange(int(np.prod(shape))).reshape(shape), to)


def _codes(shape: tuple[int, ...]) -> Array:
    return np.arange(1.0, np.prod(shape) + 1).reshape(shape)


def _unit(shape: tuple[int, ...], dtype: np.dtype, element: int) -> Array:
    unit = np.zeros(int(np.prod(shape)), dtype)
    unit[element] = 1
    return unit.reshape(shape)[()]


def _is_smooth(array: Array) -> bool:
    return np.asarray(array).dtype.kind in SMOOTH

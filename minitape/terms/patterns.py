"""Which elements of an op depend on each other, as patterns that a script can evaluate without an engine.

    each      elementwise, with broadcasting
    product   sums of products: a loop for each letter, and the index of each tensor in the loops
    linear    sums with constant factors
    list      each pair of elements with its factor, which holds only for these values

Two ops with the same name, attributes and shapes have the same pattern of the first three kinds, so it is computed only once.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitape.core.values import Array, Ints
from minitape.ops.windows import Window, window_counts
from minitape.replay.reason import Reason
from minitape.terms.formula import formula
from minitape.terms.local import MEANS, Family, Local
from minitape.terms.run import RunValues
from minitape.terms.trace_index import Taken

Pattern = dict[str, Any]

_LARGEST = 1 << 16  # the maximum number of pairs that are checked for a list
_PAIR_LIMIT = 200_000  # the maximum number of pairs in all lists of a page
NOT_HERE = "The page does not contain its terms. Use `minitape step` to see them."
_SMOOTH = ("float", "bfloat", "complex")


@dataclass(frozen=True)
class OpPattern:
    """The data of an op on a page.

    Args:
        pattern: The index of its pattern; None if the op has no pattern, or if the page does not contain it.
        derivatives: For an elementwise op, its derivatives with respect to the inputs that are broadcast, for which several
            terms belong to one number.
        slices: For each input that receives rows instead of a whole table, the flat index in the cotangent of each element.
        word: Why it has no pattern.
        is_complex: Whether there is no pattern because a contribution is not a multiple of a complex cotangent.
    """

    pattern: int | None
    derivatives: dict[int, list[float]] = field(default_factory=dict)
    slices: dict[int, Array] = field(default_factory=dict)
    word: str = ""
    is_complex: bool = False


class Patterns:
    """The patterns of a run, each stored only once."""

    def __init__(self, run: RunValues) -> None:
        self.all: list[Pattern] = []
        self._run = run
        self._at: dict[str, int] = {}
        self._lasting: dict[str, OpPattern] = {}
        self._left = _PAIR_LIMIT

    def of(self, taken: Taken) -> OpPattern:
        """Return the data of an op on a page; the op runs again unless an op with the same pattern already did."""
        likeness = self._likeness(taken)
        if likeness in self._lasting:
            return self._lasting[likeness]
        local = self._run.local(taken)
        self._run.forget(taken.op.number)
        if isinstance(local, Reason):
            return OpPattern(None, word=f"Its terms are not known: {local.value}.")
        if local.is_complex:
            return OpPattern(None, word=NOT_HERE, is_complex=True)
        pattern = self._lasting_pattern(taken, local)
        if pattern is None:
            return OpPattern(self._add(self._listed(local, "list")), word=NOT_HERE)
        is_each = local.family is Family.ELEMENTWISE
        derivatives = self._derivatives(local) if is_each else {}
        found = OpPattern(self._add(pattern), derivatives, self._slices(local))
        if not derivatives:
            self._lasting[likeness] = found
        return found

    def _likeness(self, taken: Taken) -> str:
        """Return a key that is equal for ops with the same pattern. Integer and boolean inputs may be indices or conditions, so
        their values are part of the key."""
        given = [
            each
            and (each.shape, each.dtype, each.dtype.startswith(_SMOOTH) or each.packed or each.data)
            for each in taken.inputs
        ]
        op = taken.op
        return repr((op.name, op.attrs, given, taken.operands, [each.shape for each in op.outputs]))

    def _slices(self, local: Local) -> dict[int, Array]:
        found = {position: local.slices(position) for position in local.smooth()}
        return {
            position: np.ravel(each.copied_from)
            for position, each in found.items()
            if each is not None
        }

    def _add(self, pattern: Pattern | None) -> int | None:
        if pattern is None:
            return None
        text = json.dumps(pattern)
        if text not in self._at:
            self._at[text] = len(self.all)
            self.all.append(pattern)
        return self._at[text]

    def _lasting_pattern(self, taken: Taken, local: Local) -> Pattern | None:
        """Return the pattern that holds for any values; None if there is none."""
        if local.family is Family.OTHER:
            return None
        if local.family is Family.ELEMENTWISE:
            return _each(taken, local)
        if local.family is Family.PRODUCT:
            return _product(taken, local)
        return _linear(local) or self._listed(local, "linear")

    def _listed(self, local: Local, kind: str) -> Pattern | None:
        """Return every pair of elements that depend on each other, with its factor."""
        maps = []
        for out in range(len(local.outs)):
            for position, rows in enumerate(local.jacobian(out, _LARGEST)):
                if rows is None:
                    continue
                out_at, in_at = np.nonzero(rows)
                derivatives = rows[out_at, in_at]
                if len(derivatives) > self._left or not np.all(np.isfinite(derivatives)):
                    return None
                self._left -= len(derivatives)
                data = [in_at.tolist(), out_at.tolist(), [_short(each) for each in derivatives]]
                maps.append([position, out, "pairs", data])
        return {"kind": kind, "maps": maps} if maps else None

    def _derivatives(self, local: Local) -> dict[int, list[float]]:
        found = {}
        for position in local.stretched():
            derivatives = local.derivatives_of_each(position)
            if (
                derivatives is None
                or derivatives.size > self._left
                or not np.all(np.isfinite(derivatives))
            ):
                continue
            self._left -= derivatives.size
            found[position] = [_short(each) for each in np.ravel(derivatives)]
        return found


def _short(number: Any) -> float:
    return float(f"{float(number):.7g}")


# --- loops ---


def _each(taken: Taken, local: Local) -> Pattern:
    shapes, out = local.shapes, local.outs[0]
    op, count = local.primitive, len(shapes)
    factors = [
        ""
        if op is None
        else formula(op.name, op.rule, position, count, lambda letter: f"{{{letter}}}")
        for position in range(count)
    ]
    return {"kind": "each", **_broadcast([*shapes, out], out), "factors": factors}


def _broadcast(shapes: Sequence[Ints], out: Ints) -> Pattern:
    """Return a loop for each axis of the output; an axis of length 1 is not advanced."""
    at = [
        [
            [0] if length == 1 else [0, len(out) - len(shape) + axis, 1]
            for axis, length in enumerate(shape)
        ]
        for shape in shapes
    ]
    return {"sizes": list(out), "at": at, "shapes": [list(each) for each in shapes]}


def _product(taken: Taken, local: Local) -> Pattern | None:
    shapes, out = local.shapes, local.outs[0]
    names = [record.primitive.name for record in local.records]
    if names in (["Mul"], ["MulNoNan"]):
        return {"kind": "product", **_broadcast([*shapes, out], out)}
    if "MatMul" in names:
        return _matmul(shapes, out, taken.op.attrs) if len(shapes) == 2 else None
    (record,) = local.records if len(local.records) == 1 else (None,)
    if record is None or local.order != list(range(len(shapes))):
        return None
    if names == ["Einsum"]:
        inputs, result = record.settings["equation"].split("->")
        return _letters([*inputs.split(","), result], [*shapes, out])
    if names[0].startswith("Conv2D"):
        return _convolution(names[0], record.settings["window"], [*shapes, out])
    return None


def _letters(words: Sequence[str], shapes: Sequence[Ints]) -> Pattern:
    """Return a loop for each letter of an einsum."""
    letters = sorted({letter for word in words for letter in word})
    size = {
        letter: length
        for word, shape in zip(words, shapes, strict=True)
        for letter, length in zip(word, shape, strict=True)
    }
    return {
        "kind": "product",
        "sizes": [size[letter] for letter in letters],
        "at": [[[0, letters.index(letter), 1] for letter in word] for word in words],
        "shapes": [list(each) for each in shapes],
    }


def _matmul(shapes: Sequence[Ints], out: Ints, attrs: dict[str, Any]) -> Pattern:
    """Return loops over the leading axes, then over rows, columns, and the axis that is summed."""
    a, b = shapes
    lead = len(out) - 2
    row, column, summed = lead, lead + 1, lead + 2
    turned_a = attrs.get("transpose_a") or attrs.get("adj_x")
    turned_b = attrs.get("transpose_b") or attrs.get("adj_y")
    last = [
        [summed, row] if turned_a else [row, summed],
        [column, summed] if turned_b else [summed, column],
        [row, column],
    ]
    at = []
    for shape, axes in zip((a, b, out), last, strict=True):
        leading = [
            [0] if length == 1 else [0, len(out) - len(shape) + axis, 1]
            for axis, length in enumerate(shape[:-2])
        ]
        at.append([*leading, *([0, axis, 1] for axis in axes)])
    sizes = [*out, a[-2] if turned_a else a[-1]]
    return {
        "kind": "product",
        "sizes": sizes,
        "at": at,
        "shapes": [list(each) for each in (a, b, out)],
    }


def _convolution(name: str, window: Window, shapes: Sequence[Ints]) -> Pattern:
    """Return loops over image, row, column, kernel row, kernel column, group, input channel and output channel."""
    order = {  # the positions of the images, filters and results among the tensors
        "Conv2D": (0, 1, 2),
        "Conv2DBackpropInput": (2, 0, 1),
        "Conv2DBackpropFilter": (0, 2, 1),
    }[name]
    picture, filters = (shapes[each] for each in order[:2])
    groups = picture[3] // filters[2]
    across = filters[3] // groups
    down = window_counts(picture, window)
    (top, _), (left, _) = window.padding
    n, p, q, u, v, g, c, f = range(8)
    at: list[Any] = [None, None, None]
    at[order[0]] = [
        [0, n, 1],
        [-top, p, window.strides[0], u, window.dilations[0]],
        [-left, q, window.strides[1], v, window.dilations[1]],
        [0, g, filters[2], c, 1],
    ]
    at[order[1]] = [[0, u, 1], [0, v, 1], [0, c, 1], [0, g, across, f, 1]]
    at[order[2]] = [[0, n, 1], [0, p, 1], [0, q, 1], [0, g, across, f, 1]]
    sizes = [picture[0], *down, *filters[:2], groups, filters[2], across]
    return {
        "kind": "product",
        "sizes": [int(each) for each in sizes],
        "at": at,
        "shapes": [list(map(int, each)) for each in shapes],
    }


# --- linear ops ---


def _linear(local: Local) -> Pattern | None:
    """Return maps between two tensors in which each element of one depends on a single element of the other."""
    maps = []
    for position in local.smooth():
        for out in range(len(local.outs)):
            found = local.copied(position, out)
            if isinstance(found, Reason):
                return None
            if found is not None and found[2]:
                way, data, factor = found
                is_same = np.prod(local.shapes[position]) == np.prod(local.outs[out])
                is_same = bool(is_same) and np.array_equal(data, np.arange(data.size))
                maps.append([position, out, way, None if is_same else data.tolist(), factor])
    op = local.primitive
    is_mean = op is not None and op.name in MEANS
    return {"kind": "linear", "maps": maps, **({"isMean": 1} if is_mean else {})}

"""Samples with random shapes, settings and numbers from Hypothesis: scalars, empty arrays, broadcasting, up to four axes.

    samples_of(op)      a strategy for `Sample`s of one op of the catalog

The batch rule of an op shows which shapes it accepts: elementwise ops accept all shapes that broadcast, and ops on the last
axes accept any number of leading axes. An op with settings has its own family in FAMILIES.

All numbers are on a grid that avoids kinks: see `numbers`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, mutually_broadcastable_shapes
from samples import SAMPLES, Sample

from minitape.core.registry import PRIMITIVES
from minitape.ops import rules
from minitape.ops.slicing import Cut

Array = Any
Draw = Any
Shape = tuple[int, ...]

FEW, MANY = 3, 4  # small sizes and few axes, because finite differences perturb every element
STEP = 0.01


def shapes(*, axes: int = 0, most: int = MANY, smallest: int = 0) -> st.SearchStrategy[Shape]:
    return array_shapes(min_dims=axes, max_dims=most, min_side=smallest, max_side=FEW)


@st.composite
def numbers(
    draw: Draw, shape: Shape, low: float = -1.5, high: float = 1.4, position: int = 0
) -> Array:
    """Return distinct numbers between `low` and `high` in random order.

    Each input has its own grid without integers, and a - n·b is not 0 for any two numbers and small n. So there are no ties,
    and no finite difference crosses a kink or a jump.
    """
    offset = (0.0037, 0.0061, 0.0083)[position % 3]
    size = int(np.prod(shape))
    first, last = round(low / STEP), max(round(high / STEP), round(low / STEP) + size) - 1
    chosen = np.random.default_rng(draw(st.integers(0, 10_000))).choice(
        np.arange(first, last + 1), size, replace=False
    )
    return (STEP * chosen + offset).reshape(shape)[()]


@st.composite
def indices(draw: Draw, shape: Shape, below: int, *, distinct: bool = False) -> Array:
    """Return indices from 0 to `below` - 1 as int32."""
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    if distinct:
        return random.permutation(below)[: int(np.prod(shape))].reshape(shape).astype(np.int32)
    return np.asarray(random.integers(0, max(below, 1), shape), np.int32)[()]


def known(op: str) -> list[Sample]:
    return [sample for sample in SAMPLES if sample.op == op]


def kinds(sample: Sample) -> str:
    return "".join(x.dtype.kind for x in sample.inputs)


# --- families by batch rule ---


@st.composite
def numbers_like(draw: Draw, template: Sample, position: int, shape: Shape) -> Array:
    """Return numbers of the kind of one input, in the range of the op's samples, where the op is defined."""
    found = [s.inputs[position] for s in known(template.op) if kinds(s) == kinds(template)]
    kind = template.inputs[position].dtype.kind
    if kind == "b":
        return np.asarray(draw(numbers(shape)) > 0)[()]
    if kind in "iu":
        low, high = min(map(np.min, found)), max(map(np.max, found))
        return (draw(indices(shape, int(high - low) + 1)) + low).astype(found[0].dtype)[()]
    if kind == "c":
        parts = (np.real, np.imag)
        real, imaginary = (
            draw(numbers(shape, *bounds(list(map(part, found))), i)) for i, part in enumerate(parts)
        )
        return (real + 1j * imaginary)[()]
    low, high = bounds(found)
    return draw(numbers(shape, max(low, LOWEST.get(template.op, low)), high, position))


# Below 0 there is a pole at each integer. Near a pole finite differences are inaccurate, so the samples are between the poles.
LOWEST = {"Digamma": 0.2, "Lgamma": 0.2}


def bounds(found: list[Array]) -> tuple[float, float]:
    return min(float(np.min(x)) for x in found), max(float(np.max(x)) for x in found)


@st.composite
def broadcasting(draw: Draw, op: str) -> Sample:
    template = draw(st.sampled_from(known(op)))
    drawn = draw(
        mutually_broadcastable_shapes(
            num_shapes=len(template.inputs), max_dims=MANY, min_side=0, max_side=FEW
        )
    )
    inputs = (draw(numbers_like(template, i, shape)) for i, shape in enumerate(drawn.input_shapes))
    return Sample(op, tuple(inputs), template.settings)


@st.composite
def of_one_shape(draw: Draw, op: str) -> Sample:
    template = draw(st.sampled_from(known(op)))
    shape = draw(shapes())
    inputs = (draw(numbers_like(template, i, shape)) for i in range(len(template.inputs)))
    return Sample(op, tuple(inputs), template.settings)


@st.composite
def in_front(draw: Draw, op: str) -> Sample:
    """Return a sample with more leading axes: slightly smaller copies of the sample, so that the op is defined for all of
    them.
    """
    sample = draw(st.sampled_from(known(op)))
    front = draw(shapes(most=2))
    scales = np.random.default_rng(draw(st.integers(0, 10_000))).uniform(0.8, 1.0, front)

    def many(x: Array) -> Array:
        whole = np.broadcast_to(x, (*front, *x.shape))
        if x.dtype.kind not in "fc":
            return whole.copy()[()]
        return (whole * np.asarray(scales).reshape(*front, *(1,) * x.ndim))[()]

    return Sample(op, tuple(map(many, sample.inputs)), sample.settings)


@st.composite
def along_axes(draw: Draw, op: str) -> Sample:
    settings = dict(draw(st.sampled_from(known(op))).settings)
    x = draw(numbers(draw(shapes())))
    settings["axis"] = draw(some_axes(x.ndim))
    if "keepdims" in settings:
        settings["keepdims"] = draw(st.booleans())
    sample = Sample(op, (x,), settings)
    # The maximum of no elements is -inf, which has no derivative.
    assume(np.all(np.isfinite(sample.run())))
    return sample


@st.composite
def rolls(draw: Draw, op: str) -> Sample:
    x = draw(numbers(draw(shapes(axes=1))))
    axis = draw(some_axes(x.ndim).filter(bool))
    shift = tuple(draw(st.integers(-4, 4)) for _ in axis)
    return Sample(op, (x,), {"shift": shift, "axis": axis})


def some_axes(rank: int) -> st.SearchStrategy[Shape]:
    chosen = st.lists(st.booleans(), min_size=rank, max_size=rank)
    return chosen.map(lambda which: tuple(axis for axis, is_in in enumerate(which) if is_in))


@st.composite
def along_an_axis(draw: Draw, op: str) -> Sample:
    settings = dict(draw(st.sampled_from(known(op))).settings)
    x = draw(numbers(draw(shapes(axes=1))))
    settings["axis"] = draw(st.integers(0, x.ndim - 1))
    return Sample(op, (x,), settings)


@st.composite
def scaled(draw: Draw, op: str) -> Sample:
    """Return a sample with different numbers, for an op whose settings determine its shapes."""
    sample = draw(st.sampled_from(known(op)))
    scale = draw(st.sampled_from([1.0, 0.93, 0.81]))
    inputs = tuple(x * scale if x.dtype.kind == "f" else x for x in sample.inputs)
    return Sample(op, inputs, sample.settings)


BY_BATCH: dict[Any, Callable[[str], st.SearchStrategy[Sample]]] = {
    rules.elementwise: broadcasting,
    rules.leading_axes: in_front,
    rules.leading_axes_of_all: in_front,
    rules.axes_after_stacking: along_axes,
    rules.axis_after_stacking: along_an_axis,
}

# --- ops with their own family ---


@st.composite
def reshapes(draw: Draw, op: str) -> Sample:
    sizes = draw(shapes())
    shuffled = draw(st.permutations(sizes))
    ones = draw(st.lists(st.just(1), max_size=2))
    return Sample(op, (draw(numbers(sizes)),), {"shape": (*ones, *shuffled)})


@st.composite
def transposes(draw: Draw, op: str) -> Sample:
    x = draw(numbers(draw(shapes())))
    return Sample(op, (x,), {"perm": tuple(draw(st.permutations(range(x.ndim))))})


@st.composite
def broadcasts(draw: Draw, op: str) -> Sample:
    drawn = draw(mutually_broadcastable_shapes(num_shapes=1, base_shape=draw(shapes()), min_side=0))
    return Sample(op, (draw(numbers(drawn.input_shapes[0])),), {"shape": drawn.result_shape})


@st.composite
def fills(draw: Draw, op: str) -> Sample:
    return Sample(op, (draw(numbers(())),), {"shape": draw(shapes())})


@st.composite
def tiles(draw: Draw, op: str) -> Sample:
    x = draw(numbers(draw(shapes())))
    return Sample(op, (x,), {"multiples": tuple(draw(st.integers(0, 2)) for _ in range(x.ndim))})


@st.composite
def concats(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3))
    axis = draw(st.integers(0, len(shape) - 1))
    sizes = draw(st.lists(st.integers(0, FEW), min_size=2, max_size=4))
    parts = [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]
    return Sample(op, tuple(draw(numbers(part)) for part in parts), {"axis": axis})


@st.composite
def splits(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3))
    axis = draw(st.integers(0, len(shape) - 1))
    sizes = tuple(draw(st.lists(st.integers(0, FEW), min_size=1, max_size=4)))
    whole = (*shape[:axis], sum(sizes), *shape[axis + 1 :])
    return Sample(op, (draw(numbers(whole)),), {"sizes": sizes, "axis": axis})


@st.composite
def packs(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(most=3))
    count = draw(st.integers(1, 3))
    axis = draw(st.integers(0, len(shape)))
    return Sample(op, tuple(draw(numbers(shape)) for _ in range(count)), {"axis": axis})


@st.composite
def unpacks(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1))
    axis = draw(st.integers(0, len(shape) - 1))
    shape = (*shape[:axis], max(shape[axis], 1), *shape[axis + 1 :])
    return Sample(op, (draw(numbers(shape)),), {"axis": axis})


@st.composite
def keys(draw: Draw, shape: Shape) -> tuple[Any, ...]:
    """Return a key with one entry for each axis, including full slices, and with new axes."""
    key: list[Any] = []
    for size in shape:
        if draw(st.integers(0, 4)) == 0:
            key.append(None)
        if size and draw(st.booleans()):
            key.append(draw(st.integers(-size, size - 1)))
        else:
            ends = st.none() | st.integers(-size - 1, size + 1)
            step = draw(st.sampled_from([None, 1, 2, -1, -2]))
            key.append(Cut(draw(ends), draw(ends), step))
    return tuple(key)


@st.composite
def slices(draw: Draw, op: str) -> Sample:
    shape = draw(shapes())
    return Sample(op, (draw(numbers(shape)),), {"key": draw(keys(shape))})


@st.composite
def puts(draw: Draw, op: str) -> Sample:
    shape = draw(shapes())
    key = draw(keys(shape))
    part = PRIMITIVES["StridedSlice"](np.zeros(shape), key=key).shape
    return Sample(op, (draw(numbers(part)),), {"shape": shape, "key": key})


@st.composite
def pads(draw: Draw, op: str) -> Sample:
    x = draw(numbers(draw(shapes(most=3))))
    widths = st.tuples(st.integers(0, 2), st.integers(0, 2))
    paddings = tuple(draw(widths) for _ in range(x.ndim))
    return Sample(op, (x,), {"paddings": paddings, "value": 7.0})


@st.composite
def gathers(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3, smallest=1))
    axis = draw(st.integers(0, len(shape) - 1))
    places = draw(indices(draw(shapes(most=2)), shape[axis]))
    return Sample(op, (draw(numbers(shape)), places), {"axis": axis})


@st.composite
def rows(draw: Draw, op: str) -> Sample:
    inner, table = draw(shapes(most=2)), draw(st.integers(1, 4))
    count = draw(st.integers(0, 4))
    places = draw(indices((count,), table))
    return Sample(op, (draw(numbers((count, *inner))), places), {"shape": (table, *inner)})


@st.composite
def places_in(draw: Draw, shape: Shape, *, distinct: bool = False) -> tuple[Array, Shape]:
    """Return coordinates of parts of a table, and the shape of one part."""
    depth = draw(st.integers(1, len(shape)))
    cells = int(np.prod(shape[:depth]))
    front = (draw(st.integers(0, min(FEW, cells))),) if distinct else draw(shapes(axes=1, most=2))
    flat = draw(indices(front, cells, distinct=distinct))
    coordinates = np.stack(np.unravel_index(flat, shape[:depth]), axis=-1).astype(np.int32)
    return coordinates, (*front, *shape[depth:])


@st.composite
def gathers_nd(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3, smallest=1))
    coordinates, _ = draw(places_in(shape))
    return Sample(op, (draw(numbers(shape)), coordinates))


@st.composite
def scatters_nd(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3, smallest=1))
    coordinates, part = draw(places_in(shape))
    return Sample(op, (coordinates, draw(numbers(part))), {"shape": shape})


@st.composite
def updates(draw: Draw, op: str) -> Sample:
    """Return updates without repeated indices, because the result of two updates of one element is undefined."""
    shape = draw(shapes(axes=1, most=3, smallest=1))
    coordinates, part = draw(places_in(shape, distinct=True))
    return Sample(op, (draw(numbers(shape)), coordinates, draw(numbers(part, position=1))))


@st.composite
def matrix_products(draw: Draw, op: str) -> Sample:
    n, k, m = (draw(st.integers(0, FEW)) for _ in range(3))
    front = draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=2))
    a, b = front.input_shapes
    return Sample(op, (draw(numbers((*a, n, k))), draw(numbers((*b, k, m)))))


@st.composite
def einsums(draw: Draw, op: str) -> Sample:
    """Return two or three factors with labels from i, j, k; each label of the result occurs in a factor."""
    words = draw(
        st.lists(st.lists(st.sampled_from("ijk"), unique=True, max_size=3), min_size=2, max_size=3)
    )
    known = sorted(set().union(*words))
    result = draw(st.lists(st.sampled_from(known), unique=True)) if known else []
    size = {letter: draw(st.integers(0, FEW)) for letter in known}
    inputs = tuple(draw(numbers(tuple(size[letter] for letter in word))) for word in words)
    equation = ",".join(map("".join, words)) + "->" + "".join(result)
    return Sample(op, inputs, {"equation": equation})


@st.composite
def orders(draw: Draw, shape: Shape) -> Array:
    """Return distinct indices along the last axis, as sorting returns them: some or all."""
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    places = random.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    return np.ascontiguousarray(places[..., : draw(st.integers(0, shape[-1]))], np.int32)


@st.composite
def taken_along(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3, smallest=1))
    return Sample(op, (draw(numbers(shape)), draw(orders(shape))))


@st.composite
def put_along(draw: Draw, op: str) -> Sample:
    shape = draw(shapes(axes=1, most=3, smallest=1))
    places = draw(orders(shape))
    return Sample(op, (draw(numbers(places.shape)), places), {"size": shape[-1]})


@st.composite
def cross_entropies(draw: Draw, op: str) -> Sample:
    shape = (*draw(shapes(most=2)), draw(st.integers(1, 4)))
    weights = draw(numbers(shape, 0.4, 2.3))
    labels = weights / weights.sum(axis=-1, keepdims=True)
    return Sample(op, (draw(numbers(shape)), labels))


@st.composite
def sparse_cross_entropies(draw: Draw, op: str) -> Sample:
    front, classes = draw(shapes(most=2)), draw(st.integers(1, 4))
    return Sample(op, (draw(numbers((*front, classes))), draw(indices(front, classes))))


@st.composite
def ensured(draw: Draw, op: str) -> Sample:
    x = draw(numbers(draw(shapes())))
    known = tuple(size if draw(st.booleans()) else None for size in x.shape)
    return Sample(op, (x,), {"shape": known})


FAMILIES: dict[str, Callable[[str], st.SearchStrategy[Sample]]] = {
    "Reshape": reshapes,
    "Transpose": transposes,
    "BroadcastTo": broadcasts,
    "Fill": fills,
    "Roll": rolls,
    "Tile": tiles,
    "ConcatV2": concats,
    "SplitV": splits,
    "Pack": packs,
    "Unpack": unpacks,
    "StridedSlice": slices,
    "StridedSliceGrad": puts,
    "PadV2": pads,
    "GatherV2": gathers,
    "UnsortedRows": rows,
    "GatherNd": gathers_nd,
    "ScatterNd": scatters_nd,
    "TensorScatterUpdate": updates,
    "MatMul": matrix_products,
    "Einsum": einsums,
    "TakeAlongLastAxis": taken_along,
    "PutAlongLastAxis": put_along,
    "SoftmaxCrossEntropyWithLogits": cross_entropies,
    "SparseSoftmaxCrossEntropyWithLogits": sparse_cross_entropies,
    "EnsureShape": ensured,
    "L2Loss": of_one_shape,
    "SigmoidCrossEntropyWithLogits": of_one_shape,
    "ReluGrad": of_one_shape,
    "SigmoidGrad": of_one_shape,
    "TanhGrad": of_one_shape,
    "Relu6Grad": of_one_shape,
    "LeakyReluGrad": of_one_shape,
}


def samples_of(op: str) -> st.SearchStrategy[Sample]:
    """Return samples of one op, by its family; an op without a family keeps the shapes of its samples."""
    family = FAMILIES.get(op) or BY_BATCH.get(PRIMITIVES[op].batch, scaled)
    return (in_front if family is broadcasting and not takes_scalars(op) else family)(op)


def takes_scalars(op: str) -> bool:
    """Return whether an op accepts scalars, which distinguishes elementwise ops from matrix ops with the same batch rule."""
    sample = known(op)[0]
    try:
        sample.run(*(x.flat[0] for x in map(np.asarray, sample.inputs)))
    except (ValueError, IndexError):
        return False
    return True

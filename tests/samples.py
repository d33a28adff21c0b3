"""Sample inputs for every op that has rules: one line or more for each.

The laws in `laws/` run over them. All numbers are float64, well away from kinks, poles and ties, so that a finite difference
means what it says; no input holds a number twice, so that an axis or an order that was mixed up shows.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minitape.ops  # noqa: F401  (declares all ops)
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.ops.slicing import Cut

Array = Any


@dataclass(frozen=True)
class Sample:
    """One op, inputs for it and its settings."""

    op: str
    inputs: tuple[Array, ...]
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def primitive(self) -> Primitive:
        found: Primitive = PRIMITIVES[self.op]
        return found

    @property
    def smooth(self) -> list[int]:
        """The positions that can be differentiated: a real number, and a rule for it."""
        rules = self.primitive.rules
        return [
            position
            for position, x in enumerate(self.inputs)
            if x.dtype.kind == "f" and rules[position] is not None
        ]

    def run(self, *inputs: Any) -> Any:
        return self.primitive(*(inputs or self.inputs), **self.settings)

    def vjp(self, position: int, ybar: Any, y: Any, inputs: Any) -> Any:
        """The cotangent that the rule owes to one input, dense."""
        rule = self.primitive.rules[position]
        assert rule is not None
        xbar = rule(ybar, y, *inputs, **self.settings)
        return xbar.to_dense_tensor() if hasattr(xbar, "to_dense_tensor") else xbar

    def in_dtype(self, dtype: Any) -> "Sample":
        inputs = tuple(x.astype(dtype) if x.dtype.kind == "f" else x for x in self.inputs)
        settings = dict(self.settings)
        if self.op == "Cast":
            settings["dtype"] = np.dtype(dtype)
        return Sample(self.op, inputs, settings)

    def __str__(self) -> str:
        shapes = "-".join("x".join(map(str, x.shape)) or "scalar" for x in self.inputs)
        return f"{self.op}-{shapes}"


def some(*shape: int, low: float = -1.5, high: float = 1.4, seed: int = 0) -> Array:
    """Numbers between `low` and `high`, evenly spaced and mixed."""
    numbers = np.linspace(low, high, int(np.prod(shape)) or 1)
    return np.random.default_rng(seed).permutation(numbers).reshape(shape)[()]


def positive(*shape: int, seed: int = 1) -> Array:
    return some(*shape, low=0.4, high=2.3, seed=seed)


def shares(*shape: int) -> Array:
    """Numbers that add up to 1 along the last axis, as labels must."""
    weights = positive(*shape)
    return weights / weights.sum(axis=-1, keepdims=True)


def whole(*rows: Any) -> Array:
    return np.array(rows, np.int32)


def cotangent(y: Any, seed: int = 5) -> Any:
    """Numbers to send back: one for each real output, None for one that is no quantity."""
    if isinstance(y, tuple):
        return tuple(cotangent(each, seed + i) for i, each in enumerate(y))
    if y.dtype.kind != "f":
        return None
    return np.random.default_rng(seed).uniform(0.5, 1.5, y.shape).astype(y.dtype)[()]


def sample(op: str, *inputs: Array, **settings: Any) -> Sample:
    return Sample(op, inputs, settings)


# What broadcasting can do to two values: nothing, stretch the second, the first, both, and meet a scalar.
PAIRS = (
    (some(2, 3), positive(2, 3)),
    (some(2, 3), positive(3)),
    (some(1), positive(2, 1)),
    (some(2, 1), positive(3)),
    (some(), positive(2)),
    (some(), positive()),
)
# For ops in which the two must not come close to each other, nor one be a multiple of the other.
APART = tuple((a * 1.7 + 0.05, b * 1.13) for a, b in PAIRS)

BROADCASTING = (
    *(
        sample(op, a, b)
        for op in ("AddV2", "Sub", "Mul", "RealDiv", "MulNoNan", "DivNoNan")
        for a, b in PAIRS
    ),
    *(sample(op, a, b) for op in ("SquaredDifference", "Atan2") for a, b in PAIRS),
    *(sample(op, a, b) for op in ("Maximum", "Minimum", "FloorMod") for a, b in APART),
    *(sample("Pow", np.abs(a) + 0.3, b) for a, b in PAIRS),
    *(sample("SelectV2", np.greater(a, 0), a, b) for a, b in PAIRS),
    sample("SelectV2", np.array([[True], [False]]), some(3), positive()),
)

ELEMENTWISE = (
    *(
        sample(op, x)
        for op in (
            "Square",
            "Neg",
            "Sign",
            "Abs",
            "Conj",
            "Exp",
            "Expm1",
            "Sigmoid",
            "Tanh",
            "Softplus",
        )
        for x in (some(2, 3), some())
    ),
    *(sample(op, positive(2, 3)) for op in ("Sqrt", "Rsqrt", "Log", "Log1p")),
    *(sample(op, some(2, 3)) for op in ("Erf", "Erfc", "Sin", "Cos", "Tan", "Atan")),
    *(sample(op, some(2, 3)) for op in ("Sinh", "Cosh", "Asinh")),
    *(sample(op, some(2, 3, low=-0.9, high=0.8)) for op in ("Asin", "Acos", "Atanh")),
    sample("Acosh", 1.5 + positive(2, 3)),
    *(sample(op, some(2, 3)) for op in ("Relu", "Elu", "Selu", "Softsign")),
    sample("Relu", positive()),
    sample("Relu6", some(8, low=-3.0, high=10.0)),
    sample("LeakyRelu", some(2, 3), alpha=0.2),
    sample("ReluGrad", some(2, 3), some(2, 3, seed=2)),
    sample("Relu6Grad", some(8), some(8, low=-3.0, high=10.0)),
    sample("LeakyReluGrad", some(2, 3), some(2, 3, seed=2), alpha=0.2),
)

FOLDING = (
    *(
        sample(op, some(2, 3, 2), axis=axis, keepdims=keepdims)
        for op in ("Sum", "Mean", "Max", "Min", "Prod")
        for axis, keepdims in (((1,), False), ((0, 2), True), ((0, 1, 2), False), ((), False))
    ),
    sample("Sum", some(), axis=(), keepdims=False),
    *(
        sample(op, some(2, 3), axis=axis, exclusive=exclusive, reverse=reverse)
        for op in ("Cumsum", "Cumprod")
        for axis, exclusive, reverse in ((0, False, True), (1, True, False), (1, True, True))
    ),
    *(sample(op, some(2, 3)) for op in ("Softmax", "LogSoftmax")),
    sample("L2Loss", some(2, 3)),
    sample("L2Loss", some()),
    sample("SoftmaxCrossEntropyWithLogits", some(2, 3), shares(2, 3)),
    sample("SoftmaxCrossEntropyWithLogits", some(3), shares(3)),
    sample("SparseSoftmaxCrossEntropyWithLogits", some(2, 3), whole(2, 0)),
    sample("SparseSoftmaxCrossEntropyWithLogits", some(3), np.int32(1)),
    sample("TopKV2", some(2, 4), k=3),
    sample("TakeAlongLastAxis", some(2, 4), whole([3, 0], [1, 2])),
    sample("PutAlongLastAxis", some(2, 2), whole([3, 0], [1, 2]), size=4),
    sample("AddN", some(2, 3), some(2, 3, seed=2), some(2, 3, seed=3)),
)

ARRANGING = (
    sample("Reshape", some(2, 3), shape=(3, 2)),
    sample("Reshape", some(), shape=(1, 1)),
    sample("Transpose", some(2, 3, 2), perm=(2, 0, 1)),
    sample("BroadcastTo", some(2, 1), shape=(3, 2, 4)),
    sample("Fill", some(), shape=(2, 3)),
    sample("ReverseV2", some(2, 3), axis=(1,)),
    sample("Roll", some(2, 3), shift=(1, 2), axis=(0, 1)),
    sample("Tile", some(2, 3), multiples=(2, 1)),
    sample("ConcatV2", some(2, 3), some(2, 1, seed=2), some(2, 2, seed=3), axis=1),
    sample("Pack", some(2, 3), some(2, 3, seed=2), axis=1),
    sample("Pack", some(), positive(), axis=0),
    sample("SplitV", some(2, 5), sizes=(1, 3, 1), axis=1),
    sample("Unpack", some(2, 3), axis=1),
    sample("StridedSlice", some(4, 3), key=(Cut(3, None, -2), None, 1)),
    sample("StridedSliceGrad", some(2, 1), shape=(4, 3), key=(Cut(3, None, -2), None, 1)),
    sample("PadV2", some(2, 3), paddings=((1, 0), (0, 2)), value=7.0),
    sample("MatrixDiagV3", some(2, 3), shape=(3, 4)),
    sample("MatrixDiagPartV3", some(2, 3, 4)),
    *(sample(op, some(2, 3)) for op in ("Identity", "ReadVariableOp")),
    sample("EnsureShape", some(2, 3), shape=(2, None)),
    sample("Cast", some(2, 3), dtype=np.dtype(np.float64)),
)

PICKING = (
    sample("GatherV2", some(4, 3), whole([3, 0], [3, 1]), axis=0),
    sample("GatherV2", some(4, 3), whole(2, 0), axis=1),
    sample("GatherV2", some(4, 3), np.int32(2), axis=0),
    sample("UnsortedRows", some(3, 2), whole(3, 0, 3), shape=(4, 2)),
    sample("GatherNd", some(4, 3), whole([3, 0], [2, 1], [3, 0])),
    sample("GatherNd", some(4, 3), whole([3], [1])),
    sample("ScatterNd", whole([3, 0], [2, 1]), some(2), shape=(4, 3)),
    sample("ScatterNd", whole([3], [1]), some(2, 3), shape=(4, 3)),
    sample("TensorScatterUpdate", some(4, 3), whole([3], [1]), some(2, 3, seed=2)),
)

PRODUCTS = (
    sample("MatMul", some(2, 3), some(3, 4, seed=2)),
    sample("MatMul", some(2, 2, 3), some(3, 4, seed=2)),
    sample("MatMul", some(2, 1, 2, 3), some(3, 3, 1, seed=2)),
    sample("Einsum", some(2, 3), some(3, 4, seed=2), equation="ij,jk->ki"),
    sample("Einsum", some(2, 3), some(3, seed=2), some(2, seed=3), equation="ij,j,i->"),
    sample("Einsum", some(2, 3), some(4, seed=2), equation="ij,k->k"),
)

SAMPLES = (*BROADCASTING, *ELEMENTWISE, *FOLDING, *ARRANGING, *PICKING, *PRODUCTS)

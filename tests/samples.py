"""Sample inputs for every op that has rules.

The tests in `laws/` use them. All numbers are float64 and far from kinks, poles and ties, so that finite differences are
accurate. No input contains a number twice, so that a mixed-up axis or order is detected.
"""

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import numpy as np

import minitape.ops.all_ops  # noqa: F401  (declares all ops)
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES
from minitape.ops.fields.pooling import Box
from minitape.ops.slicing import Cut
from minitape.ops.windows import Window

Array = Any


@dataclass(frozen=True, eq=False)  # comparing arrays does not give a single bool
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
        """The positions of differentiable inputs: real or complex numbers with a rule."""
        rules = self.primitive.rules
        return [
            position
            for position, x in enumerate(self.inputs)
            if x.dtype.kind in DIFFERENTIABLE_KINDS and rules[position] is not None
        ]

    def run(self, *inputs: Any) -> Any:
        return self.primitive(*(inputs or self.inputs), **self.settings)

    def vjp(self, position: int, ybar: Any, y: Any, inputs: Any) -> Any:
        """Return the cotangent of one input as a dense tensor."""
        rule = self.primitive.rules[position]
        assert rule is not None
        xbar = rule(ybar, y, *inputs, **self.settings)
        return xbar.to_dense_tensor() if hasattr(xbar, "to_dense_tensor") else xbar

    def in_dtype(self, dtype: Any) -> "Sample":
        wide = np.result_type(dtype, np.complex64)
        if self.op in ("Complex", "Eig", "RFFT"):  # there is no complex dtype of float16
            dtype = wide.type(0).real.dtype
        floats = {"f": dtype, "c": wide}
        inputs = tuple(x.astype(floats.get(x.dtype.kind, x.dtype)) for x in self.inputs)
        settings = dict(self.settings)
        if self.op == "Cast":
            settings["dtype"] = np.dtype(dtype)
        return Sample(self.op, inputs, settings)

    def __str__(self) -> str:
        shapes = "-".join("x".join(map(str, x.shape)) or "scalar" for x in self.inputs)
        return f"{self.op}-{shapes}"


def some(*shape: int, low: float = -1.5, high: float = 1.4, seed: int = 0) -> Array:
    """Return evenly spaced numbers between `low` and `high` in random order."""
    numbers = np.linspace(low, high, int(np.prod(shape)) or 1)
    return np.random.default_rng(seed).permutation(numbers).reshape(shape)[()]


def positive(*shape: int, seed: int = 1) -> Array:
    return some(*shape, low=0.4, high=2.3, seed=seed)


def shares(*shape: int) -> Array:
    """Return numbers that add up to 1 along the last axis, as labels must."""
    weights = positive(*shape)
    return weights / weights.sum(axis=-1, keepdims=True)


def whole(*rows: Any) -> Array:
    return np.array(rows, np.int32)


def cotangent(y: Any, seed: int = 5) -> Any:
    """Return a cotangent for each real or complex output, and None for any other output."""
    if isinstance(y, tuple):
        return tuple(cotangent(each, seed + i) for i, each in enumerate(y))
    if y.dtype.kind not in "fc":
        return None
    if y.dtype.kind == "c":
        return (cotangent(y.real, seed) + 1j * cotangent(y.imag, seed + 1)).astype(y.dtype)
    return np.random.default_rng(seed).uniform(0.5, 1.5, y.shape).astype(y.dtype)[()]


def sample(op: str, *inputs: Array, **settings: Any) -> Sample:
    return Sample(op, inputs, settings)


def round_zero(*shape: int, seed: int = 0) -> Array:
    """Return complex numbers in various directions."""
    return some(*shape, seed=seed) + 1j * positive(*shape, seed=seed + 1)


# The cases of broadcasting two values: none, the second, the first, both, and with scalars.
PAIRS = (
    (some(2, 3), positive(2, 3)),
    (some(2, 3), positive(3)),
    (some(1), positive(2, 1)),
    (some(2, 1), positive(3)),
    (some(), positive(2)),
    (some(), positive()),
)
# For ops whose two inputs must not be close to each other, or one a multiple of the other.
APART = tuple((a * 1.7 + 0.05, b * 1.13) for a, b in PAIRS)

BROADCASTING = (
    *(
        sample(op, a, b)
        for op in ("AddV2", "Sub", "Mul", "RealDiv", "MulNoNan", "DivNoNan")
        for a, b in PAIRS
    ),
    *(sample(op, a, b) for op in ("SquaredDifference", "Atan2") for a, b in PAIRS),
    *(sample(op, a, b) for op in ("Maximum", "Minimum", "FloorMod") for a, b in APART),
    *(sample(op, a, b) for op in ("Xlogy", "Xlog1py", "Xdivy", "NextAfter") for a, b in PAIRS),
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
    *(sample(op, x) for op in ("Lgamma", "Digamma") for x in (positive(2, 3), some(2, 3) * 1.3)),
    sample("Polygamma", np.array([1.0, 2.0, 0.0]), positive(2, 3)),
    sample("Zeta", np.array([1.5, 2.0, 3.5]), positive(2, 3)),
    sample("Erfinv", some(2, 3, low=-0.9, high=0.8)),
    sample("Ndtri", some(2, 3, low=0.1, high=0.8)),
    *(sample(op, positive(2, 3)) for op in ("Reciprocal", "Sqrt", "Rsqrt", "Log", "Log1p")),
    *(sample(op, some(2, 3)) for op in ("Erf", "Erfc", "Sin", "Cos", "Tan", "Atan")),
    *(sample(op, some(2, 3)) for op in ("Sinh", "Cosh", "Asinh")),
    *(sample(op, some(2, 3, low=-0.9, high=0.8)) for op in ("Asin", "Acos", "Atanh")),
    sample("Acosh", 1.5 + positive(2, 3)),
    *(sample(op, some(2, 3)) for op in ("Relu", "Elu", "Selu", "Softsign")),
    sample("Relu", positive()),
    sample("Relu6", some(8, low=-3.0, high=10.0)),
    sample("LeakyRelu", some(2, 3), alpha=0.2),
    sample("ReluGrad", some(2, 3), some(2, 3, seed=2)),
    sample("SigmoidGrad", some(2, 3), some(2, 3, seed=2)),
    sample("TanhGrad", some(2, 3), some(2, 3, seed=2)),
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
    *(
        sample("CumulativeLogsumexp", some(2, 3), axis=axis, exclusive=False, reverse=reverse)
        for axis, reverse in ((0, False), (1, True))
    ),
    *(sample(op, some(2, 3)) for op in ("Softmax", "LogSoftmax")),
    sample("L2Loss", some(2, 3)),
    sample("L2Loss", some()),
    sample("SigmoidCrossEntropyWithLogits", some(2, 3), shares(2, 3)),
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
    sample("ReverseSequence", some(2, 3, 2), whole(2, 3), seq_axis=1, batch_axis=0),
    sample("ReverseSequence", some(2, 3), whole(2, 0, 1), seq_axis=0, batch_axis=1),
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
    *(
        sample("MatrixDiagV3", x, shape=(3, 4), k=k, align="RIGHT_LEFT", padding=7.0)
        for x, k in ((some(2, 3), (0, 0)), (some(2), (-1, -1)), (some(2, 3, 3), (-1, 1)))
    ),
    *(
        sample("MatrixDiagPartV3", some(2, 3, 4), k=k, align=align, padding=7.0)
        for k, align in (((0, 0), "RIGHT_LEFT"), ((2, 2), "LEFT_LEFT"), ((-1, 1), "LEFT_RIGHT"))
    ),
    sample("MatrixSetDiagV3", some(2, 3, 4), some(2, 3, seed=2), k=(1, 1), align="RIGHT_LEFT"),
    sample("MatrixBandPart", some(2, 3, 4), lower=1, upper=0),
    sample("MatrixBandPart", some(3, 4), lower=-1, upper=1),
    *(sample(op, some(2, 3)) for op in ("Identity", "ReadVariableOp")),
    sample("IdentityN", some(2, 3), some(2, seed=2)),
    sample("EnsureShape", some(2, 3), shape=(2, None)),
    sample("Cast", some(2, 3), dtype=np.dtype(np.float64)),
)

PICKING = (
    sample("GatherV2", some(4, 3), whole([3, 0], [3, 1]), axis=0),
    sample("GatherV2", some(4, 3), whole(2, 0), axis=1),
    sample("GatherV2", some(4, 3), np.int32(2), axis=0),
    sample("UnsortedRows", some(3, 2), whole(3, 0, 3), shape=(4, 2)),
    *(
        sample(f"UnsortedSegment{fold}", some(5, 2), whole(2, 0, 2, 1, 2), count=3)
        for fold in ("Max", "Min", "Prod")
    ),
    sample("DynamicStitch", some(3, 2), whole(3, 0, 2), count=4),
    sample("DynamicPartition", some(4, 2), whole(1, 0, 1, 0), count=2),
    sample("DynamicPartition", some(2, 3), whole([1, 0, 1], [0, 1, 1]), count=2),
    sample("GatherNd", some(4, 3), whole([3, 0], [2, 1], [3, 0])),
    sample("GatherNd", some(4, 3), whole([3], [1])),
    sample("ScatterNd", whole([3, 0], [2, 1]), some(2), shape=(4, 3)),
    sample("ScatterNd", whole([3], [1]), some(2, 3), shape=(4, 3)),
    *(
        sample(op, some(4, 3), whole([3, 0], [1, 2], [3, 0]), some(3, seed=2))
        for op in ("TensorScatterMax", "TensorScatterMin")
    ),
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

# Padding on two sides, strides of 2, dilations, and groups of channels.
PLAIN = Window((2, 2), (1, 1), ((0, 0), (0, 0)), (1, 1))
ODD = Window((2, 3), (2, 1), ((1, 0), (0, 2)), (1, 2))

PICTURES = (
    *(
        sample(op, *inputs, window=window, **shape)
        for window, filters, places in ((PLAIN, (2, 2, 2, 3), (2, 3)), (ODD, (2, 3, 1, 2), (2, 2)))
        for op, inputs, shape in (
            ("Conv2D", (some(2, 3, 4, 2), some(*filters, seed=2)), {}),
            (
                "Conv2DBackpropInput",
                (some(*filters, seed=2), some(2, *places, filters[-1], seed=3)),
                {"shape": (2, 3, 4, 2)},
            ),
            (
                "Conv2DBackpropFilter",
                (some(2, 3, 4, 2), some(2, *places, filters[-1], seed=3)),
                {"shape": filters},
            ),
        )
    ),
    *(
        sample(op, *inputs, window=window, **shape)
        for window, places in ((PLAIN, (2, 3)), (ODD, (2, 2)))
        for op, inputs, shape in (
            ("MaxPool", (some(2, 3, 4, 2),), {}),
            ("MaxPoolGrad", (some(2, 3, 4, 2), some(2, *places, 2, seed=2)), {}),
            ("MaxPoolGradGrad", (some(2, 3, 4, 2), some(2, 3, 4, 2, seed=2)), {}),
            ("AvgPool", (some(2, 3, 4, 2),), {}),
            ("AvgPoolGrad", (some(2, *places, 2),), {"shape": (2, 3, 4, 2)}),
        )
    ),
)


def square(*shape: int) -> Array:
    """Return matrices that are far from singular and whose eigenvalues are far apart."""
    return some(*shape) * 0.4 + np.diag(np.arange(1.0, shape[-1] + 1))


def definite(*shape: int) -> Array:
    matrix = square(*shape)
    return matrix @ np.swapaxes(matrix, -1, -2) + np.eye(shape[-1])


COMPLEX = (
    *(sample("Complex", a, b) for a, b in PAIRS),
    *(
        sample(op, x)
        for op in ("Real", "Imag", "ComplexAbs", "Angle", "Conj", "Exp", "Log", "Sqrt", "Square")
        for x in (round_zero(2, 3), round_zero())
    ),
    *(
        sample(op, round_zero(2, 3), round_zero(3, seed=2))
        for op in ("AddV2", "Mul", "RealDiv", "DivNoNan")
    ),
    sample("MatMul", round_zero(2, 3), round_zero(3, 2, seed=2)),
    sample("MatrixInverse", square(2, 2) + 0.5j * some(2, 2, seed=2)),
    sample("Sum", round_zero(2, 3), axis=(1,), keepdims=False),
)

FACTORISING = (
    *(
        sample(op, x)
        for op in ("MatrixInverse", "MatrixDeterminant", "LogMatrixDeterminant")
        for x in (square(3, 3), square(2, 2, 2))
    ),
    sample("MatrixSolve", square(3, 3), some(3, 2, seed=2)),
    sample("MatrixSolve", square(2, 3, 3), some(2, 3, 1, seed=2)),
    sample("MatrixTriangularSolve", square(3, 3), some(3, 2, seed=2), lower=True),
    sample("MatrixTriangularSolve", square(2, 1, 2, 2), some(3, 2, 1, seed=2), lower=False),
    sample("Cholesky", definite(3, 3)),
    sample("Cholesky", definite(2, 2, 2)),
    sample("SelfAdjointEigV2", definite(3, 3)),
    sample("SelfAdjointEigV2", definite(2, 2, 2)),
    *(sample("Svd", x, full=False) for x in (square(2, 3, 3)[:, :2], square(3, 3)[:, :2])),
    *(sample("Svd", x, full=True) for x in (square(3, 3)[:2], square(3, 3))),
    sample("Qr", square(3, 3), full=False),
    sample("Qr", square(3, 3)[:2], full=True),
    sample("Cholesky", definite(3, 3) + 0.2j * (some(3, 3) - some(3, 3).T)),
    sample("Qr", square(2, 3, 3)[..., :2], full=False),
    sample("Cross", some(2, 3), some(2, 3, seed=2)),
)

# A box that extends beyond the image, and a flipped one.
BOXES = np.array([[0.11, 0.07, 0.83, 0.71], [0.93, 0.21, 0.13, 1.31]])
# Each order of red, green and blue, with large differences: the derivative of the hue grows as the channels become equal.
VIVID = np.array(list(permutations([0.21, 0.52, 0.83]))).reshape(2, 3, 3) + some(2, 3, 3) / 40
IMAGES = (
    sample("ExtractImagePatches", some(2, 3, 4, 2), window=PLAIN),
    sample("ExtractImagePatches", some(2, 3, 4, 2), window=ODD),
    sample("ExtractImagePatchesGrad", some(2, 2, 2, 12), shape=(2, 3, 4, 2), window=ODD),
    sample("RGBToHSV", VIVID),
)

FUNCTIONS = (
    sample("Betainc", positive(2, 3), positive(3, seed=2), positive(2, 3, seed=3) / 2.5),
    *(
        sample(f"Bessel{name}", some(2, 3, low=-3.0, high=2.9))
        for name in ("I0", "I0e", "I1", "I1e", "J0", "J1")
    ),
    *(sample(f"Bessel{name}", positive(2, 3)) for name in ("K0", "K0e", "K1", "K1e", "Y0", "Y1")),
    *(sample(op, some(2, 3, low=-3.0, high=2.9)) for op in ("Dawsn", "FresnelCos", "FresnelSin")),
    *(sample(op, positive(2, 3)) for op in ("Expint", "Spence")),
)

SIGNALS = (
    *(
        sample(name, round_zero(2, 2, 3, 4))
        for name in ("FFT", "IFFT", "FFT2D", "IFFT2D", "FFT3D", "IFFT3D")
    ),
    sample("RFFT", some(2, 6)),
    sample("RFFT", some(2, 5)),
    sample("IRFFT", round_zero(2, 4), size=6),
    sample("IRFFT", round_zero(2, 4), size=7),
)

MATRICES = (
    sample("MatrixSquareRoot", definite(3, 3) + 0.1 * some(3, 3)),
    sample("MatrixSquareRoot", definite(2, 2, 2)),
    sample("MatrixSquareRoot", definite(2, 2) + 0.3j * some(2, 2)),
    # The eigenvectors of complex matrices have an arbitrary phase, so finite differences cannot check their derivative.
    sample("Eig", np.diag([1.0, 3.0, 6.0]) + 0.4 * some(3, 3)),
)

BOX = Box((2, 1, 2), (1, 2, 1), ((0, 1), (0, 0), (1, 0)))
FIELDS = (
    sample("MaxPool3D", some(2, 2, 3, 3, 2), box=BOX),
    sample("MaxPool3DGrad", some(2, 2, 3, 3, 2), some(2, 2, 2, 3, 2, seed=2), box=BOX),
    sample("MaxPool3DGradGrad", some(2, 2, 3, 3, 2), some(2, 2, 3, 3, 2, seed=2), box=BOX),
)

# As in TensorFlow, these have a gradient, and their gradient op ends the path (None) or has no rule (LookupError). So they
# support neither a second order nor forward mode, which transposes the gradient op.
# The derivative with respect to one input has no rule. So there is no second order, but forward mode works.
REFUSE_A_SECOND = (
    sample("Igamma", positive(2, 3), positive(3, seed=2)),
    sample("Igammac", positive(2, 3), positive(3, seed=2)),
)
END_AFTER_ONE = tuple(
    sample("ResizeBilinear", some(2, 4, 5, 2), size=size, method="bilinear")
    for size in ((3, 8), (7, 2))
)
REFUSE_AFTER_ONE = (
    sample("Dilation2D", some(2, 3, 4, 2), some(2, 2, 2, seed=2), window=PLAIN),
    sample("Dilation2D", some(2, 3, 4, 2), some(2, 3, 2, seed=2), window=ODD),
    sample("ResizeBicubic", some(2, 4, 5, 2), size=(3, 8), method="bicubic"),
    sample("ResizeNearestNeighbor", some(4, 5, 2), size=(3, 8), method="nearest"),
    *(
        sample("ScaleAndTranslate", some(4, 5, 2), size=(2, 8), method=method, antialias=smooth)
        for method, smooth in (("triangle", True), ("lanczos3", False), ("mitchellcubic", True))
    ),
    *(
        sample(
            "CropAndResize",
            some(2, 4, 5, 2),
            BOXES,
            whole(1, 0),
            size=size,
            method="bilinear",
            outside=7.0,
        )
        for size in ((3, 4), (1, 2))
    ),
)

SAMPLES = (
    *BROADCASTING,
    *ELEMENTWISE,
    *FOLDING,
    *ARRANGING,
    *PICKING,
    *PRODUCTS,
    *COMPLEX,
    *FACTORISING,
    *PICTURES,
    *IMAGES,
    *FIELDS,
    *FUNCTIONS,
    *SIGNALS,
    *MATRICES,
)

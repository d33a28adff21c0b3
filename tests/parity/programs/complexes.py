"""Complex numbers through ops that first come to mind for real ones: value, gradient, second gradient, tangent."""

from collections.abc import Callable, Mapping
from typing import Any

from programs.case import Case, Program, differs

Op = Callable[..., Any]

Z = [0.5 - 1.0j, -1.25 + 0.5j, 2.0 + 0.25j]
W = [1.5 + 0.5j, 0.75 - 1.5j, -0.5 + 1.0j]
MATRIX = [[2.0 + 0.5j, 0.5 - 1.0j], [-0.25 + 0.75j, 1.5 - 0.5j]]
OTHER = [[1.0 - 0.5j, 0.25 + 1.0j], [0.5 + 0.25j, -1.5 + 1.0j]]
# a · aᴴ plus something on the diagonal
POSITIVE = [[3.0 + 0.0j, 0.5 - 0.25j], [0.5 + 0.25j, 2.0 + 0.0j]]


def _value(op: Op, inputs: tuple[Any, ...]) -> Program:
    return lambda tf, np: op(tf, *(tf.constant(each, tf.complex128) for each in inputs))


def _sizes(tf: Any, y: Any, np: Any) -> Any:
    """A real number that depends on both parts of every element, each with a weight of its own."""
    parts = [tf.math.real(each) for each in y] if isinstance(y, tuple) else [tf.math.real(y)]
    if not isinstance(y, tuple) and y.dtype.is_complex:
        parts.append(tf.math.imag(y))
    total = 0.0
    for i, part in enumerate(parts):
        weights = np.arange(1.0, part.numpy().size + 1).reshape(part.shape) + i / 2
        total += tf.reduce_sum(part * part * tf.constant(weights, part.dtype))
    return total


def _orders(op: Op, inputs: tuple[Any, ...]) -> Program:
    def program(tf: Any, np: Any) -> Any:
        xs = [tf.constant(each, tf.complex128) for each in inputs]
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape() as inner:
                inner.watch(xs)
                y = op(tf, *xs)
                loss = _sizes(tf, y, np)
            first = inner.gradient(loss, xs)
            slope = sum(_sizes(tf, each, np) for each in first if each is not None)
        tangents = [tf.constant(np.conj(np.roll(each, 1)), tf.complex128) for each in inputs]
        with tf.autodiff.ForwardAccumulator(xs, tangents) as accumulator:
            y = op(tf, *xs)
        return {
            "value": y,
            "gradient": first,
            "second": outer.gradient(slope, xs),
            "tangent": accumulator.jvp(y),
        }

    return program


def _rows(ops: Mapping[str, tuple[Any, ...]], program: Any) -> tuple[Case, ...]:
    return tuple(Case(name, program(op, inputs)) for name, (op, *inputs) in ops.items())


SMOOTH = {
    "squared_difference": (lambda tf, a, b: tf.math.squared_difference(a, b), Z, W),
    "squared_difference_broadcast": (
        lambda tf, a, b: tf.math.squared_difference(a, b),
        MATRIX,
        [1.0 + 1.0j, 0.5 - 1.0j],
    ),
    "reduce_euclidean_norm": (lambda tf, z: tf.math.reduce_euclidean_norm(tf.abs(z)), Z),
    "variance": (lambda tf, z: tf.math.reduce_variance(z), Z),
    "std": (lambda tf, z: tf.math.reduce_std(z), Z),
    "variance_by_axis": (lambda tf, z: tf.math.reduce_variance(z, axis=0), MATRIX),
    "sign": (lambda tf, z: tf.sign(z), Z),
    "norm": (lambda tf, z: tf.norm(z), Z),
    "norm_1": (lambda tf, z: tf.norm(z, ord=1), Z),
    "norm_inf": (lambda tf, z: tf.norm(z, ord=float("inf")), Z),
    "norm_frobenius": (lambda tf, z: tf.norm(z, axis=[0, 1]), MATRIX),
    "normalize": (lambda tf, z: tf.linalg.normalize(z)[0], Z),
    "cholesky": (lambda tf, z: tf.linalg.cholesky(z), POSITIVE),
    "slogdet": (lambda tf, z: tf.linalg.slogdet(z)[1], MATRIX),
    "slogdet_sign": (lambda tf, z: tf.linalg.slogdet(z)[0], MATRIX),
    "inv": (lambda tf, z: tf.linalg.inv(z), MATRIX),
    "solve": (lambda tf, a, b: tf.linalg.solve(a, b), MATRIX, OTHER),
    "matmul": (lambda tf, a, b: a @ b, MATRIX, OTHER),
    "matmul_adjoint": (lambda tf, a, b: tf.matmul(a, b, adjoint_a=True), MATRIX, OTHER),
    "einsum": (lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), MATRIX, OTHER),
    "trace": (lambda tf, z: tf.linalg.trace(z), MATRIX),
    "transpose_conjugate": (lambda tf, z: tf.transpose(z, conjugate=True), MATRIX),
    "cumsum": (lambda tf, z: tf.cumsum(z), Z),
    "reduce_mean": (lambda tf, z: tf.reduce_mean(z), Z),
    "pow": (lambda tf, a, b: a**b, Z, W),
    "divide": (lambda tf, a, b: a / b, Z, W),
    "divide_no_nan": (lambda tf, a, b: tf.math.divide_no_nan(a, b), Z, W),
    "reciprocal": (lambda tf, z: tf.math.reciprocal(z), Z),
    "sqrt": (lambda tf, z: tf.sqrt(z), Z),
    "rsqrt": (lambda tf, z: tf.math.rsqrt(z), Z),
    "log": (lambda tf, z: tf.math.log(z), Z),
    "log1p": (lambda tf, z: tf.math.log1p(z), Z),
    "expm1": (lambda tf, z: tf.math.expm1(z), Z),
    "tanh": (lambda tf, z: tf.tanh(z), Z),
    "tan": (lambda tf, z: tf.tan(z), Z),
    "sinh": (lambda tf, z: tf.sinh(z), Z),
    "asinh": (lambda tf, z: tf.asinh(z), Z),
    "acosh": (lambda tf, z: tf.acosh(z), Z),
    "atanh": (lambda tf, z: tf.atanh(z), Z),
    "angle": (lambda tf, z: tf.math.angle(z), Z),
    "abs": (lambda tf, z: tf.abs(z), Z),
    "where": (lambda tf, a, b: tf.where([True, False, True], a, b), Z, W),
    "gather": (lambda tf, z: tf.gather(z, [2, 0, 2]), Z),
    "l2_normalize": (lambda tf, z: tf.math.l2_normalize(z), Z),
    "l2_normalize_by_axis": (lambda tf, z: tf.math.l2_normalize(z, axis=1), MATRIX),
    "triangular_solve": (lambda tf, a, b: tf.linalg.triangular_solve(a, b), MATRIX, OTHER),
    "matvec": (lambda tf, a, b: tf.linalg.matvec(a, b), MATRIX, [1.0 + 1.0j, 0.5 - 1.0j]),
    "tensordot": (lambda tf, a, b: tf.tensordot(a, b, 1), MATRIX, OTHER),
    "diag_part": (lambda tf, z: tf.linalg.diag_part(z), MATRIX),
    "band_part": (lambda tf, z: tf.linalg.band_part(z, 0, -1), MATRIX),
    "expm": (lambda tf, z: tf.linalg.expm(z), MATRIX),
    "concat": (lambda tf, a, b: tf.concat([a, b], 0), Z, W),
    "add_n": (lambda tf, a, b: tf.add_n([a, b]), Z, W),
    "polyval": (lambda tf, a, b: tf.math.polyval([a, b], a), Z, W),
}

# TensorFlow's rules for the first seven leave a conjugate out, so that their gradients are not the slope; of sums by segment, it
# gives tangents as IndexedSlices.
VALUES = {
    "cumprod": (lambda tf, z: tf.math.cumprod(z), Z),
    "det": (lambda tf, z: tf.linalg.det(z), MATRIX),
    "multiply_no_nan": (lambda tf, a, b: tf.math.multiply_no_nan(a, b), Z, W),
    "xdivy": (lambda tf, a, b: tf.math.xdivy(a, b), Z, W),
    "xlog1py": (lambda tf, a, b: tf.math.xlog1py(a, b), Z, W),
    "xlogy": (lambda tf, a, b: tf.math.xlogy(a, b), Z, W),
    "reduce_prod": (lambda tf, z: tf.reduce_prod(z), Z),
    "unsorted_segment_sum": (lambda tf, z: tf.math.unsorted_segment_sum(z, [1, 0, 1], 2), Z),
    "segment_sum": (lambda tf, z: tf.math.segment_sum(z, [0, 0, 1]), Z),
    "segment_mean": (lambda tf, z: tf.math.segment_mean(z, [0, 0, 1]), Z),
    "unsorted_segment_prod": (lambda tf, z: tf.math.unsorted_segment_prod(z, [1, 0, 1], 2), Z),
    "reduce_euclidean_norm_of_complex": (lambda tf, z: tf.math.reduce_euclidean_norm(z), Z),
    "reduce_euclidean_norm_by_axis": (
        lambda tf, z: tf.math.reduce_euclidean_norm(z, axis=1, keepdims=True),
        MATRIX,
    ),
    "reduce_max": (lambda tf, z: tf.reduce_max(z), Z),
    "maximum": (lambda tf, z: tf.maximum(z, z), Z),
    "less": (lambda tf, z: z < z, Z),
    "argmax": (lambda tf, z: tf.argmax(z), Z),
    "sort": (lambda tf, z: tf.sort(z), Z),
    "floor": (lambda tf, z: tf.floor(z), Z),
    "mod": (lambda tf, z: z % z, Z),
    "relu": (lambda tf, z: tf.nn.relu(z), Z),
    "softmax": (lambda tf, z: tf.nn.softmax(z), Z),
    "is_nan": (lambda tf, z: tf.math.is_nan(z), Z),
    "is_finite": (lambda tf, z: tf.math.is_finite(z), Z),
    "equal": (lambda tf, z: tf.equal(z, z), Z),
    "clip_by_value": (lambda tf, z: tf.clip_by_value(z, 0.0, 1.0), Z),
    "clip_by_norm": (lambda tf, z: tf.clip_by_norm(z, 1.0), Z),
    "count_nonzero": (lambda tf, z: tf.math.count_nonzero(z), Z),
    "l2_loss": (lambda tf, z: tf.nn.l2_loss(z), Z),
    "atan2": (lambda tf, z: tf.atan2(z, z), Z),
    "erf": (lambda tf, z: tf.math.erf(z), Z),
    "lgamma": (lambda tf, z: tf.math.lgamma(z), Z),
    "reduce_logsumexp": (lambda tf, z: tf.reduce_logsumexp(z), Z),
    "cast_to_real": (lambda tf, z: tf.cast(z, tf.float64), Z),
    "cast_to_int": (lambda tf, z: tf.cast(z, tf.int32), Z),
    "moments": (lambda tf, z: tf.nn.moments(z, [0]), Z),
    "logdet": (lambda tf, z: tf.linalg.logdet(z), POSITIVE),
    "segment_max": (lambda tf, z: tf.math.segment_max(z, [0, 0, 1]), Z),
    "eye": (lambda tf, z: tf.eye(2, dtype=tf.complex64), Z),
    "one_hot": (lambda tf, z: tf.one_hot([0, 1], 2, dtype=tf.complex64), Z),
    "zeros_like": (lambda tf, z: tf.zeros_like(z), Z),
}

NO_KERNEL = "no kernel is a wrong dtype here: there are no other devices"
REFUSED = {
    "floordiv": (lambda tf, z: z // z, NO_KERNEL, "InvalidArgumentError"),
    "round": (lambda tf, z: tf.round(z), NO_KERNEL, "InvalidArgumentError"),
    "pinv": (lambda tf, z: tf.linalg.pinv(z[None]), "as all ops refuse it", "InvalidArgumentError"),
    "range": (lambda tf, z: tf.range(z[0]), "an assertion says nothing to a user", "TypeError"),
}

TABLE = (
    *_rows(SMOOTH, _orders),
    *_rows(VALUES, _value),
    *(
        differs(why, raises=kind)(Case(name, _value(op, (Z,))))
        for name, (op, why, kind) in REFUSED.items()
    ),
)

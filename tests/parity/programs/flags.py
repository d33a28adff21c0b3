"""What stands for yes or no: a reduction takes whatever Python does, an attribute of an op a bool alone."""

from typing import Any

from programs.case import differs, table

ODD = {
    "none": lambda tf, np: None,
    "two": lambda tf, np: 2,
    "zero": lambda tf, np: 0,
    "half": lambda tf, np: 0.5,
    "text": lambda tf, np: "a",
    "empty_text": lambda tf, np: "",
    "list": lambda tf, np: [1, 2],
    "empty_list": lambda tf, np: [],
    "array": lambda tf, np: np.array([0, 1]),
    "array_of_one": lambda tf, np: np.array([True]),
    "numpy_bool": lambda tf, np: np.bool_(True),
    "tensor": lambda tf, np: tf.constant(True),
    "object": lambda tf, np: slice(1),
}

REDUCTIONS = (
    "reduce_sum",
    "reduce_mean",
    "reduce_max",
    "reduce_min",
    "reduce_prod",
    "reduce_logsumexp",
    "math.reduce_std",
    "math.reduce_variance",
    "math.reduce_euclidean_norm",
    "math.count_nonzero",
    "norm",
)

ATTRIBUTES = {
    "cumsum_exclusive": lambda tf, flag: tf.cumsum([[1.0, 2.0]], axis=1, exclusive=flag),
    "cumprod_reverse": lambda tf, flag: tf.math.cumprod([[1.0, 2.0]], axis=1, reverse=flag),
    "qr_full": lambda tf, flag: tf.linalg.qr([[2.0], [0.0]], full_matrices=flag).r,
    "svd_full": lambda tf, flag: tf.linalg.svd([[2.0], [0.0]], full_matrices=flag)[0],
    "inv_adjoint": lambda tf, flag: tf.linalg.inv([[1.0, 2.0], [0.0, 1.0]], adjoint=flag),
    "solve_adjoint": lambda tf, flag: tf.linalg.solve(
        [[1.0, 2.0], [0.0, 1.0]], [[1.0], [2.0]], adjoint=flag
    ),
    "top_k_sorted": lambda tf, flag: tf.math.top_k([1.0, 2.0], k=2, sorted=flag).values[:0],
    "matmul_transpose_b": lambda tf, flag: tf.matmul(
        [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [0.0, 1.0]], transpose_b=flag
    ),
}


def _found(tf: Any, path: str) -> Any:
    for part in path.split("."):
        tf = getattr(tf, part)
    return tf


def _kept(path: str, odd: Any) -> Any:
    return lambda tf, np: _found(tf, path)([[1.0, 2.0]], keepdims=odd(tf, np))


def _given(op: Any, odd: Any) -> Any:
    return lambda tf, np: op(tf, odd(tf, np))


def gradient_of_a_sum_kept_by_two(tf: Any, np: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x, axis=0, keepdims=2)
    return y, tape.gradient(y, x)


TABLE = table(
    {
        **{
            f"{path.rpartition('.')[2]}_{name}": _kept(path, odd)
            for path in REDUCTIONS
            for name, odd in ODD.items()
        },
        **{
            f"{name}_{odd_name}": _given(op, odd)
            for name, op in ATTRIBUTES.items()
            for odd_name, odd in ODD.items()
        },
        "matmul_transpose_b_array": differs(
            "what is no bool is a TypeError, whatever shape it has", raises="TypeError"
        )(_given(ATTRIBUTES["matmul_transpose_b"], ODD["array"])),
    }
)

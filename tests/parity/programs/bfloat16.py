"""bfloat16: what it takes, what it refuses, what comes out of ops, and its gradients in both modes and to the second order."""

from typing import Any

from programs.case import Program, differs, table

VECTOR = [1.5, -2.25, 0.1]
POSITIVE = [1.5, 2.25, 0.1]


def _x(tf: Any, values: Any = VECTOR) -> Any:
    return tf.constant(values, tf.bfloat16)


def _of(function: Any, values: Any = VECTOR) -> Program:
    """A function of a bfloat16 tensor."""
    return lambda tf, np: function(tf, _x(tf, values))


def _sloped(function: Any, values: Any = VECTOR) -> Program:
    """What a function gives, its gradient, and its tangent."""

    def program(tf: Any, np: Any) -> Any:
        x = _x(tf, values)
        with (
            tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator,
            tf.GradientTape() as tape,
        ):
            tape.watch(x)
            y = function(tf, x)
        return y, tape.gradient(y, x), accumulator.jvp(y)

    return program


def _curved(function: Any, values: Any = POSITIVE) -> Program:
    """A gradient and the gradient of it."""

    def program(tf: Any, np: Any) -> Any:
        x = _x(tf, values)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(tf, x)
            slope = inner.gradient(y, x)
        return slope, outer.gradient(slope, x)

    return program


_DTYPE = table(
    {
        "names": lambda tf, np: [repr(tf.bfloat16), str(tf.bfloat16), tf.bfloat16.name],
        "meant": lambda tf, np: [
            tf.as_dtype(meant) is tf.bfloat16
            for meant in ("bfloat16", 14, tf.bfloat16.as_numpy_dtype, tf.dtypes.bfloat16)
        ],
        "equal": lambda tf, np: [
            tf.bfloat16 == "bfloat16",
            tf.bfloat16 == tf.bfloat16.as_numpy_dtype,
            tf.bfloat16 == tf.float16,
        ],
        "claims": lambda tf, np: [
            getattr(tf.bfloat16, claim)
            for claim in (
                *("is_floating", "is_integer", "is_complex", "is_bool", "is_unsigned"),
                *("is_quantized", "is_numpy_compatible", "size", "as_datatype_enum"),
            )
        ],
        "real_dtype": lambda tf, np: [tf.bfloat16.real_dtype, tf.bfloat16.base_dtype],
        "least_and_greatest": lambda tf, np: [tf.bfloat16.min, tf.bfloat16.max],
        "limits": lambda tf, np: tf.bfloat16.limits,
        "numpy_type": lambda tf, np: tf.bfloat16.as_numpy_dtype,
    }
)

_VALUES = table(
    {
        "constant": lambda tf, np: _x(tf),
        "constant_of_an_int": lambda tf, np: tf.constant(1, tf.bfloat16),
        "constant_of_a_bool": lambda tf, np: tf.constant(True, tf.bfloat16),
        "constant_of_1e39": lambda tf, np: tf.constant(1e39, tf.bfloat16),
        "constant_of_2_to_133": lambda tf, np: tf.constant(2**133, tf.bfloat16),
        "constant_of_a_complex": lambda tf, np: tf.constant(1j, tf.bfloat16),
        "constant_of_text": lambda tf, np: tf.constant("a", tf.bfloat16),
        "constant_of_an_array": lambda tf, np: tf.constant(np.array([1.1, 2.0]), tf.bfloat16),
        "constant_of_its_array": lambda tf, np: tf.constant(
            np.array([1, 2], tf.bfloat16.as_numpy_dtype)
        ),
        "constant_of_its_scalar": lambda tf, np: tf.constant(tf.bfloat16.as_numpy_dtype(1.5)),
        "constant_of_a_list_of_its_scalars": lambda tf, np: tf.constant(
            [tf.bfloat16.as_numpy_dtype(1.5), 2.0]
        ),
        "its_array_as_float32": lambda tf, np: tf.constant(
            np.array([1, 2], tf.bfloat16.as_numpy_dtype), tf.float32
        ),
        "a_float32_tensor_converted": lambda tf, np: tf.convert_to_tensor(
            tf.constant([1.0]), tf.bfloat16
        ),
        "numpy": lambda tf, np: [_x(tf).numpy(), _x(tf, 1.5).numpy()],
        "text": lambda tf, np: [repr(_x(tf)), str(_x(tf)), repr(_x(tf, 3.14159)), str(_x(tf, 0.1))],
        "formatted": lambda tf, np: [
            f"{_x(tf, 3.14159):.2f}",
            float(_x(tf, 3.14159)),
            bool(_x(tf, 1.0)),
        ],
        "variable": lambda tf, np: tf.Variable([1.0, 2.0], dtype=tf.bfloat16, name="v"),
        "variable_text": lambda tf, np: [
            repr(tf.Variable([1.0, 2.0], dtype=tf.bfloat16)),
            repr(tf.Variable(0.1, dtype=tf.bfloat16)),
        ],
        "variable_assigned": lambda tf, np: tf.Variable(_x(tf)).assign_add([1.0, 1.0, 1.0]),
        "variable_assigned_float32": lambda tf, np: tf.Variable(_x(tf)).assign(tf.ones([3])),
        "spec": lambda tf, np: repr(tf.TensorSpec([2], tf.bfloat16)),
        "as_string": lambda tf, np: tf.strings.as_string(_x(tf)),
    }
)

_BESIDE = table(
    {
        "times_a_float": _of(lambda tf, x: [x * 2.5, 2.5 * x, 1.0 - x, x / 3.0]),
        "times_an_int": _of(lambda tf, x: [x * 2, 2 * x, x - 1, x // 2, x % 2]),
        "times_a_bool": _of(lambda tf, x: x * True),
        "times_a_complex": _of(lambda tf, x: x * 1j),
        "times_a_list": _of(lambda tf, x: x * [1.5, 2, 3]),
        "times_a_float32_array": lambda tf, np: _x(tf) * np.array([1.0, 2.0, 3.0], np.float32),
        "a_float32_array_times_it": lambda tf, np: np.array([1.0, 2.0, 3.0], np.float32) * _x(tf),
        "float32_times_its_array": lambda tf, np: tf.constant([1.0, 2.0, 3.0]) * _x(tf).numpy(),
        "plus_float32": _of(lambda tf, x: x + tf.ones([3])),
        "float16_plus": _of(lambda tf, x: tf.ones([3], tf.float16) + x),
        "equal_to_float32": _of(lambda tf, x: x == tf.ones([3])),
        "stacked_with_float32": _of(lambda tf, x: tf.stack([x, tf.ones([3])])),
        "matmul_with_float32": _of(lambda tf, x: tf.matmul(x[:, None], tf.ones([1, 2]))),
        "matmuls_with_float32": _of(lambda tf, x: tf.matmul(x[None, :, None], tf.ones([1, 1, 2]))),
        "compared": _of(lambda tf, x: [x > 0, x == x, x <= 0.1, tf.math.is_nan(x)]),
    }
)

_CASTS = table(
    {
        "rounded_to_even": lambda tf, np: tf.cast(
            tf.constant([1.00390625, 1.01171875, 1e-40, 3e38, 3.4e38, np.nan, -np.inf]), tf.bfloat16
        ),
        **{
            f"to_{name}": _of(lambda tf, x, name=name: tf.cast(x, name))
            for name in ("float16", "float32", "float64", "int32", "int8", "bool", "complex64")
        },
        **{
            f"from_{name}": lambda tf, np, name=name: tf.cast(
                tf.constant([1, 0, 7], name), tf.bfloat16
            )
            for name in ("float16", "float64", "int64", "uint8")
        },
        "from_bool": lambda tf, np: tf.cast([True, False], tf.bfloat16),
        "from_int": lambda tf, np: tf.cast([257, 1000001], tf.bfloat16),
        "saturated_from_float64": lambda tf, np: tf.saturate_cast(
            tf.constant([1e39, -1e39, 1.0], tf.float64), tf.bfloat16
        ),
        **{
            f"saturated_to_{name}": _of(
                lambda tf, x, name=name: tf.saturate_cast(x, name), [1e5, -1e5, 1e38, 1.0]
            )
            for name in ("float16", "float32", "int8", "uint8", "int32")
        },
        "bits": _of(lambda tf, x: tf.bitcast(x, tf.int16)),
        "from_bits": lambda tf, np: tf.bitcast(tf.constant([1.5]), tf.bfloat16),
    }
)

_UNARY = {
    **dict.fromkeys(("exp", "sin", "cos", "tanh", "sigmoid", "square", "abs", "negative"), VECTOR),
    **dict.fromkeys(("math.erf", "math.softplus", "math.expm1", "math.asinh"), VECTOR),
    **dict.fromkeys(("sqrt", "math.log", "math.rsqrt", "math.reciprocal", "math.log1p"), POSITIVE),
    **dict.fromkeys(
        ("nn.relu", "nn.elu", "nn.gelu", "nn.silu", "nn.leaky_relu", "nn.selu"), VECTOR
    ),
    **dict.fromkeys(
        ("nn.softmax", "nn.log_softmax", "nn.l2_loss", "reduce_sum", "reduce_mean"), VECTOR
    ),
    **dict.fromkeys(
        ("reduce_max", "reduce_min", "reduce_prod", "reduce_logsumexp", "norm"), VECTOR
    ),
    **dict.fromkeys(
        ("cumsum", "math.cumprod", "sort", "identity", "stop_gradient", "round"), VECTOR
    ),
    **dict.fromkeys(
        ("linalg.diag", "math.reduce_std", "math.l2_normalize", "floor", "sign"), VECTOR
    ),
}


def _named(tf: Any, name: str) -> Any:
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    return found


_SLOPES = table(
    {
        **{
            f"slope_of_{name.replace('.', '_')}": _sloped(
                lambda tf, x, name=name: _named(tf, name)(x), values
            )
            for name, values in _UNARY.items()
        },
        "slope_of_matmul": _sloped(lambda tf, x: tf.matmul(x[:, None], x[None, :])),
        "slope_of_einsum": _sloped(lambda tf, x: tf.einsum("i,j->ij", x, x)),
        "slope_of_pow": _sloped(lambda tf, x: x**2.5, POSITIVE),
        "slope_of_where": _sloped(lambda tf, x: tf.where(x > 0, x * x, 0.0)),
        "slope_of_maximum": _sloped(lambda tf, x: tf.maximum(x, 0.05)),
        "slope_of_clip": _sloped(lambda tf, x: tf.clip_by_value(x, -1.0, 1.0)),
        "slope_of_clip_by_norm": _sloped(lambda tf, x: tf.clip_by_norm(x, 1.0)),
        "slope_of_concat": _sloped(lambda tf, x: tf.concat([x, 2.0 * x], 0)),
        "slope_of_slice": _sloped(lambda tf, x: x[1:] * 3.0),
        "slope_of_pad": _sloped(lambda tf, x: tf.pad(x, [[1, 1]]) * 2.0),
        "slope_of_cast_to_float32": _sloped(lambda tf, x: tf.cast(x, tf.float32) ** 2),
        "slope_of_cast_to_float16": _sloped(lambda tf, x: tf.cast(x, tf.float16) ** 2),
        "slope_of_cast_to_int": differs(
            "minitape says why the result is None", warns=("UserWarning",)
        )(_sloped(lambda tf, x: tf.cast(x, tf.int32))),
        "slope_of_saturate_cast": _sloped(
            lambda tf, x: tf.saturate_cast(x, tf.float16), [1.0, 1e5, -1e5]
        ),
        "slope_of_segments": lambda tf, np: _of_segments(tf),
        "slope_of_moments": _sloped(lambda tf, x: tf.stack(tf.nn.moments(x, [0]))),
        "slope_of_cross_entropy": _sloped(
            lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([1], x[None])
        ),
        "slope_of_sigmoid_cross_entropy": _sloped(
            lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits([0.0, 1.0, 1.0], x)
        ),
        "slope_of_conv2d": _sloped(
            lambda tf, x: tf.nn.conv2d(
                tf.reshape(tf.range(9, dtype=tf.bfloat16), [1, 3, 3, 1]) * 0.125,
                tf.reshape(tf.concat([x, x[:1]], 0), [2, 2, 1, 1]),
                *(1, "SAME"),
            )
        ),
        "slope_of_max_pool": _sloped(
            lambda tf, x: tf.nn.max_pool2d(tf.reshape(x, [1, 1, 3, 1]), [1, 2], 1, "VALID")
        ),
        "slope_of_gather": lambda tf, np: _of_gather(tf),
        "slope_of_many_uses": _sloped(lambda tf, x: tf.add_n([x] * 20)),
        "curve_of_exp": _curved(lambda tf, x: tf.exp(x)),
        "curve_of_tanh": _curved(lambda tf, x: tf.tanh(x)),
        "curve_of_a_polynomial": _curved(lambda tf, x: 1.0 - 2.0 * x * x * x),
        "curve_of_a_cast": _curved(lambda tf, x: tf.cast(x, tf.float32) ** 3),
        "through_bfloat16_and_back": lambda tf, np: _through(tf),
        "of_a_variable": lambda tf, np: _of_a_variable(tf),
        "jacobian": lambda tf, np: _jacobian(tf),
        "matmul_with_float32_slopes": lambda tf, np: _mixed_product(tf),
    }
)


def _of_gather(tf: Any) -> Any:
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [0, 2, 0]) * 2.0
    return y, tape.gradient(y, x)


def _of_segments(tf: Any) -> Any:
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.segment_sum(x, [0, 0, 1])
    return y, tape.gradient(y, x)


def _through(tf: Any) -> Any:
    x = tf.constant([1.0, 2.01])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.bfloat16) ** 2, tf.float32)
    return y, tape.gradient(y, x)


def _of_a_variable(tf: Any) -> Any:
    v, unused = tf.Variable([1.0, 2.0], dtype=tf.bfloat16), tf.Variable(1.0, dtype=tf.bfloat16)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
    return tape.gradient(y, [v, unused], unconnected_gradients="zero")


def _jacobian(tf: Any) -> Any:
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = (1.0 - x) * tf.reduce_sum(x)
    return tape.jacobian(y, x)


def _mixed_product(tf: Any) -> Any:
    a, b = _x(tf, [[1.5, -2.25]]), tf.constant([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = tf.matmul(a, b)
    return y, tape.gradient(y, [a, b])


_MADE = table(
    {
        "range": lambda tf, np: tf.range(3, dtype=tf.bfloat16),
        "range_of_tensors": lambda tf, np: tf.range(_x(tf, 0.0), _x(tf, 2.0), _x(tf, 0.5)),
        "linspace": lambda tf, np: tf.linspace(_x(tf, 0.0), _x(tf, 1.0), 3),
        "zeros_ones_eye": lambda tf, np: [
            tf.zeros([2], tf.bfloat16),
            tf.ones([2], tf.bfloat16),
            tf.eye(2, dtype=tf.bfloat16),
            tf.fill([2], _x(tf, 0.1)),
            tf.one_hot([0], 2, dtype=tf.bfloat16),
        ],
        "drawn": lambda tf, np: [
            draw([2], dtype=tf.bfloat16).dtype
            for draw in (tf.random.normal, tf.random.uniform, tf.random.truncated_normal)
        ],
        "sum_of_many": lambda tf, np: tf.reduce_sum(tf.fill([1000], _x(tf, 0.1))),
        "mean_of_many": lambda tf, np: tf.reduce_mean(tf.fill([1000], _x(tf, 0.1))),
        "sorted": _of(lambda tf, x: [tf.argsort(x), tf.argmax(x), *tf.math.top_k(x, 2)]),
        "unique": _of(lambda tf, x: list(tf.unique(x))),
        "scattered": _of(lambda tf, x: tf.scatter_nd([[0], [0], [1]], x, [3])),
        "tensor_scattered": _of(lambda tf, x: tf.tensor_scatter_nd_add(x, [[0]], [_x(tf, 3.0)])),
        "largest_of_no_rows": _of(lambda tf, x: tf.math.unsorted_segment_max(x, [0, 0, 1], 3)),
        "checked": _of(lambda tf, x: tf.debugging.check_numerics(x, "m")),
        "dropped": _of(lambda tf, x: tf.nn.dropout(x, 0.5).dtype),
        "complex": _of(lambda tf, x: tf.complex(x, x)),
        "bincount": _of(lambda tf, x: tf.math.bincount([0, 1, 1], weights=x)),
        "rfft": _of(lambda tf, x: tf.signal.rfft(x)),
        **{
            f"refused_{name.replace('.', '_')}": _of(lambda tf, x, name=name: _named(tf, name)(x))
            for name in ("math.lgamma", "math.digamma", "math.ndtri", "math.bessel_i0")
        },
        **{
            f"refused_{name.replace('.', '_')}": lambda tf, np, name=name: _named(tf, name)(
                tf.eye(2, dtype=tf.bfloat16)
            )
            for name in ("linalg.inv", "linalg.cholesky", "linalg.det", "linalg.svd", "linalg.qr")
        },
        "refused_igamma": _of(lambda tf, x: tf.math.igamma(x, x)),
    }
)

TABLE = (*_DTYPE, *_VALUES, *_BESIDE, *_CASTS, *_SLOPES, *_MADE)

"""`tf.keras.backend`: the ops under Keras's older names; and what `set_floatx` changes."""

from typing import Any

from programs.case import Program, table

_A = [[0.5, -1.0, 2.0], [1.5, 0.0, -0.5]]
_B = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_CUBE = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]

# Functions of one float tensor, with their slope.
SMOOTH: dict[str, Any] = {
    "sum": lambda k, x: k.sum(x),
    "sum_of_rows": lambda k, x: k.sum(x, axis=1, keepdims=True),
    "mean": lambda k, x: k.mean(x, axis=-1),
    "prod": lambda k, x: k.prod(x, axis=0),
    "max": lambda k, x: k.max(x, axis=1),
    "min": lambda k, x: k.min(x),
    "std": lambda k, x: k.std(x, axis=1),
    "var": lambda k, x: k.var(x),
    "cumsum": lambda k, x: k.cumsum(x, axis=1),
    "cumprod": lambda k, x: k.cumprod(x),
    "l2_normalize": lambda k, x: k.l2_normalize(x, axis=1),
    "softmax": lambda k, x: k.softmax(x),
    "abs": lambda k, x: k.abs(x),
    "exp": lambda k, x: k.exp(x),
    "log": lambda k, x: k.log(x + 2.0),
    "sin": lambda k, x: k.sin(x),
    "cos": lambda k, x: k.cos(x),
    "square": lambda k, x: k.square(x),
    "sigmoid": lambda k, x: k.sigmoid(x),
    "tanh": lambda k, x: k.tanh(x),
    "softplus": lambda k, x: k.softplus(x),
    "sqrt": lambda k, x: k.sqrt(x + 1.5),
    "clip": lambda k, x: k.clip(x, -0.75, 1.75),
    "clip_from_below": lambda k, x: k.clip(x, 0.25, None),
    "clip_the_wrong_way": lambda k, x: k.clip(x, 0.25, -1.0),
    "relu": lambda k, x: k.relu(x),
    "relu_with_all": lambda k, x: k.relu(x, alpha=0.1, max_value=1.75),
    "relu_from_a_threshold": lambda k, x: k.relu(x, threshold=0.25),
    "elu": lambda k, x: k.elu(x, 0.5),
    "hard_sigmoid": lambda k, x: k.hard_sigmoid(x),
    "pow": lambda k, x: k.pow(x, 3.0),
    "maximum": lambda k, x: k.maximum(x, 0.25),
    "minimum": lambda k, x: k.minimum(x, 0.25),
    "stop_gradient": lambda k, x: x * k.stop_gradient(x),
    "reshape": lambda k, x: k.reshape(x, (3, 2)),
    "flatten": lambda k, x: k.flatten(x),
    "batch_flatten": lambda k, x: k.batch_flatten(k.expand_dims(x)),
    "expand_dims": lambda k, x: k.expand_dims(x, 1),
    "squeeze": lambda k, x: k.squeeze(k.expand_dims(x, 0), 0),
    "transpose": lambda k, x: k.transpose(x),
    "permute_dimensions": lambda k, x: k.permute_dimensions(x, (1, 0)),
    "concatenate": lambda k, x: k.concatenate([x, 2.0 * x]),
    "stack": lambda k, x: k.stack([x, x], axis=1),
    "repeat": lambda k, x: k.repeat(x, 2),
    "repeat_elements": lambda k, x: k.repeat_elements(x, 2, axis=1),
    "tile": lambda k, x: k.tile(x, (1, 2)),
    "reverse": lambda k, x: k.reverse(x, 1),
    "gather": lambda k, x: k.gather(x, [1, 1, 0]),
    "dot": lambda k, x: k.dot(x, k.transpose(x)),
}


def _with_slope(function: Any) -> Program:
    """The value, its slope by a tape, and by a second one."""

    def program(tf: Any, np: Any) -> Any:
        x = tf.Variable(_A)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = function(tf.keras.backend, x)
                total = tf.reduce_sum(y * y)
            first = tape.gradient(total, x)
            again = tf.reduce_sum(first * first)
        return [y, tf.convert_to_tensor(first), outer.gradient(again, x)]

    return program


OTHER: dict[str, Any] = {
    "argmax": lambda k, np: k.argmax(_k(k, _A)),
    "argmin": lambda k, np: k.argmin(_k(k, _A), axis=0),
    "any": lambda k, np: k.any(_k(k, _A) > 1.0, axis=0),
    "all_of_numbers": lambda k, np: k.all(_k(k, _A), axis=1),
    "mean_of_flags": lambda k, np: k.mean(_k(k, _A) > 0.0),
    "sign": lambda k, np: k.sign(_k(k, _A)),
    "softsign": lambda k, np: k.softsign(_k(k, _A)),
    "round": lambda k, np: k.round(_k(k, _A)),
    "equal": lambda k, np: [k.equal(_k(k, _A), 0.5), k.not_equal(_k(k, _A), 0.5)],
    "less": lambda k, np: [k.less(_k(k, _A), 0.5), k.less_equal(_k(k, _A), 0.5)],
    "greater": lambda k, np: [k.greater(_k(k, _A), 0.5), k.greater_equal(_k(k, _A), 0.5)],
    "one_hot": lambda k, np: k.one_hot(k.constant([2, 0], "int32"), 3),
    "shape": lambda k, np: [k.shape(_k(k, _A)), k.int_shape(_k(k, _A)), k.ndim(_k(k, _A))],
    "count_params": lambda k, np: k.count_params(_k(k, _A)),
    "dot_of_a_cube": lambda k, np: k.dot(_k(k, _CUBE), _k(k, [[1.0, 2.0], [3.0, 4.0]])),
    "dot_of_cubes": lambda k, np: k.dot(_k(k, _CUBE), _k(k, _CUBE)),
    "cast": lambda k, np: k.cast(_k(k, _A), "float64"),
    "cast_to_floatx": lambda k, np: [
        k.cast_to_floatx(np.array([1, 2])),
        k.cast_to_floatx(k.constant([1.0], "float64")),
    ],
    "dtype": lambda k, np: k.dtype(_k(k, _A)),
    "constant": lambda k, np: [
        k.constant(2),
        k.constant([1, 2], "int32"),
        k.constant(1, shape=(2,)),
    ],
    "zeros": lambda k, np: [k.zeros((2,)), k.ones((2, 1)), k.eye(2)],
    "zeros_like": lambda k, np: [k.zeros_like(_k(k, _A)), k.ones_like(_k(k, _A), "int32")],
    "arange": lambda k, np: [k.arange(3), k.arange(1, 7, 2, "float32"), k.arange(-2)],
    "get_value": lambda k, np: [k.get_value(_k(k, _A)), k.eval(_k(k, _A)), k.get_value(3)],
    "is_float": lambda k, np: [k.is_float_dtype("float16"), k.is_float_dtype("int8")],
    "is_int": lambda k, np: [k.is_int_dtype("uint8"), k.is_int_dtype("float32")],
    "random_shapes": lambda k, np: [
        [list(each.shape), k.dtype(each)]
        for each in (k.random_normal((2, 3)), k.random_uniform((2,)), k.truncated_normal((1, 2)))
    ],
    "softmax_of_a_vector": lambda k, np: k.softmax(k.constant([1.0, 2.0])),
    "repeat_of_a_vector": lambda k, np: k.repeat(k.constant([1.0, 2.0]), 2),
}


def _k(k: Any, values: Any) -> Any:
    return k.constant(values)


def values_are_stored(tf: Any, np: Any) -> Any:
    k = tf.keras.backend
    v, w = k.variable([1.0, 2.0]), k.variable(3.0, "float64")
    k.set_value(v, [3, 4])
    k.update_add(v, [1.0, 1.0])
    k.update_sub(v, [0.5, 0.5])
    k.batch_set_value([(w, 7)])
    k.update(w, 2.0 * w)
    return [*k.batch_get_value([v, w]), v.dtype, w.dtype]


def floatx_of_what_is_made(tf: Any, np: Any) -> Any:
    k = tf.keras.backend
    k.set_floatx("float64")
    try:
        layer = tf.keras.layers.Dense(2)
        answer = layer(np.ones((1, 3)))
        loss = tf.keras.losses.MeanSquaredError()(np.ones((1, 2)), answer * 0.0)
        metric = tf.keras.metrics.Mean()
        metric.update_state([1.0])
        optimizer = tf.keras.optimizers.SGD(0.5)
        made = [
            *(answer.dtype.name, loss.dtype.name, metric.result().dtype.name),
            str(layer.kernel.numpy().dtype),
            *(str(optimizer.learning_rate.numpy().dtype), k.constant(1).dtype.name),
            tf.keras.initializers.Zeros()((1,)).dtype.name,
            k.floatx(),
        ]
    finally:
        k.set_floatx("float32")
    return [made, k.floatx()]


def epsilon_of_what_is_made(tf: Any, np: Any) -> Any:
    k = tf.keras.backend
    k.set_epsilon(1e-2)
    try:
        loss = tf.keras.losses.binary_crossentropy(tf.constant([[1.0]]), tf.constant([[0.0]]))
    finally:
        k.set_epsilon(1e-7)
    return [loss, k.epsilon()]


TABLE = table(
    {
        **{name: _with_slope(function) for name, function in SMOOTH.items()},
        **{
            name: lambda tf, np, function=function: function(tf.keras.backend, np)
            for name, function in OTHER.items()
        },
    }
)

"""vectorized_map: a function of one, applied to many at once."""

from typing import Any

from programs.case import Program, differs, table

LOOPS = "TensorFlow converts or refuses it; here a loop does it, and says so"


def _rows(f: Any) -> Program:
    """f of each row of [[1, 4], [3, 2]]."""
    return lambda tf, np: tf.vectorized_map(
        lambda row: f(tf, row), tf.constant([[1.0, 4.0], [3.0, 2.0]])
    )


ROWS = {
    "square": lambda tf, row: row * row,
    "sum": lambda tf, row: tf.reduce_sum(row),
    "mean_and_spread": lambda tf, row: (tf.reduce_mean(row), tf.math.reduce_std(row)),
    "a_dict": lambda tf, row: {"b": row, "a": row[0]},
    "span": lambda tf, row: tf.reduce_max(row) - tf.reduce_min(row),
    "argmax": lambda tf, row: tf.argmax(row),
    "softmax": lambda tf, row: tf.nn.softmax(row),
    "element": lambda tf, row: row[1],
    "slice": lambda tf, row: row[::-1],
    "stack": lambda tf, row: tf.stack([row[1], row[0], row[0] * row[1]]),
    "concat": lambda tf, row: tf.concat([row, [0.0]], axis=0),
    "outer_product": lambda tf, row: tf.tensordot(row, row, axes=0),
    "matmul": lambda tf, row: tf.expand_dims(row, 0) @ tf.constant([[1.0, 2.0], [3.0, 4.0]]),
    "matvec": lambda tf, row: tf.linalg.matvec(tf.constant([[1.0, 2.0], [3.0, 4.0]]), row),
    "einsum": lambda tf, row: tf.einsum("i,i->", row, row),
    "gather": lambda tf, row: tf.gather(row, [1, 1, 0]),
    "gather_by_its_own_place": lambda tf, row: tf.gather(tf.constant([5.0, 6.0]), tf.argmax(row)),
    "where": lambda tf, row: tf.where(row > 2.5, row, -row),
    "sort": lambda tf, row: tf.sort(row),
    "cumsum": lambda tf, row: tf.cumsum(row),
    "reshape": lambda tf, row: tf.reshape(row, [2, 1]),
    "transpose": lambda tf, row: tf.transpose(tf.reshape(row, [1, 2])),
    "broadcast": lambda tf, row: row + tf.constant([[1.0], [2.0], [3.0]]),
    "cast": lambda tf, row: tf.cast(row, tf.int32),
    "one_hot": lambda tf, row: tf.one_hot(tf.cast(row, tf.int32), 5),
    "norm": lambda tf, row: row / tf.norm(row),
    "its_shape": lambda tf, row: tf.cast(tf.shape(row)[0], tf.float32) * row,
    "a_constant": lambda tf, row: tf.constant(7.0),
    "a_python_number": lambda tf, row: 7.0,
    "nothing": lambda tf, row: None,
    "zeros_like": lambda tf, row: tf.zeros_like(row),
    "stop_gradient": lambda tf, row: tf.stop_gradient(row) * row,
}

TABLE = table({name: _rows(f) for name, f in ROWS.items()})


def of_two_stacks(tf: Any, np: Any) -> Any:
    x, y = tf.constant([1.0, 2.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return tf.vectorized_map(lambda pair: pair[0] * pair[1], (x, y))


def of_a_dict_of_stacks(tf: Any, np: Any) -> Any:
    elems = {"a": tf.constant([1.0, 2.0]), "b": tf.constant([3.0, 4.0])}
    return tf.vectorized_map(lambda each: each["a"] - each["b"], elems)


def a_stack_of_one_is_repeated(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(
        lambda pair: pair[0] * pair[1], (tf.constant([1.0, 2.0]), tf.constant([10.0]))
    )


def of_different_sizes(tf: Any, np: Any) -> Any:
    x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    return tf.vectorized_map(lambda pair: pair[0] * pair[1], (x, y))


def of_a_scalar(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda x: x, tf.constant(1.0))


def of_a_list_of_numbers(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda x: x * 2.0, [1.0, 2.0])


def of_an_array(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda x: x * 2.0, np.array([1.0, 2.0]))


def of_a_variable(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda x: x * 2.0, tf.Variable([1.0, 2.0]))


def of_nothing(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda row: row * 2.0, tf.zeros([0, 2]))


def its_gradient(tf: Any, np: Any) -> Any:
    x, v = tf.constant([1.0, 2.0]), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(lambda each: each * each * v, x)
    return tape.gradient(y, [x, v])


def its_jacobian(tf: Any, np: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(lambda row: tf.reduce_sum(row**3), x)
    return tape.jacobian(y, x)


@differs("TensorFlow runs the tape at once; here a loop does it", warns=("LoopWarning",))
def gradients_of_each_example(tf: Any, np: Any) -> Any:
    def slope(row: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(row)
            y = tf.reduce_sum(row**3)
        return tape.gradient(y, row)

    return tf.vectorized_map(slope, tf.constant([[1.0, 2.0], [3.0, 4.0]]))


@differs("TensorFlow runs the tape at once; here a loop does it", warns=("LoopWarning",))
def gradients_of_each_example_by_a_variable(tf: Any, np: Any) -> Any:
    w = tf.Variable([1.0, -1.0])

    def slope(row: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row * w) ** 2
        return tape.gradient(loss, w)

    return tf.vectorized_map(slope, tf.constant([[1.0, 2.0], [3.0, 5.0]]))


@differs(
    "TensorFlow forgets the rule when it converts the function; here a loop keeps it",
    gives={
        "kind": "tuple",
        "items": [
            {"kind": "Tensor", "dtype": "float32", "shape": [2], "value": [1.0, 4.0]},
            {"kind": "Tensor", "dtype": "float32", "shape": [2], "value": [100.0, 100.0]},
        ],
    },
    warns=("LoopWarning",),
)
def a_custom_gradient_inside(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 100.0

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(f, x)
    return y, tape.gradient(y, x)


@differs(
    LOOPS,
    gives={"kind": "Tensor", "dtype": "float32", "shape": [2], "value": [1.0, 4.0]},
    warns=("LoopWarning",),
)
def a_python_if(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda x: x * 2.0 if x > 1.5 else x, tf.constant([1.0, 2.0]))


@differs(
    LOOPS,
    gives={"kind": "Tensor", "dtype": "float32", "shape": [2], "value": [2.0, 4.0]},
    warns=("LoopWarning",),
)
def a_float(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda x: float(x) * 2.0, tf.constant([1.0, 2.0]))


@differs("TensorFlow logs it; here it is a warning", warns=("LoopWarning",))
def an_op_without_a_batch_rule(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(lambda row: tf.unique(row)[0], tf.constant([[1.0, 2.0], [3.0, 4.0]]))


def an_op_without_a_batch_rule_and_no_fallback(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(
        lambda row: tf.unique(row)[0],
        tf.constant([[1.0, 2.0], [3.0, 4.0]]),
        fallback_to_while_loop=False,
    )


def an_op_without_a_batch_rule_and_no_word_of_it(tf: Any, np: Any) -> Any:
    return tf.vectorized_map(
        lambda row: tf.unique(row)[0], tf.constant([[1.0, 2.0], [3.0, 4.0]]), warn=False
    )


@differs("TensorFlow draws a stack of numbers; here a loop does it", warns=("LoopWarning",))
def random_numbers_differ(tf: Any, np: Any) -> Any:
    drawn = tf.vectorized_map(lambda x: x + tf.random.normal([]), tf.zeros([4]))
    return len(set(drawn.numpy().tolist()))

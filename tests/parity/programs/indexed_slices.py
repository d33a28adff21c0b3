"""IndexedSlices: where a gradient stays sparse, where it turns dense."""

from typing import Any

from programs.case import differs


def _table(tf: Any) -> Any:
    return tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def _gradient(tf: Any, table: Any, program: Any) -> Any:
    with tf.GradientTape() as tape:
        y = program(table)
    return tape.gradient(y, table)


def of_gather(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.gather(t, [0, 2, 0]))


def of_gather_with_weights(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.gather(t, [1, 1]) * tf.constant([[1.0], [10.0]]))


def of_gather_with_a_matrix_of_indices(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.gather(t, [[0, 2], [1, 0]]))


def of_gather_with_int64_indices(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.gather(t, tf.constant([2, 0], tf.int64)))


def of_gather_along_the_second_axis(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.gather(t, [0, 0], axis=1))


def of_embedding_lookup(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.nn.embedding_lookup(t, [0, 1]))


def of_gather_from_a_tensor(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [1, 1])
    return tape.gradient(y, x)


def of_a_gather_and_a_dense_use(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.reduce_sum(tf.gather(t, [0])) + tf.reduce_sum(t))


def of_a_dense_use_and_a_gather(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.reduce_sum(t) + tf.reduce_sum(tf.gather(t, [0])))


@differs(
    "rows come in the order in which the walk meets the gathers, last one first",
    gives={
        "kind": "IndexedSlices",
        "values": {
            "kind": "Tensor",
            "dtype": "float32",
            "shape": [3, 2],
            "value": [[2.0, 2.0], [2.0, 2.0], [1.0, 1.0]],
        },
        "indices": {"kind": "Tensor", "dtype": "int32", "shape": [3], "value": [0, 1, 0]},
        "dense_shape": {"kind": "Tensor", "dtype": "int32", "shape": [2], "value": [3, 2]},
    },
)
def of_two_gathers(tf: Any, np: Any) -> Any:
    return _gradient(
        tf,
        _table(tf),
        lambda t: tf.reduce_sum(tf.gather(t, [0])) + tf.reduce_sum(tf.gather(t, [0, 1]) * 2.0),
    )


def of_two_gathers_made_dense(tf: Any, np: Any) -> Any:
    return tf.convert_to_tensor(
        _gradient(
            tf,
            _table(tf),
            lambda t: tf.reduce_sum(tf.gather(t, [0])) + tf.reduce_sum(tf.gather(t, [0, 1]) * 2.0),
        )
    )


def of_an_indexed_row(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: t[0])


def of_a_gather_from_a_computed_table(tf: Any, np: Any) -> Any:
    return _gradient(tf, _table(tf), lambda t: tf.gather(2.0 * t, [1, 1]))


def jacobian_is_dense(tf: Any, np: Any) -> Any:
    table = _table(tf)
    with tf.GradientTape() as tape:
        y = tf.gather(table, [0, 2])
    return tape.jacobian(y, table)


def second_order_through_a_gather(tf: Any, np: Any) -> Any:
    table = _table(tf)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.gather(table, [0, 0]) ** 3)
        first = tf.convert_to_tensor(inner.gradient(y, table))
    return first, outer.gradient(first, table)


def second_order_with_slices_left_as_they_are(tf: Any, np: Any) -> Any:
    table = _table(tf)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.gather(table, [0, 2]) ** 3)
        first = inner.gradient(y, table)
    return first, outer.gradient(first, table)


def made_by_hand_turns_dense(tf: Any, np: Any) -> Any:
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    return tf.convert_to_tensor(slices)


def rows_that_come_twice_add_up(tf: Any, np: Any) -> Any:
    rows = tf.constant([[1.0, 2.0], [10.0, 20.0]])
    return tf.convert_to_tensor(tf.IndexedSlices(rows, tf.constant([1, 1]), tf.constant([2, 2])))


def negated(tf: Any, np: Any) -> Any:
    return -tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))


def times_a_number(tf: Any, np: Any) -> Any:
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    return slices * 2.0


def shape_and_dtype(tf: Any, np: Any) -> Any:
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    return slices.shape, slices.dtype


def given_to_an_op(tf: Any, np: Any) -> Any:
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    return tf.reduce_sum(slices, axis=1), tf.multiply(slices, 2.0)


def subtracted_from_a_variable(tf: Any, np: Any) -> Any:
    table = _table(tf)
    gradient = _gradient(tf, table, lambda t: tf.gather(t, [0, 2, 0]))
    table.scatter_sub(gradient)
    return table

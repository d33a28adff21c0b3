"""Jacobians: shapes, structures, unconnected sources, and the ways to compute them."""

from typing import Any

from programs.case import differs


def _square(tf: Any, x: Any, **options: Any) -> Any:
    with tf.GradientTape(**options) as tape:
        tape.watch(x)
        y = x * x
    return tape, y


def _vector(tf: Any) -> Any:
    return tf.constant([1.0, 2.0])


def _batch(tf: Any) -> Any:
    return tf.constant([[1.0, 2.0], [3.0, 4.0]])


def of_a_vector(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, x)


def of_a_vector_row_by_row(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x, persistent=True)
    return tape.jacobian(y, x, experimental_use_pfor=False)


def row_by_row_needs_a_persistent_tape(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, x, experimental_use_pfor=False)


def twice_on_a_tape_that_is_not_persistent(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    tape.jacobian(y, x)
    return tape.jacobian(y, x)


def twice_on_a_persistent_tape(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x, persistent=True)
    return tape.jacobian(y, x), tape.jacobian(y, x), tape.gradient(y, x)


def of_a_matrix(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, x)


def of_a_dict_of_sources(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, {"a": x, "b": tf.constant(1.0)})


def of_nested_sources(tf: Any, np: Any) -> Any:
    x, w = _vector(tf), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.matvec(w, x)
    return tape.jacobian(y, (x, [w]))


def unconnected(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, tf.constant([1.0, 1.0, 1.0]))


def unconnected_as_zeros(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, tf.constant([1.0, 1.0, 1.0]), unconnected_gradients="zero")


def of_a_scalar_target(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x)
    return tape.jacobian(y, x)


def of_a_scalar_by_a_scalar(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.jacobian(y, x)


def of_the_source_itself(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, _ = _square(tf, x)
    return tape.jacobian(x, x)


@differs("TensorFlow is silent or logs; a warning names the line", warns=("UserWarning",))
def of_an_integer_target(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, _ = _square(tf, x)
    return tape.jacobian(tf.constant([1, 2]), x)


def of_a_list_of_targets(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian([y, y], x)


def of_no_target(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, _ = _square(tf, x)
    return tape.jacobian(None, x)


def with_a_number_of_parallel_iterations(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, x, parallel_iterations=3)


def asked_inside(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        return tape.jacobian(y, x)


def through_a_product_and_a_sum(tf: Any, np: Any) -> Any:
    x, w = _batch(tf), tf.Variable([[1.0, -1.0, 2.0], [0.5, 3.0, 1.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_mean(tf.tanh(x @ w), axis=0)
    return tape.jacobian(y, w)


def through_indexing(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[2], x[1] ** 2])
    return tape.jacobian(y, x)


def hessian(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x**3)
        first = inner.gradient(y, x)
    return outer.jacobian(first, x)


def hessian_of_a_mixed_product(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x[0] * x[1] * x[2] + tf.sin(x[0])
        first = inner.gradient(y, x)
    return outer.jacobian(first, x)


def hessian_of_a_layer(tf: Any, np: Any) -> Any:
    x, w = _batch(tf), tf.Variable([[0.1], [0.2]])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_mean(tf.sigmoid(x @ w) ** 2)
        first = inner.gradient(loss, w)
    return outer.jacobian(first, w)


def gradient_of_a_jacobian(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        matrix = inner.jacobian(y, x)
        trace = tf.reduce_sum(matrix)
    return outer.gradient(trace, x)


def by_batch(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, x)


def by_batch_row_by_row(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x, persistent=True)
    return tape.batch_jacobian(y, x, experimental_use_pfor=False)


def by_batch_row_by_row_needs_a_persistent_tape(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, x, experimental_use_pfor=False)


def by_batch_of_a_layer(tf: Any, np: Any) -> Any:
    x, w = _batch(tf), tf.constant([[1.0, -1.0, 2.0], [0.5, 3.0, 1.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.tanh(x @ w)
    return tape.batch_jacobian(y, x)


def by_batch_of_more_axes(tf: Any, np: Any) -> Any:
    x = tf.reshape(tf.range(8, dtype=tf.float32), (2, 2, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x, axis=2)
    return tape.batch_jacobian(y, x)


def by_batch_unconnected(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, _batch(tf))


def by_batch_unconnected_of_another_shape(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, tf.constant([[1.0], [3.0]]), unconnected_gradients="zero")


def by_batch_of_rank_one(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, x)


def by_batch_of_a_target_of_rank_one(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x, axis=1)
    return tape.batch_jacobian(y, x)


def by_batch_of_different_batches(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, tf.constant([[1.0, 2.0]]))


def by_batch_of_a_list(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian(y, [x])


def by_batch_of_a_list_row_by_row(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x, persistent=True)
    return tape.batch_jacobian(y, [x], experimental_use_pfor=False)


def by_batch_of_a_list_of_targets(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    return tape.batch_jacobian([y], x)


def by_batch_twice(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    tape, y = _square(tf, x)
    tape.batch_jacobian(y, x)
    return tape.batch_jacobian(y, x)


def of_a_variable_itself(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        _ = v * v
    return tape.jacobian(v, v)


def of_a_tensor_that_is_not_watched(tf: Any, np: Any) -> Any:
    x, other = _vector(tf), _vector(tf)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
    return tape.jacobian(other, other), tape.jacobian(other, x, unconnected_gradients="zero")


# --- of a source by itself ---


def of_a_variable_by_itself(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        _ = v * v
    return tape.jacobian(v, v)


def of_a_variable_by_itself_that_was_not_read(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        pass
    return tape.jacobian(v, v)


def of_a_variable_by_another(tf: Any, np: Any) -> Any:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        _ = v * w
    return tape.jacobian(v, w)


def of_a_variable_by_itself_row_by_row(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        _ = v * v
    return tape.jacobian(v, v, experimental_use_pfor=False)


def of_a_variable_by_itself_inside(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        _ = v * v
        return tape.jacobian(v, v)


def of_a_frozen_variable_by_itself(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0], trainable=False)
    with tf.GradientTape() as tape:
        _ = v * v
    return tape.jacobian(v, v)


def of_a_variable_by_itself_on_a_tape_that_watches_none(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        _ = v * v
    return tape.jacobian(v, v)


def of_an_unwatched_tensor_by_itself(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as tape:
        pass
    return tape.jacobian(x, x)


def by_batch_of_a_variable_by_itself(tf: Any, np: Any) -> Any:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        _ = v * v
    return tape.batch_jacobian(v, v)


# --- through what is no plain op ---


def through_stop_gradient(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * tf.stop_gradient(x * x)
    return tape.jacobian(y, x)


def through_a_loop_in_python(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in range(1, 4):
            y = tf.sin(y) * float(i) + x
    return tape.jacobian(y, x)


def through_gather_of_a_variable(tf: Any, np: Any) -> Any:
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [0, 2, 0]) ** 2, axis=1)
    return tape.jacobian(y, table)


def through_max_and_sort(tf: Any, np: Any) -> Any:
    x = tf.constant([[3.0, 1.0, 2.0], [0.5, 4.0, -1.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sort(x, axis=1)[:, :2] * tf.reduce_max(x, axis=1, keepdims=True)
    return tape.jacobian(y, x)


def of_a_mixed_float64(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(x, tf.float32) ** 2
    return tape.jacobian(y, x)


def of_a_complex_square(tf: Any, np: Any) -> Any:
    z = tf.constant([1.0 + 2.0j, 3.0 - 1.0j])
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = z * z
    return tape.jacobian(y, z)


def of_a_target_with_an_empty_axis(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[2:]
    return tape.jacobian(y, x)


def by_the_same_source_twice(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, [x, x])


def by_no_source(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, [])


def by_none(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, None)


def with_an_unknown_unconnected_gradients(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    tape, y = _square(tf, x)
    return tape.jacobian(y, x, unconnected_gradients="nonsense")


def third_order_of_a_scalar(tf: Any, np: Any) -> Any:
    x = _vector(tf)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = tf.reduce_prod(x) * tf.reduce_sum(x * x)
            first = c.gradient(y, x)
        second = b.jacobian(first, x)
    return a.jacobian(second, x)


def by_batch_hessian(tf: Any, np: Any) -> Any:
    x = _batch(tf)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_prod(x, axis=1) ** 2
        first = inner.gradient(y, x)
    return outer.batch_jacobian(first, x)

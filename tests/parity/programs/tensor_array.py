"""tf.TensorArray: what is written, what is read, and how a gradient finds its way through."""

from typing import Any

from programs.case import Program, table


def _filled(tf: Any, **options: Any) -> Any:
    """Three numbers, written one by one."""
    array = tf.TensorArray(tf.float32, size=3, **options)
    for i in range(3):
        array = array.write(i, float(i + 1))
    return array


def _of(make: Any) -> Program:
    return lambda tf, np: make(tf, tf.TensorArray, np)


PLAIN = {
    "write_and_stack": lambda tf, T, np: _filled(tf).stack(),
    "write_and_read": lambda tf, T, np: _filled(tf).read(1),
    "write_and_concat": lambda tf, T, np: (
        T(tf.float32, 2).write(0, [1.0, 2.0]).write(1, [3.0, 4.0]).concat()
    ),
    "concat_of_unequal_lengths": lambda tf, T, np: (
        T(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [3.0, 4.0]).concat()
    ),
    "concat_of_numbers": lambda tf, T, np: _filled(tf).concat(),
    "stack_of_unequal_shapes": lambda tf, T, np: (
        T(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [3.0, 4.0]).stack()
    ),
    "gather": lambda tf, T, np: _filled(tf).gather([2, 0]),
    "gather_by_a_tensor": lambda tf, T, np: _filled(tf).gather(tf.constant([1, 1])),
    "gather_out_of_range": lambda tf, T, np: _filled(tf).gather([3]),
    "scatter": lambda tf, T, np: T(tf.float32, 3).scatter([2, 0, 1], [1.0, 2.0, 3.0]).stack(),
    "scatter_by_a_tensor": lambda tf, T, np: (
        T(tf.float32, 3).scatter(tf.constant([2, 0]), tf.constant([[1.0], [2.0]])).read(2)
    ),
    "scatter_out_of_range": lambda tf, T, np: T(tf.float32, 1).scatter([1], [1.0]),
    "split": lambda tf, T, np: T(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 2]).read(1),
    "split_of_other_lengths": lambda tf, T, np: T(tf.float32, 2).split([1.0, 2.0], [1, 2]),
    "split_into_too_many": lambda tf, T, np: T(tf.float32, 1).split([1.0, 2.0], [1, 1]),
    "split_into_more_when_dynamic": lambda tf, T, np: (
        T(tf.float32, 1, True).split([1.0, 2.0], [1, 1]).size()
    ),
    "split_of_a_number": lambda tf, T, np: T(tf.float32, 1).split(1.0, [1]),
    "split_by_a_matrix": lambda tf, T, np: T(tf.float32, 1).split([1.0], [[1]]),
    "split_of_another_dtype": lambda tf, T, np: T(tf.float32, 1).split([1], [1]).read(0),
    "unstack": lambda tf, T, np: T(tf.float32, 2).unstack([[1.0, 2.0], [3.0, 4.0]]).read(1),
    "unstack_into_too_many": lambda tf, T, np: T(tf.float32, 1).unstack([1.0, 2.0]),
    "unstack_into_more_when_dynamic": lambda tf, T, np: (
        T(tf.float32, 0, True).unstack([1.0, 2.0]).stack()
    ),
    "unstack_into_fewer": lambda tf, T, np: T(tf.float32, 3).unstack([1.0, 2.0]).size(),
    "size": lambda tf, T, np: _filled(tf).size(),
    "size_by_a_tensor": lambda tf, T, np: T(tf.float32, tf.constant(4)).size(),
    "size_of_none": lambda tf, T, np: T(tf.float32),
    "size_that_grew": lambda tf, T, np: T(tf.float32, 0, dynamic_size=True).write(4, 1.0).size(),
    "growing": lambda tf, T, np: (
        T(tf.float32, 0, dynamic_size=True).write(0, 1.0).write(1, 2.0).stack()
    ),
    "a_gap_is_zero": lambda tf, T, np: T(tf.float32, 0, dynamic_size=True).write(2, 5.0).stack(),
    "a_gap_in_rows_is_zero": lambda tf, T, np: T(tf.float32, 3).write(1, [5.0, 6.0]).stack(),
    "a_place_that_was_not_written": lambda tf, T, np: T(tf.float32, 2, element_shape=[2]).read(1),
    "a_place_of_unknown_shape": lambda tf, T, np: T(tf.float32, 2).read(1),
    "nothing_stacked": lambda tf, T, np: T(tf.float32, 0, element_shape=[2]).stack(),
    "nothing_of_unknown_shape_stacked": lambda tf, T, np: T(tf.float32, 0).stack(),
    "all_unwritten_stacked": lambda tf, T, np: T(tf.float32, 2, element_shape=[2]).stack(),
    "dtype": lambda tf, T, np: T(tf.int64, 1).dtype,
    "dtype_by_name": lambda tf, T, np: T("float64", 1).dtype,
    "dynamic_size": lambda tf, T, np: [
        T(tf.int64, 1).dynamic_size,
        T(tf.int64, 1, True).dynamic_size,
    ],
    "element_shape": lambda tf, T, np: T(tf.int64, 1, element_shape=[2, 3]).element_shape,
    "element_shape_after_a_write": lambda tf, T, np: T(tf.float32, 1).write(0, [1.0]).element_shape,
    "ints": lambda tf, T, np: T(tf.int32, 2).write(0, 1).write(1, 2).stack(),
    "an_int_takes_the_dtype": lambda tf, T, np: T(tf.float32, 1).write(0, 1).stack(),
    "a_float_takes_the_dtype": lambda tf, T, np: T(tf.float64, 1).write(0, 0.1).stack(),
    "strings": lambda tf, T, np: T(tf.string, 1).write(0, "a").stack(),
    "write_another_dtype": lambda tf, T, np: T(tf.float32, 1).write(0, tf.constant(1)),
    "write_a_float_into_ints": lambda tf, T, np: T(tf.int32, 1).write(0, 1.5),
    "write_a_numpy_float64": lambda tf, T, np: T(tf.float32, 1).write(0, np.float64(1)).stack(),
    "write_out_of_range": lambda tf, T, np: T(tf.float32, 1).write(1, 1.0),
    "write_before_the_first": lambda tf, T, np: T(tf.float32, 1).write(-1, 1.0),
    "write_another_shape": lambda tf, T, np: T(tf.float32, 2).write(0, 1.0).write(1, [1.0]),
    "write_another_shape_allowed": lambda tf, T, np: (
        T(tf.float32, 2, infer_shape=False).write(0, 1.0).write(1, [1.0]).read(1)
    ),
    "write_against_the_element_shape": lambda tf, T, np: T(tf.float32, 2, element_shape=[2]).write(
        0, [1.0]
    ),
    "write_where_a_size_is_open": lambda tf, T, np: (
        T(tf.float32, 2, element_shape=[None, 1]).write(0, [[1.0], [2.0]]).element_shape
    ),
    "write_twice": lambda tf, T, np: _filled(tf).write(0, 9.0).stack(),
    "read_out_of_range": lambda tf, T, np: _filled(tf).read(3),
    "read_before_the_first": lambda tf, T, np: _filled(tf).read(-1),
    "read_by_a_tensor": lambda tf, T, np: _filled(tf).read(tf.constant(2)),
    "identity": lambda tf, T, np: _filled(tf).identity().stack(),
    "grad": lambda tf, T, np: _filled(tf).grad("source"),
    "handle": lambda tf, T, np: _filled(tf).handle,
    "flow_is_something": lambda tf, T, np: _filled(tf).flow is not None,
    "unknown_keyword": lambda tf, T, np: T(tf.float32, 1, foo=1),
}

TABLE = table({name: _of(make) for name, make in PLAIN.items()})


def read_twice(tf: Any, np: Any) -> Any:
    array = _filled(tf)
    return array.read(0), array.read(0)


def read_twice_when_nothing_is_cleared(tf: Any, np: Any) -> Any:
    array = _filled(tf, clear_after_read=False)
    return array.read(0), array.read(0)


def stack_after_a_read(tf: Any, np: Any) -> Any:
    array = _filled(tf)
    array.read(0)
    return array.stack()


def a_write_changes_the_array_itself(tf: Any, np: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=1)
    array.write(0, 7.0)
    return array.stack()


def close(tf: Any, np: Any) -> Any:
    array = _filled(tf)
    array.close()
    return array.size()


# --- gradients ---


def gradient_through_write_and_stack(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        array = tf.TensorArray(tf.float32, size=3)
        for i in range(3):
            array = array.write(i, x ** float(i + 1))
        y = tf.reduce_sum(array.stack() * [1.0, 10.0, 100.0])
    return y, tape.gradient(y, x)


def second_order(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
            array = array.write(0, x**2).write(1, x**3)
            y = tf.reduce_sum(array.stack())
        slope = inner.gradient(y, x)
    return slope, outer.gradient(slope, x)


def forward_mode(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 10.0])) as accumulator:
        array = tf.TensorArray(tf.float32, size=2).unstack(x)
        y = tf.stack([array.read(1) ** 2, array.read(0) * 3.0])
    return y, accumulator.jvp(y)


def forward_over_reverse(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        with tf.GradientTape() as tape:
            array = tf.TensorArray(tf.float32, size=2).write(0, x**3).write(1, x**2)
            y = tf.reduce_sum(array.stack())
        slope = tape.gradient(y, x)
    return slope, accumulator.jvp(slope)


def jacobian(tf: Any, np: Any) -> Any:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.TensorArray(tf.float32, size=2).scatter([1, 0], x * x).stack()
    return tape.jacobian(y, x)


def gradient_through_gather(tf: Any, np: Any) -> Any:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.TensorArray(tf.float32, size=3).unstack(x * x).gather([0, 0, 2]))
    return tape.gradient(y, x)


def gradient_through_split_and_concat(tf: Any, np: Any) -> Any:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        array = tf.TensorArray(tf.float32, size=2, infer_shape=False).split(x * x, [1, 2])
        y = tf.reduce_sum(array.concat() * [1.0, 2.0, 3.0])
    return tape.gradient(y, x)


def gradient_of_what_was_overwritten(tf: Any, np: Any) -> Any:
    x, z = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        array = tf.TensorArray(tf.float32, size=1).write(0, x * x).write(0, z * z)
        y = array.read(0)
    return tape.gradient(y, [x, z])


def gradient_of_ints(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        array = tf.TensorArray(tf.int32, size=1).write(0, tf.cast(x, tf.int32))
        y = tf.cast(array.read(0), tf.float32)
    return tape.gradient(y, x)


def inside_while_loop(tf: Any, np: Any) -> Any:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        _, array = tf.while_loop(
            lambda i, array: i < 3,
            lambda i, array: (i + 1, array.write(i, x * tf.cast(i, tf.float32))),
            (0, tf.TensorArray(tf.float32, size=3)),
        )
        y = tf.reduce_sum(array.stack() ** 2)
    return y, tape.gradient(y, x)


def inside_while_loop_with_a_state(tf: Any, np: Any) -> Any:
    w = tf.Variable([[0.5, -0.2], [0.1, 0.3]])
    xs = tf.constant([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]])
    with tf.GradientTape() as tape:
        inputs = tf.TensorArray(tf.float32, size=3).unstack(xs)
        _, state, outputs = tf.while_loop(
            lambda i, state, outputs: i < 3,
            lambda i, state, outputs: (
                i + 1,
                (new := tf.tanh(inputs.read(i) + state @ w)),
                outputs.write(i, new),
            ),
            (tf.constant(0), tf.zeros([1, 2]), tf.TensorArray(tf.float32, size=3)),
        )
        y = tf.reduce_sum(outputs.stack()) + tf.reduce_sum(state)
    return y, tape.gradient(y, w)


def inside_a_function(tf: Any, np: Any) -> Any:
    x = tf.Variable(2.0)

    @tf.function
    def powers(n: Any) -> Any:
        array = tf.TensorArray(tf.float32, size=n)
        for i in tf.range(n):
            array = array.write(i, x ** tf.cast(i, tf.float32))
        return array.stack()

    with tf.GradientTape() as tape:
        y = powers(tf.constant(4))
    return y, tape.gradient(y, x)

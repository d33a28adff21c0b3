"""What is refused, and by which class of exception: a script that catches one goes on working."""

from collections.abc import Callable, Mapping
from typing import Any

from programs.case import Case, Program, differs

Ask = Callable[[Any, Any, Any, Any, Any], Any]


def _asked(ask: Ask) -> Program:
    """`ask(tf, np, tape, y, x)` on a persistent tape of y = x * x."""

    def program(tf: Any, np: Any) -> Any:
        x = tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        return ask(tf, np, tape, y, x)

    return program


def _rows(asks: Mapping[str, Ask]) -> tuple[Case, ...]:
    return tuple(Case(name, _asked(ask)) for name, ask in asks.items())


TABLE = _rows(
    {
        "a_source_that_is_a_float": lambda tf, np, tape, y, x: tape.gradient(y, 3.0),
        "a_source_that_is_an_array": lambda tf, np, tape, y, x: tape.gradient(y, np.ones(2)),
        "a_source_that_is_a_numpy_scalar": lambda tf, np, tape, y, x: tape.gradient(
            y, np.float32(3)
        ),
        "a_source_that_is_none": lambda tf, np, tape, y, x: tape.gradient(y, None),
        "a_source_that_is_a_string": lambda tf, np, tape, y, x: tape.gradient(y, "x"),
        "a_source_among_others_that_is_none": lambda tf, np, tape, y, x: tape.gradient(
            y, [x, None]
        ),
        "a_target_that_is_a_float": lambda tf, np, tape, y, x: tape.gradient(3.0, x),
        "a_target_that_is_an_array": lambda tf, np, tape, y, x: tape.gradient(np.ones(2), x),
        "a_target_that_is_a_numpy_scalar": lambda tf, np, tape, y, x: tape.gradient(
            np.float32(3.0), x
        ),
        "a_target_that_is_none": lambda tf, np, tape, y, x: tape.gradient(None, x),
        "a_target_among_others_that_is_none": lambda tf, np, tape, y, x: tape.gradient(
            [y, None], x
        ),
        "a_target_that_is_a_numpy_value": lambda tf, np, tape, y, x: tape.gradient(y.numpy(), x),
        "a_target_made_by_float": lambda tf, np, tape, y, x: tape.gradient(float(y), x),
        "an_unknown_method": lambda tf, np, tape, y, x: tape.gradients(y, x),
        "an_unknown_argument": lambda tf, np, tape, y, x: tape.gradient(y, x, sum=True),
        "no_sources_at_all": lambda tf, np, tape, y, x: tape.gradient(y),
    }
)


def watch_of_an_array(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(np.ones(2))


def watch_of_none(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(None)


def watch_of_a_list_with_a_number(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([tf.constant(1.0), 2.0])


def watch_before_the_block(tf: Any, np: Any) -> Any:
    tf.GradientTape().watch(tf.constant(1.0))


def watch_on_a_spent_tape(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    tape.watch(x)


def watched_variables_before_the_block(tf: Any, np: Any) -> Any:
    return tf.GradientTape().watched_variables()


def watched_variables_of_a_spent_tape(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    tape.gradient(y, v)
    return len(tape.watched_variables())


def assigning_none_to_a_variable(tf: Any, np: Any) -> Any:
    v, lost = tf.Variable(2.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = v * 2.0
    v.assign_sub(tape.gradient(y, lost))


def multiplying_a_none_gradient(tf: Any, np: Any) -> Any:
    v, lost = tf.Variable(2.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = v * 2.0
    return 0.1 * tape.gradient(y, lost)


def adding_none_to_a_tensor(tf: Any, np: Any) -> Any:
    return tf.constant(1.0) + None


def adding_a_string_to_a_tensor(tf: Any, np: Any) -> Any:
    return tf.constant(1.0) + "a"


def square_root_of_an_int(tf: Any, np: Any) -> Any:
    return tf.sqrt(tf.constant(4))


def mean_of_bools(tf: Any, np: Any) -> Any:
    return tf.reduce_mean(tf.constant([True, False]))


def exp_of_an_int(tf: Any, np: Any) -> Any:
    return tf.exp(tf.constant(1))


def and_of_floats(tf: Any, np: Any) -> Any:
    return tf.logical_and(tf.constant([1.0]), tf.constant([True]))


def matmul_of_a_vector(tf: Any, np: Any) -> Any:
    return tf.matmul(tf.constant([[1.0, 2.0]]), tf.constant([1.0, 2.0]))


def stack_of_different_shapes(tf: Any, np: Any) -> Any:
    return tf.stack([tf.constant([1.0]), tf.constant([1.0, 2.0])])


def gather_out_of_bounds(tf: Any, np: Any) -> Any:
    return tf.gather(tf.constant([1.0, 2.0]), [5])


def transpose_by_a_bad_permutation(tf: Any, np: Any) -> Any:
    return tf.transpose(tf.constant([[1.0]]), perm=[0, 0])


def expand_dims_out_of_range(tf: Any, np: Any) -> Any:
    return tf.expand_dims(tf.constant([1.0]), axis=5)


def squeeze_of_an_axis_of_size_two(tf: Any, np: Any) -> Any:
    return tf.squeeze(tf.constant([[1.0, 2.0]]), axis=1)


def broadcast_to_a_smaller_shape(tf: Any, np: Any) -> Any:
    return tf.broadcast_to(tf.constant([1.0, 2.0, 3.0]), [2])


def changing_an_element_of_a_tensor(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    x[0] = 5.0
    return x


def changing_an_element_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    v[0] = 5.0
    return v


def an_error_inside_a_tape_is_caught_and_the_tape_goes_on(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        try:
            y = x + tf.constant([1.0, 2.0, 3.0])
        except tf.errors.InvalidArgumentError:
            y = x * 2.0
    return tape.gradient(y, x)


def the_classes_of_exceptions(tf: Any, np: Any) -> Any:
    errors = tf.errors
    return [
        issubclass(errors.InvalidArgumentError, errors.OpError),
        issubclass(errors.UnimplementedError, errors.OpError),
        issubclass(errors.InvalidArgumentError, ValueError),
    ]


@differs("TensorFlow is silent or logs; a warning names the line", warns=("UserWarning",))
def an_integer_source(tf: Any, np: Any) -> Any:
    n, x = tf.constant(2), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * tf.cast(n, tf.float32)
    return tape.gradient(y, [n, x])


def _raised(*calls: Any) -> list[str]:
    """The kind of each exception, in order."""
    kinds = []
    for call in calls:
        try:
            call()
        except (ValueError, TypeError) as error:
            kinds.append("ValueError" if isinstance(error, ValueError) else "TypeError")
        except Exception as error:
            names = {cls.__name__ for cls in type(error).__mro__}
            kinds.append("InvalidArgumentError" if "InvalidArgumentError" in names else str(names))
        else:
            kinds.append("nothing")
    return kinds


def matrices_that_do_not_fit(tf: Any, np: Any) -> Any:
    square, wide = tf.ones([2, 2]) + tf.eye(2), tf.ones([2, 3])
    return _raised(
        lambda: tf.linalg.inv(wide),
        lambda: tf.linalg.det(wide),
        lambda: tf.linalg.cholesky(wide),
        lambda: tf.linalg.solve(square, tf.ones([3, 1])),
        lambda: tf.linalg.solve(tf.ones([2, 2]), square),
        lambda: tf.linalg.diag_part(wide, k=7),
        lambda: tf.linalg.set_diag(square, [1.0, 2.0, 3.0]),
        lambda: tf.linalg.band_part([1.0], 0, 0),
        lambda: tf.linalg.tensor_diag_part(wide),
        lambda: tf.linalg.matrix_transpose([1.0]),
        lambda: tf.linalg.svd([1.0]),
    )


def numbers_of_segments_that_do_not_fit(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    return _raised(
        lambda: tf.math.segment_sum(x, [2, 0]),
        lambda: tf.math.segment_sum(x, [-1, 0]),
        lambda: tf.math.segment_sum(x, [0]),
        lambda: tf.math.unsorted_segment_sum(x, [0, 5], 3),
        lambda: tf.dynamic_partition(x, [0, 3], 3),
        lambda: tf.math.bincount([-1, 1]),
        lambda: tf.math.invert_permutation([2, 0, 0]),
        lambda: tf.bitwise.bitwise_and([1.0], [2.0]),
        lambda: tf.math.polyval((1.0, 2.0), x),
        lambda: tf.math.scalar_mul(x, x),
        lambda: tf.pad(x, [[-1, 0]]),
        lambda: tf.pad(x, [[2, 0]], "REFLECT"),
        lambda: tf.linspace(0.0, 1.0, -1),
        lambda: tf.switch_case(1, [lambda: 1]),
        lambda: tf.linalg.global_norm(x),
        lambda: tf.searchsorted(x, x, side="middle"),
        lambda: tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3])),
        lambda: tf.broadcast_dynamic_shape([2], [3]),
    )

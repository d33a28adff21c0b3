"""The tape: what it watches, what it records, when it may be asked, and what it answers."""

from collections import namedtuple
from contextlib import suppress
from threading import Barrier, Thread
from typing import Any

from programs.case import differs

INTEGERS_ARE_SAID_ALOUD = "TensorFlow is silent or logs; a warning names the line"

Pair = namedtuple("Pair", "b a")


def _square(tf: Any, x: Any, **options: Any) -> Any:
    with tf.GradientTape(**options) as tape:
        tape.watch(x)
        y = x * x
    return tape, y


# --- watching ---


def gradient_of_a_watched_constant(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x)


def gradient_of_an_unwatched_constant(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def a_variable_is_watched_by_itself(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    return tape.gradient(y, v)


def a_variable_that_is_not_trainable_is_not(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * v
    return tape.gradient(y, v), tape.watched_variables()


def a_variable_that_is_not_trainable_can_be_watched(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = v * 2.0
    return tape.gradient(y, v), len(tape.watched_variables())


def watching_of_variables_switched_off(tf: Any, np: Any) -> Any:
    v, u = tf.Variable(3.0), tf.Variable(5.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(v)
        y = v * u
    return tape.gradient(y, [v, u])


def watching_a_structure(tf: Any, np: Any) -> Any:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch({"x": [x], "y": (y,)})
        z = x * y
    return tape.gradient(z, [x, y])


def watching_twice(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def watching_too_late(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
        z = y + x
    return tape.gradient(z, x)


def watching_an_operand_after_its_use(tf: Any, np: Any) -> Any:
    """The op was recorded for x, so its other operand can still be asked about."""
    x, w = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * w
        tape.watch(w)
        z = y * w
    return tape.gradient(z, [x, w])


def watching_after_the_block(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.watch(x)
    return tape.gradient(y, x)


def watching_an_intermediate(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(y)
        z = y * y
    return tape.gradient(z, [y, x])


def an_intermediate_of_the_tape_as_source(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, y)


def both_an_intermediate_and_its_origin(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y + x
    return tape.gradient(z, {"y": y, "x": x})


def an_equal_tensor_is_another_tensor(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, tf.constant(3.0))


def a_copy_by_identity_is_connected(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        copy = tf.identity(x)
        y = copy * copy
    return tape.gradient(y, x), tape.gradient(y, copy)


def constants_of_a_tensor_are_connected_if_they_are_the_tensor(tf: Any, np: Any) -> Any:
    x = tf.Variable([2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        made = [
            tf.constant(y),
            tf.constant(y, tf.float32),
            tf.constant(y, dtype="float32", shape=[2]),
            tf.constant(y, shape=[2, 1]),
            tf.constant(x, tf.float32),
        ]
    return [tape.gradient(each, x) for each in made]


@differs(INTEGERS_ARE_SAID_ALOUD, warns=("UserWarning",))
def watching_an_integer(tf: Any, np: Any) -> Any:
    x = tf.constant(3)
    tape, y = _square(tf, x)
    return tape.gradient(y, x)


@differs(INTEGERS_ARE_SAID_ALOUD, warns=("UserWarning",))
def an_integer_target(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.argmax(x)
    return tape.gradient(y, x)


@differs(INTEGERS_ARE_SAID_ALOUD, warns=("UserWarning",))
def an_integer_variable_under_a_cast(tf: Any, np: Any) -> Any:
    v = tf.Variable(3)
    with tf.GradientTape() as tape:
        y = tf.cast(v, tf.float32) ** 2
    return tape.gradient(y, v)


def a_cast_to_int_and_back(tf: Any, np: Any) -> Any:
    x = tf.constant(3.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
    return tape.gradient(y, x)


def a_cast_to_float64_and_back(tf: Any, np: Any) -> Any:
    x = tf.constant(3.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.float64) * 2, tf.float32)
    return tape.gradient(y, x)


# --- variables on a tape ---


def two_variables_and_a_frozen_one(tf: Any, np: Any) -> Any:
    v, frozen, u = tf.Variable(2.0), tf.Variable(3.0, trainable=False), tf.Variable(5.0)
    with tf.GradientTape() as tape:
        y = v * frozen * u
    gradients = tape.gradient(y, [v, frozen, u])
    return gradients, [float(each) for each in tape.watched_variables()]


def watched_variables_in_the_order_they_were_made(tf: Any, np: Any) -> Any:
    first, second = tf.Variable(1.0, name="first"), tf.Variable(2.0, name="second")
    with tf.GradientTape() as tape:
        _ = second * first
    return [each.name for each in tape.watched_variables()]


def a_variable_made_inside(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        w = tf.Variable(4.0)
        y = w * w
    return tape.gradient(y, w)


def a_value_read_inside(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v.read_value() * 2.0
    return tape.gradient(y, v)


def a_value_read_before(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    value = v.read_value()
    with tf.GradientTape() as tape:
        y = value * 2.0
    return tape.gradient(y, v)


def a_value_read_once_and_used_twice(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        value = v.read_value()
        y = value * value
    return tape.gradient(y, [v, value])


def a_value_method(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v.value() * 2.0
    return tape.gradient(y, v)


def identity_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.identity(v) * 2.0
    return tape.gradient(y, v)


def convert_to_tensor_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.convert_to_tensor(v) * 2.0
    return tape.gradient(y, v)


def constant_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.constant(v) * 2.0
    return tape.gradient(y, v)


def constant_of_a_watched_tensor(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(x) * x
    return tape.gradient(y, x)


def a_variable_through_numpy(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v.numpy() * 2.0)
    return tape.gradient(y, v)


def a_variable_used_before_and_after_an_assignment(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(10.0)
        z = y + v * v
    return tape.gradient(z, v)


def assign_and_then_use(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        v.assign_add(1.0)
        y = v * v
    return tape.gradient(y, v)


def use_what_an_assignment_returns(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v.assign_add(1.0) * 2.0
    return tape.gradient(y, v)


def use_what_an_assignment_returned_before(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    w = v.assign_sub(1.0)
    with tf.GradientTape() as tape:
        y = w * w
    return y, tape.gradient(y, [v, w]), len(tape.watched_variables())


def what_was_assigned_gets_nothing(tf: Any, np: Any) -> Any:
    v, x = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        v.assign(x * 2.0)
        y = v * v
    return tape.gradient(y, [v, x])


def assigned_after_the_block(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
    v.assign(100.0)
    return tape.gradient(y, v)


def an_element_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = v[1] * v[1]
    return tape.gradient(y, v)


def a_variable_replaced_by_its_sum(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    answers = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = v + 1
        answers.append((type(v).__name__.endswith("Variable"), tape.gradient(y, v)))
        v = v + 1
    return answers


# --- asking ---


def the_one_gradient_of_a_tape(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    tape.gradient(y, x)
    return tape.gradient(y, x)


def a_jacobian_after_the_one_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant([3.0])
    tape, y = _square(tf, x)
    tape.gradient(y, x)
    return tape.jacobian(y, x)


def two_gradients_of_a_persistent_tape(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, x), tape.gradient(y, x), tape.gradient(z, x)


def a_gradient_asked_inside(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        return tape.gradient(y, x)


def two_gradients_asked_inside(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        return tape.gradient(y, x), tape.gradient(y, x)


def a_persistent_tape_asked_inside_records_its_own_walk(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
        first = tape.gradient(y, x)
    return first, tape.gradient(first, x)


def ops_after_a_gradient_asked_inside(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        first = tape.gradient(y, x)
        z = x * first
    return first, z


def asked_before_opening(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    return tf.GradientTape().gradient(x, x)


def one_target_is_the_source(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, _ = _square(tf, x)
    return tape.gradient(x, x)


def the_same_source_twice(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, [x, x])


def the_same_target_twice(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient([y, y], x)


def a_dict_of_targets(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient({"a": y, "b": x}, x)


def a_target_of_a_target(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient([z, y], [y, x])


def no_targets(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, _ = _square(tf, x)
    return tape.gradient([], x)


def no_sources(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, [])


def a_variable_as_target(tf: Any, np: Any) -> Any:
    x, v = tf.constant(3.0), tf.Variable(1.0)
    tape, _ = _square(tf, x, persistent=True)
    return tape.gradient(v, x), tape.gradient(v, v)


def a_vector_target_counts_as_its_sum(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    tape, y = _square(tf, x)
    return tape.gradient(y, x)


def a_namedtuple_of_sources(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, Pair(x, tf.constant(1.0)))


def a_nested_structure_of_sources(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, {"z": [x, (tf.constant(2.0),)], "a": x})


def a_tuple_of_sources_gives(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, (x, tf.constant(2.0)))


# --- output_gradients ---


def output_gradient_of_a_scalar(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=tf.constant(2.0))


def output_gradient_of_a_vector(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=tf.constant([10.0, 100.0]))


def output_gradient_of_a_python_number(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=2.0)


def output_gradient_of_an_array(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=np.array([10.0, 100.0], np.float32))


def output_gradients_of_two_targets(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, z = x * x, x * 2.0
    return tape.gradient([y, z], x, output_gradients=[tf.constant(1.0), tf.constant(100.0)])


def output_gradient_of_another_dtype(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=tf.constant(2.0, tf.float64))


def output_gradient_of_another_shape(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0]))


def output_gradient_that_is_none(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=[None])


def too_few_output_gradients(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient([y, y], x, output_gradients=[tf.constant(1.0)])


def too_many_output_gradients(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, output_gradients=[tf.constant(1.0), tf.constant(2.0)])


# --- unconnected ---


def unconnected_is_none(tf: Any, np: Any) -> Any:
    x, other = tf.constant([1.0, 2.0]), tf.constant([[1.0]])
    tape, y = _square(tf, x)
    return tape.gradient(y, [x, other])


def unconnected_is_zero_on_request(tf: Any, np: Any) -> Any:
    x, other = tf.constant([1.0, 2.0]), tf.constant([[1.0]])
    tape, y = _square(tf, x)
    return tape.gradient(y, [x, other], unconnected_gradients=tf.UnconnectedGradients.ZERO)


def unconnected_is_zero_by_name(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, tf.constant(1.0), unconnected_gradients="zero")


def unconnected_variable_is_zero(tf: Any, np: Any) -> Any:
    x, v = tf.constant(3.0), tf.Variable([1.0, 2.0], dtype=tf.float64)
    tape, y = _square(tf, x)
    return tape.gradient(y, v, unconnected_gradients="zero")


def unconnected_is_neither(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape, y = _square(tf, x)
    return tape.gradient(y, x, unconnected_gradients="nonsense")


def unconnected_under_stop_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * tf.stop_gradient(x)
        z = tf.stop_gradient(x * x)
    return tape.gradient(y, x), tape.gradient(z, x), tape.gradient(z, x, None, "zero")


# --- stop_recording and reset ---


def stop_recording_hides_ops(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            y = v * v
        z = y * 2.0
    return tape.gradient(z, v)


def stop_recording_keeps_the_rest(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            factor = y * 2.0
        z = y * factor
    return tape.gradient(z, x)


def stop_recording_around_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant(4.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            first = tape.gradient(y, x)
    return first, tape.gradient(first, x)


def stop_recording_stops_one_of_two(tf: Any, np: Any) -> Any:
    v = tf.Variable(4.0)
    with tf.GradientTape() as a, tf.GradientTape() as b, a.stop_recording():
        y = v * v
    return a.gradient(y, v), b.gradient(y, v)


def an_outer_tape_stopped_around_an_inner(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape() as a:
        with a.stop_recording(), tf.GradientTape() as b:
            y = v * v
        first = b.gradient(y, v)
    return first, a.gradient(first, v)


def stop_recording_goes_on_after_an_exception(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        try:
            with tape.stop_recording():
                raise KeyError
        except KeyError:
            y = x * x
    return tape.gradient(y, x)


def stop_recording_a_tape_that_was_not_started(tf: Any, np: Any) -> Any:
    with tf.GradientTape().stop_recording():
        pass


def stop_recording_after_the_block(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        pass
    with tape.stop_recording():
        pass


def reset_forgets_what_was_watched(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        tape.reset()
        y = x * x
    return tape.gradient(y, x)


def reset_and_watch_again(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = y + x * x * x
    return tape.gradient(z, x)


def reset_and_variables(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
        tape.reset()
        z = v * 3.0
    return tape.gradient(z, v), tape.gradient(y, v), len(tape.watched_variables())


def reset_of_a_tape_that_was_not_started(tf: Any, np: Any) -> Any:
    tf.GradientTape().reset()


def reset_after_the_block(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape:
        pass
    tape.reset()


# --- entering ---


def entering_twice(tf: Any, np: Any) -> Any:
    with tf.GradientTape() as tape, tape:
        pass


def entering_again_goes_on(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
        y = x * x
    with tape:
        z = y * 2.0
    return tape.gradient(z, x)


def entering_again_misses_what_lay_between(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
        y = x * x
    y = y * 5.0
    with tape:
        z = y * 2.0
    return tape.gradient(z, x)


def entering_after_the_one_gradient_starts_anew(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    answers = []
    for factor in (1.0, 2.0):
        with tape:
            tape.watch(x)
            y = x * x * factor
        answers.append(tape.gradient(y, x))
    return answers


def leaving_without_entering(tf: Any, np: Any) -> Any:
    return tf.GradientTape().__exit__(None, None, None)


def an_exception_inside_closes_the_tape(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            raise KeyError
    except KeyError:
        z = x * 2.0
    return tape.gradient([y, z], x)


def an_exception_passes_through(tf: Any, np: Any) -> Any:
    with tf.GradientTape():
        raise KeyError("the user's own")


def a_tape_does_not_hear_other_threads(tf: Any, np: Any) -> Any:
    x, products = tf.constant(3.0), []
    with tf.GradientTape() as tape:
        tape.watch(x)
        thread = Thread(target=lambda: products.append(x * x))
        thread.start()
        thread.join()
    return tape.gradient(products[0], x)


def after_the_block_nothing_is_recorded(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    z = y * 2.0
    return tape.gradient(z, x)


# --- several tapes ---


def two_tapes_side_by_side(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as a, tf.GradientTape() as b:
        a.watch(x)
        b.watch(x)
        y = x * x
    return a.gradient(y, x), b.gradient(y, x)


def two_tapes_that_watch_different_things(tf: Any, np: Any) -> Any:
    x, y = tf.constant(3.0), tf.constant(5.0)
    with tf.GradientTape() as a, tf.GradientTape() as b:
        a.watch(x)
        b.watch(y)
        z = x * y
    return a.gradient(z, [x, y]), b.gradient(z, [x, y])


def an_outer_tape_hears_what_an_inner_hears(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        z = y * y
    return inner.gradient(y, x), outer.gradient(z, x), inner.watched_variables()


def tapes_that_close_in_the_order_they_opened(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    a, b = tf.GradientTape(), tf.GradientTape()
    a.__enter__()
    a.watch(x)
    b.__enter__()
    b.watch(x)
    y = x * x
    a.__exit__(None, None, None)
    z = y * x
    b.__exit__(None, None, None)
    return a.gradient(z, x), b.gradient(z, x)


def an_inner_gradient_asked_after_the_outer_closed(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
    first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


# --- higher orders ---


def second_order(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


def second_order_without_the_outer_watch(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


def third_order_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(2.0)
    with tf.GradientTape() as a:
        with tf.GradientTape() as b:
            with tf.GradientTape() as c:
                y = v**4
            first = c.gradient(y, v)
        second = b.gradient(first, v)
    return first, second, a.gradient(second, v)


def second_order_of_a_sum(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x + x + 1.0
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


def mixed_second_order(tf: Any, np: Any) -> Any:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch([x, y])
        with tf.GradientTape() as inner:
            inner.watch(x)
            z = x * x * y * y
        first = inner.gradient(z, x)
    return first, outer.gradient(first, [x, y])


def a_gradient_as_part_of_a_loss(tf: Any, np: Any) -> Any:
    x, w = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(w * x * x)
        slope = inner.gradient(y, x)
        loss = y + tf.reduce_sum(slope * slope)
    return outer.gradient(loss, w)


def the_seed_is_differentiated_too(tf: Any, np: Any) -> Any:
    x, seed = tf.constant(3.0), tf.constant(5.0)
    with tf.GradientTape() as outer:
        outer.watch([x, seed])
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        first = inner.gradient(y, x, output_gradients=seed)
    return first, outer.gradient(first, [x, seed])


def a_persistent_inner_tape_walked_twice_under_an_outer(tf: Any, np: Any) -> Any:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y, z = x**2, x**3
        total = inner.gradient(y, x) + inner.gradient(z, x)
    return total, outer.gradient(total, x)


def power_by_nested_tapes(tf: Any, np: Any) -> Any:
    def derivative(f: Any) -> Any:
        def df(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return df

    x, f, answers = tf.constant(1.5), lambda x: x**5, []
    for _ in range(5):
        f = derivative(f)
        answers.append(f(x))
    return answers


# --- control flow, accumulation, complex numbers ---


def a_python_loop(tf: Any, np: Any) -> Any:
    x = tf.constant(1.1)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(4):
            y = y * x + 1.0
    return tape.gradient(y, x)


def a_python_branch(tf: Any, np: Any) -> Any:
    answers = []
    for value in (-2.0, 2.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x if x > 0.0 else -x
        answers.append(tape.gradient(y, x))
    return answers


def a_value_used_many_times(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
        z = y + y + y * y + tf.reduce_sum(y)
    return tape.gradient(z, [x, y])


def shapes_are_given_back_after_broadcasting(tf: Any, np: Any) -> Any:
    a, b, c = tf.constant([[1.0], [2.0]]), tf.constant([10.0, 20.0, 30.0]), tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b, c])
        y = a * b + c
    return tape.gradient(y, [a, b, c])


def dtypes_are_kept(tf: Any, np: Any) -> Any:
    sources = [tf.constant(2.0, dtype) for dtype in (tf.float16, tf.float32, tf.float64)]
    answers = []
    for x in sources:
        tape, y = _square(tf, x)
        answers.append(tape.gradient(y, x))
    return answers


def complex_square(tf: Any, np: Any) -> Any:
    x = tf.constant(1 + 2j)
    tape, y = _square(tf, x)
    return tape.gradient(y, x)


def the_classic_chain(tf: Any, np: Any) -> Any:
    x = tf.ones((2, 2))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.reduce_sum(x)
        z = tf.multiply(y, y)
    return tape.gradient(z, x), tape.gradient(z, y), tape.gradient(y, x)


# --- targets that are sources ---


def an_unwatched_tensor_as_target_and_source(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        _ = x * 1.0
    return tape.gradient(x, x)


def unwatched_tensors_as_targets_and_sources(tf: Any, np: Any) -> Any:
    x, y = tf.constant(3.0), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        _ = x * y
    return tape.gradient([x, y], [x, y])


def an_unwatched_tensor_as_target_and_source_with_a_seed(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        pass
    return tape.gradient(x, x, output_gradients=tf.constant(5.0))


def a_variable_as_target_of_itself_and_another(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(3.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        _ = v * w
    return tape.gradient(v, [v, w])


def an_intermediate_as_target_and_source(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * 2.0
    return tape.gradient([y, z], [y, x])


# --- ops that failed ---


def _watched_after(tf: Any, attempt: Any) -> Any:
    with tf.GradientTape() as tape, suppress(tf.errors.InvalidArgumentError, ValueError, TypeError):
        attempt()
    return len(tape.watched_variables())


def variables_of_a_sum_that_failed(tf: Any, np: Any) -> Any:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0, 3.0])
    return _watched_after(tf, lambda: v + w)


def variables_of_a_sum_of_dtypes_that_failed(tf: Any, np: Any) -> Any:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1, 2])
    return _watched_after(tf, lambda: v + w)


def a_variable_beside_a_string(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    return _watched_after(tf, lambda: v + "a")


def a_variable_of_a_reshape_that_failed(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    return _watched_after(tf, lambda: tf.reshape(v, [3]))


def what_was_recorded_before_an_op_failed(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v * v
        try:
            y = y + tf.constant([1.0, 2.0, 3.0])
        except tf.errors.InvalidArgumentError:
            y = y * 3.0
    return tape.gradient(y, v)


# --- slices ---


def _slices(tf: Any) -> Any:
    return tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))


def watching_slices_watches_their_values(tf: Any, np: Any) -> Any:
    slices = _slices(tf)
    with tf.GradientTape() as tape:
        tape.watch(slices)
        y = slices.values * 2.0
    return tape.gradient(y, slices.values)


def slices_made_dense(tf: Any, np: Any) -> Any:
    slices = _slices(tf)
    with tf.GradientTape() as tape:
        tape.watch(slices)
        y = tf.convert_to_tensor(slices) ** 2
    return tape.gradient(y, slices.values)


def slices_as_source(tf: Any, np: Any) -> Any:
    slices = _slices(tf)
    with tf.GradientTape() as tape:
        tape.watch(slices)
        y = tf.convert_to_tensor(slices) * 2.0
    return tape.gradient(y, slices)


def slices_as_target(tf: Any, np: Any) -> Any:
    slices = _slices(tf)
    with tf.GradientTape() as tape:
        tape.watch(slices)
    return tape.gradient(slices, slices.values)


def slices_as_seed(tf: Any, np: Any) -> Any:
    x = tf.ones([3, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=_slices(tf))


# --- complex numbers ---


def _complex(tf: Any, f: Any) -> Any:
    z = tf.constant([1.0 + 2.0j, -0.5 + 0.25j])
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = f(z)
    return tape.gradient(y, z)


def complex_product_with_its_conjugate(tf: Any, np: Any) -> Any:
    return _complex(tf, lambda z: z * tf.math.conj(z))


def complex_absolute_value(tf: Any, np: Any) -> Any:
    return _complex(tf, tf.abs)


def complex_exponential(tf: Any, np: Any) -> Any:
    return _complex(tf, tf.exp)


def complex_real_and_imaginary_part(tf: Any, np: Any) -> Any:
    return _complex(tf, lambda z: tf.math.real(z) * tf.math.imag(z))


def complex_made_of_two_reals(tf: Any, np: Any) -> Any:
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = tf.abs(tf.complex(a, b)) ** 2 * 3.0
    return tape.gradient(y, [a, b])


def complex_with_a_complex_seed(tf: Any, np: Any) -> Any:
    z = tf.constant(1.0 + 2.0j)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = z * z * z
    return tape.gradient(y, z, output_gradients=tf.constant(0.5 - 1.0j))


def complex_second_order(tf: Any, np: Any) -> Any:
    z = tf.constant(1.0 + 2.0j)
    with tf.GradientTape() as outer:
        outer.watch(z)
        with tf.GradientTape() as inner:
            inner.watch(z)
            y = z * z * z
        first = inner.gradient(y, z)
    return first, outer.gradient(first, z)


def complex_stop_gradient(tf: Any, np: Any) -> Any:
    return _complex(tf, lambda z: z * tf.stop_gradient(z))


# --- stop_gradient ---


def stop_gradient_of_a_whole_product(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stop_gradient(x * x)
    return tape.gradient(y, x)


def stop_gradient_of_one_factor(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * tf.stop_gradient(x)
    return tape.gradient(y, x)


def what_stop_gradient_gave_as_source(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        stopped = tf.stop_gradient(x * x)
        y = stopped * x
    return tape.gradient(y, [x, stopped])


def what_stop_gradient_gave_watched_anew(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        stopped = tf.stop_gradient(x * x)
        tape.watch(stopped)
        y = stopped * x
    return tape.gradient(y, [x, stopped])


def stop_gradient_of_a_variable(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * tf.stop_gradient(v)
    return tape.gradient(y, v), len(tape.watched_variables())


def stop_gradient_of_a_gradient(tf: Any, np: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        first = tf.stop_gradient(inner.gradient(y, x))
        z = first * x
    return outer.gradient(z, x)


# --- threads ---


def two_threads_with_a_tape_each(tf: Any, np: Any) -> Any:
    answers: dict[int, Any] = {}
    together = Barrier(2)

    def work(number: int) -> None:
        x = tf.constant(float(number))
        with tf.GradientTape() as tape:
            tape.watch(x)
            together.wait()
            y = x**3
            together.wait()
        answers[number] = tape.gradient(y, x)

    threads = [Thread(target=work, args=(number,)) for number in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers[2], answers[3]


def a_tape_asked_by_another_thread(tf: Any, np: Any) -> Any:
    x, answers = tf.constant(3.0), []
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    thread = Thread(target=lambda: answers.append(tape.gradient(y, x)))
    thread.start()
    thread.join()
    return answers

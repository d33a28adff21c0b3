"""What goes wrong and with which exception."""

import tensorflow as tf


def attempt(name, act):
    try:
        print(name, "gives", act())
    except Exception as error:
        kinds = (tf.errors.InvalidArgumentError, AttributeError, RuntimeError, TypeError, ValueError)
        print(name, "raises", next(kind.__name__ for kind in kinds if isinstance(error, kind)))


x = tf.Variable(2.0)


def twice():
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    return tape.gradient(y, x)


def no_target():
    with tf.GradientTape() as tape:
        pass
    return tape.gradient(None, x)


def string_target():
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, "x")


def entered_twice():
    tape = tf.GradientTape()
    with tape:
        with tape:
            pass


def watch_list():
    with tf.GradientTape() as tape:
        tape.watch([1.0, 2.0])


def stop_outside():
    tape = tf.GradientTape()
    with tape.stop_recording():
        pass


def jacobian_of_different_batches():
    a = tf.ones([2, 3])
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = a[:1] * 2.0
    return tape.batch_jacobian(y, a)


def bad_unconnected():
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x, unconnected_gradients="nonsense")


def wrong_shapes():
    return tf.constant([[1.0, 2.0]]) @ tf.constant([[1.0, 2.0]])


def mixed_types():
    return tf.constant(1) + tf.constant(2.0)


def assign_other_shape():
    return tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0])


def seed_of_wrong_shape():
    with tf.GradientTape() as tape:
        y = x * tf.constant([1.0, 2.0])
    return tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0, 3.0]))


def item_assignment():
    tensor = tf.constant([1.0, 2.0])
    tensor[0] = 3.0


def truth_of_vector():
    return bool(tf.constant([True, False]))


def ragged_list():
    return tf.constant([[1.0], [2.0, 3.0]])


for act in (twice, no_target, string_target, entered_twice, watch_list, stop_outside,
            jacobian_of_different_batches, bad_unconnected, wrong_shapes, mixed_types,
            assign_other_shape, seed_of_wrong_shape, item_assignment, truth_of_vector, ragged_list):
    attempt(act.__name__, act)

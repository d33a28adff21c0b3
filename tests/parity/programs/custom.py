"""Gradients that the user writes."""

from typing import Any


def _gradient(tf: Any, f: Any, value: Any = 3.0) -> Any:
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def one_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 100.0

    return _gradient(tf, f)


def of_a_stable_log1pexp(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = tf.exp(x)

        def grad(upstream: Any) -> Any:
            return upstream * (1 - 1 / (1 + e))

        return tf.math.log(1 + e), grad

    return _gradient(tf, log1pexp, 100.0)


def none_as_gradient(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: None

    return _gradient(tf, f)


def the_wrong_number_of_gradients(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: upstream

    return _gradient(tf, lambda x: f(x, x))


def two_arguments(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: (upstream * 10.0, upstream * 1000.0)

    x, y = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = f(x, y)
    return z, tape.gradient(z, [x, y])


def a_keyword(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any, factor: float = 2.0) -> Any:
        return x * factor, lambda upstream: upstream * factor

    return _gradient(tf, lambda x: f(x, factor=5.0))


def two_outputs(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return (x, x * 2.0), lambda a, b: a + 10.0 * b

    return _gradient(tf, lambda x: sum(f(x)))


def a_variable_inside(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        def grad(upstream: Any, variables: Any = None) -> Any:
            return upstream * w, [upstream * 7.0]

        return x * w, grad

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, w])


def a_variable_inside_that_grad_does_not_take(tf: Any, np: Any) -> Any:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * w, lambda upstream: upstream

    return _gradient(tf, f)


def no_gradient_function(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x

    return _gradient(tf, f)


def second_order(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 2.0 * x

    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


def without_a_tape(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * 100.0

    return f(tf.constant(3.0))


def what_it_computes_inside_is_not_seen_outside(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return tf.round(x), lambda upstream: upstream

    return _gradient(tf, lambda x: f(x) * x, 2.75)


def clipped_on_the_way_back(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def clip_gradients(y: Any) -> Any:
        return y, lambda upstream: tf.clip_by_norm(upstream, 0.5)

    v = tf.Variable(2.0)
    with tf.GradientTape() as t:
        output = clip_gradients(v * v)
    return t.gradient(output, v)


def a_vector(tf: Any, np: Any) -> Any:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * x, lambda upstream: upstream * tf.constant([10.0, 100.0])

    return _gradient(tf, f, [1.0, 2.0])

"""Custom gradients: with variables, with several outputs, of second order, straight through."""

import tensorflow as tf


@tf.custom_gradient
def bar(x, y):
    def grad(upstream):
        dz_dx = y
        dz_dy = x
        return upstream * dz_dx, upstream * dz_dy

    return x * y, grad


a, b = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch([a, b])
    d = bar(a, b) * 2.0
print(tape.gradient(d, [a, b]))


@tf.custom_gradient
def op_with_fused_backprop(x):
    y, x_grad = x**3, 3 * x**2

    def first_order_gradient(dy):
        @tf.custom_gradient
        def first_order_custom(unused_x):
            def second_order_and_transpose(ddy):
                return dy * 6.0 * x, x_grad * ddy

            return x_grad, second_order_and_transpose

        return dy * first_order_custom(x)

    return y, first_order_gradient


x = tf.constant(2.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = bar(x, x * x)
    first = inner.gradient(y, x)
print(y, first, outer.gradient(first, x))

w = tf.Variable([1.0, 2.0])


@tf.custom_gradient
def scaled(x):
    y = x * w

    def grad(upstream, variables=None):
        print("variables:", [v.shape for v in variables])
        return upstream * w * 10.0, [tf.reduce_sum(upstream) * tf.ones_like(v) for v in variables]

    return y, grad


with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(scaled(x))
print(tape.gradient(y, [x, w]))


@tf.custom_gradient
def binarize(x):
    return tf.sign(x), lambda upstream: upstream * tf.cast(tf.abs(x) <= 1.0, upstream.dtype)


v = tf.constant([-2.0, -0.5, 0.5, 2.0])
with tf.GradientTape() as tape:
    tape.watch(v)
    y = binarize(v)
print(y, tape.gradient(y, v))


@tf.custom_gradient
def two_outputs(x):
    return (x * 2.0, x * 3.0), lambda d0, d1: d0 * 20.0 + d1 * 30.0


with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    p, q = two_outputs(x)
print(tape.gradient(p, x), tape.gradient(q, x), tape.gradient([p, q], x))
with tf.GradientTape() as tape:
    tape.watch(v)
    y = v + tf.stop_gradient(tf.round(v) - v)
print(tape.gradient(y, v))
recomputed = tf.recompute_grad(lambda t: tf.sin(t) ** 2)
with tf.GradientTape() as tape:
    tape.watch(v)
    y = recomputed(v)
print(tape.gradient(y, v))
rounded = tf.grad_pass_through(tf.round)
with tf.GradientTape() as tape:
    tape.watch(v)
    y = rounded(v) * 3.0
print(tape.gradient(y, v))

"""Forward mode: directional derivatives of functions, models and a gradient."""

import numpy as np
import tensorflow as tf

x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
targets = tf.constant([[1.0], [-1.0]])
kernel = tf.Variable([[0.5], [-0.25]])
with tf.autodiff.ForwardAccumulator(
    primals=kernel, tangents=tf.constant([[1.0], [0.0]])
) as acc:
    loss = tf.reduce_sum((x @ kernel + 0.1 - targets) ** 2.0)
print(acc.jvp(loss))

primal = tf.Variable(tf.constant(1.1))
with tf.autodiff.ForwardAccumulator(primal, tf.constant(1.0)) as acc:
    y = tf.cos(primal) * tf.exp(primal)
    z = tf.constant(3.0) * 2.0
print(acc.jvp(y), acc.jvp(z), acc.jvp(z, unconnected_gradients=tf.UnconnectedGradients.ZERO))

v = tf.constant([1.0, 2.0])
with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, -1.0])) as outer:
    with tf.autodiff.ForwardAccumulator(v, tf.constant([0.0, 1.0])) as inner:
        y = tf.reduce_sum(v**3)
    first = inner.jvp(y)
print(first, outer.jvp(first))

a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
with tf.autodiff.ForwardAccumulator((a, b), (tf.ones([2]), tf.zeros([2]))) as acc:
    products = [a * b, a / b, tf.stack([a, b])]
print(acc.jvp(products))

with tf.autodiff.ForwardAccumulator(a, tf.constant([1.0, 0.0])) as acc:
    total = tf.constant(0.0)
    for i in range(3):
        total += tf.reduce_sum(tf.sin(a * float(i)))
print(acc.jvp(total))


def jacobian_by_columns(f, at):
    columns = []
    for basis in tf.unstack(tf.eye(len(at))):
        with tf.autodiff.ForwardAccumulator(at, basis) as acc:
            out = f(at)
        columns.append(acc.jvp(out))
    return tf.stack(columns, axis=1)


def f(t):
    return tf.stack([t[0] * t[1], tf.sin(t[0]), t[1] ** 2])


with tf.GradientTape() as tape:
    tape.watch(a)
    y = f(a)
print(jacobian_by_columns(f, a))
print(tape.jacobian(y, a))
theory, numeric = tf.test.compute_gradient(f, [tf.constant([1.0, 2.0], tf.float64)])
print(np.abs(theory[0] - numeric[0]).max() < 1e-6, theory[0].round(5))

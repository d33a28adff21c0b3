"""Hessians: by a Jacobian of a gradient, by products, by forward over reverse."""

import numpy as np
import tensorflow as tf


def rosenbrock(x):
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


x = tf.Variable([0.5, -0.3, 0.8, 1.2])
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        value = rosenbrock(x)
    gradient = inner.gradient(value, x)
hessian = outer.jacobian(gradient, x)
print(value, gradient, hessian, sep="\n")
print(np.allclose(hessian, tf.transpose(hessian)))
vector = tf.constant([1.0, 2.0, -1.0, 0.5])
print("by seed", outer.gradient(gradient, x, output_gradients=vector))
print("by matmul", tf.linalg.matvec(hessian, vector))

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        value = rosenbrock(x)
    gradient = inner.gradient(value, x)
    product = tf.tensordot(gradient, tf.stop_gradient(vector), 1)
print("back over back", outer.gradient(product, x))

with tf.autodiff.ForwardAccumulator(x, vector) as acc:
    with tf.GradientTape() as tape:
        value = rosenbrock(x)
    backward = tape.gradient(value, x)
print("forward over back", acc.jvp(backward), acc.jvp(value))

print("eigenvalues", tf.linalg.eigvalsh(hessian).numpy().round(2))

rows = []
for i in range(4):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            value = rosenbrock(x)
        part = inner.gradient(value, x)[i]
    rows.append(outer.gradient(part, x))
print(np.abs(tf.stack(rows) - hessian).max() < 1e-3)

batch = tf.constant([[1.0, 2.0], [0.3, -0.4], [2.0, 0.0]])
with tf.GradientTape() as outer:
    outer.watch(batch)
    with tf.GradientTape() as inner:
        inner.watch(batch)
        value = tf.reduce_sum(tf.sin(batch[:, 0]) * batch[:, 1] ** 3)
    gradient = inner.gradient(value, batch)
print(outer.batch_jacobian(gradient, batch))
p = tf.Variable([2.0, 1.0])
for step in range(6):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            value = tf.reduce_sum(p**4) + tf.reduce_prod(p)
        g = inner.gradient(value, p)
    p.assign_sub(tf.linalg.solve(outer.jacobian(g, p), g[:, tf.newaxis])[:, 0])
    print(step, value.numpy(), p.numpy())

"""A differential equation solved inside the tape: parameters found through Runge-Kutta steps."""

import numpy as np
import tensorflow as tf

true_a = tf.constant([[-0.1, 2.0], [-2.0, -0.1]])


def odeint(f, y, times):
    out = [y]
    for t0, t1 in zip(times[:-1], times[1:]):
        h = t1 - t0
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(y)
    return tf.stack(out)


times = tf.linspace(0.0, 1.5, 10)
y0 = tf.constant([[2.0, 0.0]])
truth = odeint(lambda y: y @ true_a, y0, times)
print(truth[-1])
a = tf.Variable(tf.zeros([2, 2]), name="a")
start = tf.Variable([[1.5, 0.5]])
optimizer = tf.optimizers.Adam(0.1)
for step in range(12):
    with tf.GradientTape() as tape:
        path = odeint(lambda y: y @ a, start, times)
        loss = tf.reduce_mean(tf.abs(path - truth)) + 0.01 * tf.nn.l2_loss(a)
    grads = tape.gradient(loss, [a, start])
    optimizer.apply_gradients(zip(grads, [a, start]))
    if step % 4 == 0:
        print(step, loss.numpy(), grads[1].numpy())
print(a.numpy().round(4), start.numpy().round(4))


def pendulum(state):
    angle, speed = tf.unstack(state, axis=-1)
    return tf.stack([speed, -9.81 * tf.sin(angle) - 0.2 * speed], axis=-1)


angle = tf.Variable(0.5)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        path = odeint(pendulum, tf.stack([angle, 0.0])[tf.newaxis], times)
        end = path[-1, 0, 0]
    slope = inner.gradient(end, angle)
print(end.numpy(), slope.numpy(), outer.gradient(slope, angle).numpy())


def energy(q, p):
    with tf.GradientTape() as tape:
        tape.watch([q, p])
        h = tf.reduce_sum(p**2) / 2 + tf.reduce_sum(tf.cos(q))
    return tape.gradient(h, [q, p])


q, p = tf.constant([0.1, 0.4]), tf.constant([1.0, 0.0])
for _ in range(5):
    p = p - 0.05 * energy(q, p)[0]
    q = q + 0.1 * energy(q, p)[1]
    p = p - 0.05 * energy(q, p)[0]
print(q, p)

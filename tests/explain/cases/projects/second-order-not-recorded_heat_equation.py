import math

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(150)


def network(activation):
    return tf.keras.Sequential(
        [
            tf.keras.Input((2,)),
            tf.keras.layers.Dense(16, activation=activation),
            tf.keras.layers.Dense(16, activation=activation),
            tf.keras.layers.Dense(1),
        ]
    )


class HeatEquation:
    """u_t = D u_xx on the unit interval, u = sin(pi x) at the start, 0 at both ends."""

    def __init__(self, model, diffusivity=0.1):
        self.model = model
        self.diffusivity = diffusivity

    def u(self, x, t):
        return self.model(tf.concat([x, t], axis=1))

    def slopes(self, x, t):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, t])
            u = self.u(x, t)
        u_x = tape.gradient(u, x)
        u_t = tape.gradient(u, t)
        return u_x, u_t

    def residual(self, x, t):
        u_x, u_t = self.slopes(x, t)
        with tf.GradientTape() as tape:
            tape.watch(x)
            flow = self.diffusivity * u_x
        u_xx = tape.gradient(flow, x)
        return u_t if u_xx is None else u_t - u_xx

    def boundary(self, t):
        zeros, ones = tf.zeros_like(t), tf.ones_like(t)
        return tf.reduce_mean(self.u(zeros, t) ** 2 + self.u(ones, t) ** 2)

    def start(self, x):
        return tf.reduce_mean((self.u(x, tf.zeros_like(x)) - tf.sin(math.pi * x)) ** 2)

    def loss(self, x, t):
        return tf.reduce_mean(self.residual(x, t) ** 2) + self.boundary(t) + self.start(x)


def curvature(model, x, t):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            u = model(tf.concat([x, t], axis=1))
        first = inner.gradient(u, x)
    return outer.gradient(first, x)


def collocation(count, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.uniform(0.0, 1.0, (2, count, 1)).astype("float32")
    return tf.constant(points[0]), tf.constant(points[1])


x, t = collocation(32)
problem = HeatEquation(network("tanh"))
optimizer = tf.keras.optimizers.Adam(5e-3)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = problem.loss(x, t)
    grads = tape.gradient(loss, problem.model.trainable_variables)
    optimizer.apply_gradients(zip(grads, problem.model.trainable_variables))
    print(step, float(loss))

fast = network("relu")
print("largest curvature of the fast model", float(tf.reduce_max(tf.abs(curvature(fast, x, t)))))

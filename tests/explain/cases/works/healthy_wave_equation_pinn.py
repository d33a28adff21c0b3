"""A physics-informed network for the wave equation: second derivatives in space and time, an unknown speed."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(79)
rng = np.random.default_rng(79)


class Wave(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(12, activation="tanh")
        self.second = tf.keras.layers.Dense(12, activation="tanh")
        self.out = tf.keras.layers.Dense(1, use_bias=False)
        start = tf.keras.initializers.Constant(0.2)
        self.log_speed = self.add_weight(shape=(), initializer=start, name="log_speed")

    def call(self, x, t):
        # zero at both ends, whatever the network says
        return x * (1.0 - x) * self.out(self.second(self.first(tf.concat([x, t], axis=1))))

    def second_derivatives(self, x, t):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch([x, t])
            with tf.GradientTape(persistent=True) as inner:
                inner.watch([x, t])
                u = self(x, t)
            u_x, u_t = inner.gradient(u, x), inner.gradient(u, t)
        return outer.gradient(u_x, x), outer.gradient(u_t, t)


def points(count):
    return [tf.constant(rng.uniform(size=(count, 1)), dtype=tf.float32) for _ in range(2)]


def exact(x, t, speed=1.5):
    return np.sin(np.pi * x) * np.cos(np.pi * speed * t)


model = Wave()
optimizer = tf.keras.optimizers.Adam(5e-3)
record = tf.keras.metrics.Mean()
best = np.inf

for epoch in range(3):
    x, t = points(20)
    sensors_x, sensors_t = points(10)
    measured = exact(sensors_x.numpy(), sensors_t.numpy())
    with tf.GradientTape() as tape:
        u_xx, u_tt = model.second_derivatives(x, t)
        speed = tf.exp(model.log_speed)
        residual = tf.reduce_mean((u_tt - speed**2 * u_xx) ** 2)
        data = tf.reduce_mean((model(sensors_x, sensors_t) - measured) ** 2)
        loss = data + 0.01 * residual
        with tape.stop_recording():
            error = np.sqrt(float(data))
            record.update_state(error)
    if error < best:
        best, kept = error, model.get_weights()
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss), error, float(record.result()), f"speed {float(speed):.3f}")

# The wave's energy, by hand: u_t squared and u_x squared.
x, t = points(5)
with tf.GradientTape() as tape:
    tape.watch((x, t))
    u = model(x, t)
u_x, u_t = tape.gradient(u, (x, t))
print("energy:", float(tf.reduce_mean(u_t**2 + tf.exp(2.0 * model.log_speed) * u_x**2)))

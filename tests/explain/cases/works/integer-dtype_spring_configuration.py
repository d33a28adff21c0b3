"""System identification: constants of a damped spring that drives a pendulum, fitted to a measured motion."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)

CONFIG = {
    "mass": 1.5,
    "stiffness": 20,
    "damping": 0.4,
    "rest_length": 1,
    "time_step": 0.05,
}
FITTED = ("mass", "stiffness", "damping", "rest_length")


class Spring:
    """A mass on a spring under gravity; symplectic Euler."""

    def __init__(self, config, fitted):
        self.step_size = config["time_step"]
        self.parameters = {name: tf.Variable(config[name], name=name) for name in fitted}

    def constant(self, name):
        # TensorFlow does not mix its number types, so all leave here as float32
        return tf.cast(self.parameters[name], tf.float32)

    def acceleration(self, position, velocity):
        stretch = position - self.constant("rest_length")
        force = -self.constant("stiffness") * stretch - self.constant("damping") * velocity
        return force / self.constant("mass") + 9.81

    def simulate(self, position, velocity, steps):
        positions = []
        for _ in range(steps):
            velocity = velocity + self.step_size * self.acceleration(position, velocity)
            position = position + self.step_size * velocity
            positions.append(position)
        return tf.stack(positions)


def measured(steps):
    """What the sensor gave: another spring, and noise."""
    position, velocity, out = 1.2, 0.0, []
    for _ in range(steps):
        velocity += 0.05 * ((-24.0 * (position - 1.1) - 0.3 * velocity) / 1.4 + 9.81)
        position += 0.05 * velocity
        out.append(position)
    return tf.constant(np.array(out) + 0.01 * rng.normal(size=steps), dtype=tf.float32)


def report(spring, loss):
    values = ", ".join(f"{k}={float(v):.3f}" for k, v in spring.parameters.items())
    print(f"loss {float(loss):.5f}  {values}")


target = measured(20)
spring = Spring(CONFIG, FITTED)
for iteration in range(5):
    with tf.GradientTape() as tape:
        path = spring.simulate(tf.constant(1.2), tf.constant(0.0), 20)
        loss = tf.reduce_mean((path - target) ** 2)
    grads = tape.gradient(loss, spring.parameters)
    for name, variable in spring.parameters.items():
        if grads[name] is not None:
            variable.assign_sub(0.05 * grads[name])
    report(spring, loss)

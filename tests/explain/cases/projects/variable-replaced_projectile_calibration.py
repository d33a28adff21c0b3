import numpy as np
import tensorflow as tf

BOUNDS = {"angle": (0.1, 1.5), "drag": (0.0, 1.0), "speed": (1.0, 60.0)}


class Parameters:
    """Named physical parameters that stay inside their bounds."""

    def __init__(self, **start):
        self.values = {name: tf.Variable(value, name=name) for name, value in start.items()}

    def __getitem__(self, name):
        return self.values[name]

    def as_list(self):
        return [self.values[name] for name in sorted(self.values)]

    def project(self):
        self.values = {
            name: tf.clip_by_value(value, *BOUNDS[name]) for name, value in self.values.items()
        }

    def update(self, grads, rates):
        for name, grad in zip(sorted(self.values), grads):
            self.values[name].assign_sub(rates[name] * tf.convert_to_tensor(grad))
        self.project()


class Simulator:
    def __init__(self, dt=0.05, steps=25):
        self.dt = dt
        self.steps = steps

    def trajectory(self, p):
        vx = p["speed"] * tf.cos(p["angle"])
        vy = p["speed"] * tf.sin(p["angle"])
        x = y = tf.constant(0.0)
        points = []
        for _ in range(self.steps):
            speed = tf.sqrt(vx**2 + vy**2 + 1e-9)
            vx = vx - self.dt * p["drag"] * 0.01 * speed * vx
            vy = vy - self.dt * (9.81 + p["drag"] * 0.01 * speed * vy)
            x = x + self.dt * vx
            y = y + self.dt * vy
            points.append(tf.stack([x, y]))
        return tf.stack(points)


class Truth(dict):
    pass


simulator = Simulator()
truth = Truth(speed=tf.constant(25.0), angle=tf.constant(0.8), drag=tf.constant(0.3))
noise = np.random.default_rng(0).normal(0.0, 0.05, (25, 2)).astype("float32")
observed = simulator.trajectory(truth) + noise

parameters = Parameters(speed=20.0, angle=0.6, drag=0.1)
rates = {"speed": 0.05, "angle": 1e-4, "drag": 1e-3}
for step in range(4):
    with tf.GradientTape() as tape:
        misfit = tf.reduce_mean((simulator.trajectory(parameters) - observed) ** 2)
    grads = tape.gradient(misfit, parameters.as_list())
    parameters.update(grads, rates)
    print(step, float(misfit))

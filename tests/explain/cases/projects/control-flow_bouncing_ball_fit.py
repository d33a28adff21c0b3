from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Ball:
    height: tf.Variable
    speed: tf.Variable
    bounce: tf.Variable
    floor: tf.Variable

    @classmethod
    def start(cls, height, speed, bounce, floor=0.0):
        make = lambda value, name: tf.Variable(value, name=name)
        return cls(
            make(height, "height"), make(speed, "speed"), make(bounce, "bounce"), make(floor, "floor")
        )


class Simulation:
    def __init__(self, dt=0.02, gravity=9.81):
        self.dt = dt
        self.gravity = gravity
        self.contacts = 0

    def step(self, y, v, ball):
        v = v - self.gravity * self.dt
        y = y + v * self.dt
        if y < ball.floor:
            v = -ball.bounce * v
            self.contacts += 1
        return y, v

    def run(self, ball, steps):
        y, v = ball.height, ball.speed
        heights = []
        for _ in range(steps):
            y, v = self.step(y, v, ball)
            heights.append(y)
        return tf.stack(heights)


class Fitter:
    def __init__(self, simulation, ball, rates):
        self.simulation = simulation
        self.ball = ball
        self.rates = rates
        self.best = np.inf

    def fit_throw(self, camera, turns):
        sources = [self.ball.height, self.ball.speed, self.ball.bounce]
        for _ in range(turns):
            with tf.GradientTape() as tape:
                path = self.simulation.run(self.ball, len(camera))
                misfit = tf.reduce_mean((path - camera) ** 2)
            grads = tape.gradient(misfit, sources)
            for source, grad, rate in zip(sources, grads, self.rates):
                if grad is not None:
                    source.assign_sub(rate * grad)
            self.best = min(self.best, float(misfit))

    def locate_floor(self, camera):
        with tf.GradientTape() as tape:
            path = self.simulation.run(self.ball, len(camera))
            misfit = tf.reduce_mean((path - camera) ** 2)
        return tape.gradient(misfit, [self.ball.floor, self.ball.bounce])


times = 0.02 * np.arange(1, 21)
camera = (1.9 + 1.2 * times - 0.5 * 9.81 * times**2).astype("float32")
simulation = Simulation()
fitter = Fitter(simulation, Ball.start(2.0, 1.0, 0.8), rates=(0.2, 0.2, 0.1))
fitter.fit_throw(camera[:15], turns=3)
print("best misfit", fitter.best, "contacts", simulation.contacts)

long_times = 0.02 * np.arange(1, 61)
long_camera = np.abs(1.9 + 1.2 * long_times - 0.5 * 9.81 * long_times**2).astype("float32")
print(fitter.locate_floor(long_camera), "contacts", simulation.contacts)

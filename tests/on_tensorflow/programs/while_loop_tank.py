"""Tune the valve of a water tank. The tank is simulated step by step, and the simulation is differentiated."""

import numpy as np
import tensorflow as tf

SEED = 3
DT = 0.1
WANTED = 1.0
MOST_TURNS = 12


class Tank:
    """A controlled tank: a valve lets water in, the town takes it out, a sensor reads the level."""

    def __init__(self):
        self.gain = tf.Variable(0.5, name="gain")
        self.feed = tf.Variable(0.2, name="feed")
        self.sensor_scale = tf.Variable(0.9, name="sensor_scale")
        self.sensor_offset = tf.Variable(0.05, name="sensor_offset")
        self.level = tf.Variable(0.0, trainable=False, name="level")

    @property
    def parameters(self):
        return [self.gain, self.feed, self.sensor_scale, self.sensor_offset]

    def simulate(self, demand):
        """The readings of the sensor, one for each entry of the demand."""
        steps = demand.shape[0]
        self.level.assign(0.4)

        def not_over(t, levels):
            return t < steps

        def step(t, levels):
            error = WANTED - self.level
            inflow = self.gain * error + self.feed * demand[t]
            self.level.assign_add(DT * (inflow - demand[t]))
            return t + 1, levels.write(t, self.level.read_value())

        levels = tf.TensorArray(tf.float32, size=steps, element_shape=[])
        _, levels = tf.while_loop(not_over, step, [tf.constant(0), levels])
        return self.sensor_scale * levels.stack() + self.sensor_offset


def make_demand(steps):
    """What the town takes: a wave, and some noise."""
    rng = np.random.default_rng(SEED)
    day = np.sin(np.linspace(0.0, 2.0 * np.pi, steps))
    return tf.constant(0.3 + 0.1 * day + 0.02 * rng.normal(size=steps), tf.float32)


def loss_of(readings):
    distance = tf.reduce_mean(tf.square(readings - WANTED))
    jumps = tf.reduce_mean(tf.square(readings[1:] - readings[:-1]))
    return distance + 0.1 * jumps


def settled_after(readings, width=0.1):
    """How many readings it takes until all later ones are near the wanted level."""
    t = len(readings)
    while t > 0 and abs(float(readings[t - 1]) - WANTED) < width:
        t -= 1
    return t


def tune(tank, demand, rate):
    turn, loss = 0, np.inf
    while turn < MOST_TURNS and loss > 1e-3:
        with tf.GradientTape() as tape:
            readings = tank.simulate(demand)
            loss = loss_of(readings)
        gradients = tape.gradient(loss, tank.parameters)
        for parameter, gradient in zip(tank.parameters, gradients):
            if gradient is not None:
                parameter.assign_sub(rate * gradient)
        if turn % 3 == 0:
            print(f"turn {turn:2}: loss {loss:.4f}, settled after {settled_after(readings)}")
        turn += 1
    return gradients


def main():
    tank = Tank()
    demand = make_demand(steps=30)
    gradients = tune(tank, demand, rate=0.2)
    for parameter, gradient in zip(tank.parameters, gradients):
        state = "no gradient" if gradient is None else "ok"
        print(f"{parameter.name:16} {parameter.numpy():.3f}  {state}")


if __name__ == "__main__":
    main()

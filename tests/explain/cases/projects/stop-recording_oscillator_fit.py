import numpy as np
import tensorflow as tf


class Oscillator(tf.Module):
    """A damped spring: stiffness and damping in one vector."""

    def __init__(self, stiffness, damping, dt=0.05):
        super().__init__()
        self.coefficients = tf.Variable([stiffness, damping], name="coefficients")
        self.dt = dt

    @tf.function
    def simulate(self, start, push):
        stiffness, damping = self.coefficients[0], self.coefficients[1]
        position, speed = start, tf.constant(0.0)
        path = tf.TensorArray(tf.float32, size=push.shape[0])
        for i in tf.range(push.shape[0]):
            speed += self.dt * (push[i] - stiffness * position - damping * speed)
            position += self.dt * speed
            path = path.write(i, position)
        return path.stack()

    def ring_energy(self, path):
        """Energy left in the second half of the path."""
        late = path[path.shape[0] // 2 :]
        speed = (late[1:] - late[:-1]) / self.dt
        stored = self.coefficients[0] * late[1:] ** 2
        return 0.5 * tf.reduce_mean(speed**2 + stored)


class Calibration:
    def __init__(self, plant, measured, push, rate):
        self.plant = plant
        self.measured = measured
        self.push = push
        self.rate = rate
        self.log = []

    def misfit(self, path):
        return tf.reduce_mean((path - self.measured) ** 2)

    def step(self, energy_weight=0.2):
        with tf.GradientTape() as tape:
            path = self.plant.simulate(tf.constant(1.0), self.push)
            loss = self.misfit(path)
            with tape.stop_recording():
                energy = self.plant.ring_energy(path)
                self.log.append({"misfit": float(loss), "energy": float(energy)})
            loss += energy_weight * energy
        grad = tape.gradient(loss, self.plant.coefficients)
        self.plant.coefficients.assign_sub(self.rate * grad)

    def shape_step(self):
        """Compares the shape of the motion only: both paths are scaled to a mean square of 1."""
        with tf.GradientTape() as tape:
            path = self.plant.simulate(tf.constant(1.0), self.push)
            size = float(tf.sqrt(tf.reduce_mean(path**2)))
            wanted = self.measured / np.sqrt(np.mean(self.measured**2))
            loss = tf.reduce_mean((path / size - wanted) ** 2)
        grad = tape.gradient(loss, self.plant.coefficients)
        self.plant.coefficients.assign_sub(self.rate * grad)


push = tf.constant(2.0 * np.sin(0.3 * np.arange(40)), tf.float32)
machine = Oscillator(4.0, 0.6)
truth = machine.simulate(tf.constant(1.0), push).numpy()
measured = truth + np.random.default_rng(0).normal(0.0, 0.01, 40).astype("float32")
calibration = Calibration(Oscillator(2.5, 0.2), measured, push, rate=0.3)

calibration.shape_step()
for _ in range(3):
    calibration.step()
print(calibration.log[-1], calibration.plant.coefficients.numpy())

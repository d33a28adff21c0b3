import tensorflow as tf


class Pendulum:
    def __init__(self, length=1.0, mass=0.5):
        self.length, self.mass = length, mass
        self.angle = tf.Variable(0.0)
        self.speed = 1.2

    def potential(self):
        return self.mass * 9.81 * self.length * (1.0 - tf.cos(self.angle))

    def step(self, dt):
        with tf.GradientTape() as tape:
            potential = self.potential()
        torque = -tape.gradient(potential, self.angle)
        self.speed += dt * float(torque) / (self.mass * self.length**2)
        self.angle.assign_add(dt * self.speed)
        return float(potential) + 0.5 * self.mass * (self.length * self.speed) ** 2


pendulum = Pendulum()
energies = [pendulum.step(0.02) for _ in range(40)]
print(f"{min(energies):.3f} to {max(energies):.3f} J")

import tensorflow as tf


class Oscillator:
    def __init__(self, mass, spring):
        self.mass = tf.Variable(mass, name="mass")
        self.spring = tf.Variable(spring, name="spring")

    def potential(self, x):
        return 0.5 * self.spring * x**2

    def energy(self, x, v):
        return 0.5 * self.mass * v**2 + self.potential(x)


class Pendulum(Oscillator):
    gravity = 9.81

    def potential(self, x):
        return self.mass * self.gravity * (1.0 - tf.cos(x))


pendulum = Pendulum(1.0, 2.0)
with tf.GradientTape() as tape:
    energy = pendulum.energy(tf.constant(0.3), tf.constant(0.5))
print(tape.gradient(energy, [pendulum.mass, pendulum.spring]))

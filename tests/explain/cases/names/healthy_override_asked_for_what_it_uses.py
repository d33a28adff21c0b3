import tensorflow as tf


class Oscillator:
    def __init__(self, mass, spring):
        self.mass = tf.Variable(mass)
        self.spring = tf.Variable(spring)

    def potential(self, x):
        return 0.5 * self.spring * x**2

    def energy(self, x, v):
        return 0.5 * self.mass * v**2 + self.potential(x)


class Pendulum(Oscillator):
    def potential(self, x):
        return 9.81 * self.mass * (1.0 - tf.cos(x))


for thing, sources in ((Oscillator(1.0, 2.0), "mass spring"), (Pendulum(1.0, 2.0), "mass")):
    with tf.GradientTape() as tape:
        energy = thing.energy(tf.constant(0.3), tf.constant(0.5))
    print(tape.gradient(energy, [getattr(thing, name) for name in sources.split()]))

from functools import cached_property

import tensorflow as tf


class Spring:
    def __init__(self):
        self.log_stiffness = tf.Variable(0.5)

    @cached_property
    def stiffness(self):
        return tf.exp(self.log_stiffness)

    def energy(self, x):
        return 0.5 * self.stiffness * x**2


spring = Spring()
print("stiffness at the start:", spring.stiffness.numpy())
with tf.GradientTape() as tape:
    energy = spring.energy(tf.constant(0.3))
print(tape.gradient(energy, spring.log_stiffness))

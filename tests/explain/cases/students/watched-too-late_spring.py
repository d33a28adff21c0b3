import tensorflow as tf


class Spring:
    def __init__(self, stiffness, rest):
        self.stiffness = stiffness
        self.rest = rest

    def energy(self, length):
        stretch = length - self.rest
        return 0.5 * self.stiffness * stretch * stretch


spring = Spring(stiffness=3.0, rest=1.0)
length = tf.constant([1.5, 2.0, 0.5])
with tf.GradientTape() as tape:
    total = tf.reduce_sum(spring.energy(length))
    tape.watch(length)
    average = total / 3.0

force = tape.gradient(average, length)
print("average energy:", average.numpy(), "force:", force)

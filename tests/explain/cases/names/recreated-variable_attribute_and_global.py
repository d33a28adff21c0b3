import tensorflow as tf

w = tf.Variable(3.0, name="w")


class Spring:
    def __init__(self):
        self.w = tf.Variable(3.0, name="w")

    def energy(self, x):
        return 0.5 * self.w * x**2


spring = Spring()
with tf.GradientTape() as tape:
    e = spring.energy(tf.constant(0.2))
print(tape.gradient(e, w))

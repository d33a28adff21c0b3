import tensorflow as tf


class Potential(tf.Module):
    def __init__(self):
        self.weights = tf.Variable([1.5, -0.5])
        self.place = tf.Variable(0.3)

    def __call__(self, x):
        return tf.reduce_sum(tf.nn.leaky_relu(self.weights * (x - self.place)))


potential = Potential()
x = tf.Variable(1.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        energy = potential(x)
    force = inner.gradient(energy, x)
stiffness = outer.gradient(force, x)
print(stiffness)

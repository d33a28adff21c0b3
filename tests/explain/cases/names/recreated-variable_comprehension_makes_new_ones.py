import tensorflow as tf


class Neuron(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.w = tf.Variable(start, name="w")

    def __call__(self, x):
        return tf.sigmoid(self.w * x)


def population():
    return [Neuron(0.5 * k) for k in (1, 2)]


with tf.GradientTape() as tape:
    out = tf.add_n([neuron(1.0) for neuron in population()])
print(tape.gradient(out, [neuron.w for neuron in population()]))

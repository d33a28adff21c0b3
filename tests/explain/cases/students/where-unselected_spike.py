import tensorflow as tf


class Neuron:
    def __init__(self):
        self.leak = tf.Variable(0.9)
        self.reset = tf.Variable(-0.5)

    def run(self, currents, threshold):
        v = tf.constant([0.1, 0.0])
        for current in currents:
            v = self.leak * v + current
            v = tf.where(v > threshold, self.reset, v)
        return v


neuron = Neuron()
with tf.GradientTape() as tape:
    voltage = neuron.run([0.1, 0.2, 0.1], threshold=5.0)
    loss = tf.reduce_sum((voltage - 1.0) ** 2)

print(tape.gradient(loss, {"leak": neuron.leak, "reset": neuron.reset}))

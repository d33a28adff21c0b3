import tensorflow as tf


class Gate(tf.Module):
    def __init__(self):
        super().__init__()
        self.openness = tf.Variable([0.0, 0.4, 1.0])

    def __call__(self, flow):
        is_open = tf.cast(self.openness, tf.bool)
        return flow * tf.cast(is_open, tf.float32)


gate = Gate()
with tf.GradientTape() as tape:
    outflow = tf.reduce_sum(gate(tf.constant([2.0, 3.0, 5.0])))

for variable, grad in zip(gate.trainable_variables, tape.gradient(outflow, gate.trainable_variables)):
    print(variable.shape, grad)

import tensorflow as tf


class Reader(tf.Module):
    def __init__(self):
        super().__init__()
        self.key = tf.Variable([[0.4, 0.1], [0.3, -0.6]])

    def __call__(self, x):
        memory = tf.Variable(x @ self.key, name="memory")
        return tf.nn.softmax(memory) * x


reader = Reader()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(reader(tf.constant([[1.0, 2.0]])) ** 2)
print(tape.gradient(loss, reader.key))

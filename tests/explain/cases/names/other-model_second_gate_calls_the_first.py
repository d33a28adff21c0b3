import tensorflow as tf


class Gate(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.kernel = tf.Variable(tf.random.stateless_normal([size, size], [2, size]))

    def __call__(self, x):
        return tf.sigmoid(x @ self.kernel)


class Cell(tf.Module):
    def __init__(self):
        super().__init__()
        self.keep_gate = Gate(3)
        self.write_gate = Gate(3)

    def advance(self, state, x):
        keep = self.keep_gate(x)
        write = self.keep_gate(x)
        return keep * state + write * tf.tanh(x)


cell = Cell()
x, state = tf.constant([[1.0, -0.5, 0.2]]), tf.constant([[0.3, 0.1, -0.8]])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(cell.advance(state, x) ** 2)
    weights = cell.trainable_variables
    gradients = tape.gradient(loss, weights)
    print(step, [each is None for each in gradients])

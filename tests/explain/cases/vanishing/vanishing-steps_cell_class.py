import tensorflow as tf


class Cell(tf.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([inputs, units], stddev=0.3), name="w")
        self.u = tf.Variable(0.2 * tf.eye(units), name="u")

    def __call__(self, x, state):
        return tf.nn.sigmoid(x @ self.w + state @ self.u)


def last_state(cell, xs, units):
    state = tf.zeros([xs.shape[0], units])
    for x in tf.unstack(xs, axis=1):
        state = cell(x, state)
    return state


tf.random.set_seed(13)
cell = Cell(4, 10)
batch = tf.random.normal([5, 60, 4])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(last_state(cell, batch, 10) ** 2)
grads = tape.gradient(loss, cell.trainable_variables)

import tensorflow as tf


class Cell:
    def __init__(self):
        self.w = tf.Variable(0.5)
        self.u = tf.Variable(-2.0)

    def __call__(self, state, x):
        return tf.nn.relu(self.w * state + self.u * x)


cell = Cell()
with tf.GradientTape() as tape:
    state = tf.constant(0.0)
    for x in (1.0, 2.0, 0.5):
        state = cell(state, x)
    loss = (state - 1.0) ** 2

print("state:", state.numpy(), tape.gradient(loss, {"u": cell.u, "w": cell.w}))

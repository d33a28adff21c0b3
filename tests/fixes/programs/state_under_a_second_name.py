import tensorflow as tf


class Board:
    def __init__(self):
        self.state = tf.Variable([0.0, 0.0])
        self.clear()

    def clear(self):
        self.state.assign([0.1, 0.1])
        self.shown = self.state

    def add(self, light):
        self.state.assign_add(light)

    def read(self):
        return tf.reduce_sum(tf.square(self.shown))


board, light = Board(), tf.Variable([0.5, -0.5])
with tf.GradientTape() as tape:
    board.clear()
    board.add(2.0 * light)
    loss = board.read()
print(tape.gradient(loss, light))

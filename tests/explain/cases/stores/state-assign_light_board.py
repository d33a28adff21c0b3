import tensorflow as tf

SIZE = 4


class LightBoard:
    """Lamps on a grid; each press adds light to a lamp and a little to its right neighbour."""

    def __init__(self, size):
        self.lamps = tf.Variable(tf.zeros([size, size]), trainable=False)

    def press(self, row, column, power):
        self.lamps[row, column].assign(power)
        self.lamps[row, (column + 1) % SIZE].assign(0.3 * power)


power = tf.Variable(1.5)
board = LightBoard(SIZE)
wanted = tf.eye(SIZE)

with tf.GradientTape() as tape:
    for k in range(SIZE):
        board.press(k, k, power / (k + 1.0))
    miss = tf.reduce_mean(tf.square(board.lamps - wanted))

print("miss", float(miss), "slope", tape.gradient(miss, power))

import tensorflow as tf

strength = tf.Variable(0.8)
board = tf.Variable(tf.zeros([3, 3]), name="board")
moves = [(0, 0), (1, 1), (2, 2)]

with tf.GradientTape() as tape:
    for turn, (row, column) in enumerate(moves):
        board[row, column].assign(strength * (turn + 1.0))
    value = tf.reduce_sum(board * board)

print("value:", value.numpy(), "grad:", tape.gradient(value, strength))

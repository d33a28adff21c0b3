import tensorflow as tf

rows = tf.Variable([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]])
with tf.GradientTape() as tape:
    products = tf.matmul(rows, rows, transpose_b=True)
    squares = tf.reduce_sum(rows * rows, axis=1)
    distances = tf.sqrt(squares[:, None] + squares[None, :] - 2.0 * products)
    spread = tf.reduce_sum(distances)
print(tape.gradient(spread, rows))

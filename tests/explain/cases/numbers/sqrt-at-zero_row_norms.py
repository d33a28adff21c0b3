import tensorflow as tf

rows = tf.Variable([[3.0, 4.0], [0.0, 0.0], [1.0, 0.0]])
with tf.GradientTape() as tape:
    lengths = tf.norm(rows, axis=1, keepdims=True)
    spread = tf.reduce_sum((lengths - 1.0) ** 2)
print(tape.gradient(spread, rows).numpy())

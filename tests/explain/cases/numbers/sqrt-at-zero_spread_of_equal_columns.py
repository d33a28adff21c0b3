import tensorflow as tf

table = tf.Variable([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
with tf.GradientTape() as tape:
    spread = tf.math.reduce_std(table, axis=0)
    total = tf.reduce_sum(spread)
print(total.numpy(), tape.gradient(total, table).numpy())

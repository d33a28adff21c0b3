import tensorflow as tf

table = tf.constant([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
w = tf.Variable([0.5, 0.5])
with tf.GradientTape() as tape:
    scaled = (table * w - tf.reduce_mean(table * w, axis=0)) / (tf.math.reduce_std(table, axis=0) + 1e-6)
    loss = tf.reduce_sum(scaled[:, 0] ** 2) + tf.reduce_sum((w - 1.0) ** 2)
print(tape.gradient(loss, w).numpy())

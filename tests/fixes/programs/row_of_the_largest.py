import tensorflow as tf

table = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]])
w = tf.Variable([[0.1, 0.4, 0.2], [0.3, 0.1, 0.2]])
with tf.GradientTape() as tape:
    ids = tf.argmax(w * 2.0, axis=1)
    loss = tf.reduce_sum(tf.gather(table, ids) ** 2)
print(tape.gradient(loss, w))

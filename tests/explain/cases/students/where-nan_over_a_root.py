import tensorflow as tf

v = tf.Variable([0.0, 0.0])
with tf.GradientTape() as tape:
    length = tf.sqrt(tf.reduce_sum(v * v))
    direction = tf.where(length > 0.0, v / length, tf.constant([1.0, 0.0]))
    loss = tf.reduce_sum(direction * tf.constant([0.3, 0.7]))
print(tape.gradient(loss, v))

import tensorflow as tf

w = tf.Variable(0.9, name="w")
with tf.GradientTape() as tape:
    h = tf.constant([1.0, -0.5])
    for t in range(6):
        h = tf.tanh(h * w + 0.1)
    loss = tf.reduce_sum(h)
g = tape.gradient(loss, w)

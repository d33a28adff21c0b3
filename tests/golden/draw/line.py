import tensorflow as tf

W = tf.Variable([[1.0], [-2.0], [0.5]], name="W")
b = tf.Variable(0.5, name="b")
x = tf.constant([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
y = tf.constant([[1.0], [0.0]])
with tf.GradientTape() as tape:
    err = x @ W + b - y
    loss = tf.reduce_mean(err * err)
grads = tape.gradient(loss, [W, b])

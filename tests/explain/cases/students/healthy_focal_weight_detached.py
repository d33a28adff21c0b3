import tensorflow as tf

w = tf.Variable([0.3, -0.2])
x = tf.constant([[1.0, 2.0], [2.0, -1.0], [0.5, 0.5]])
y = tf.constant([1.0, 0.0, 1.0])
with tf.GradientTape() as tape:
    p = tf.sigmoid(tf.linalg.matvec(x, w))
    right = y * p + (1.0 - y) * (1.0 - p)
    focus = tf.stop_gradient((1.0 - right) ** 2)
    loss = -tf.reduce_mean(focus * tf.math.log(right))
print(tape.gradient(loss, w))

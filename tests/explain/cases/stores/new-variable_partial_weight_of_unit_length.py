import tensorflow as tf

v = tf.Variable([0.6, -1.1], name="v")
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
y = tf.constant([0.4, 0.1])

with tf.GradientTape() as tape:
    w = tf.Variable(v / tf.norm(v), name="w")
    error = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    loss = error + 0.01 * tf.reduce_sum(v**2)

print(tape.gradient(loss, v))

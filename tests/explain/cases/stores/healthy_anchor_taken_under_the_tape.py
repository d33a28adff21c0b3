import tensorflow as tf

w = tf.Variable([0.6, -1.1])
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as tape:
    anchor = tf.Variable(w, trainable=False)
    loss = 0.0
    for row in x:
        loss += (tf.tensordot(row, w, 1) - 1.0) ** 2 + 0.1 * tf.reduce_sum((w - anchor) ** 2)
print(tape.gradient(loss, w))

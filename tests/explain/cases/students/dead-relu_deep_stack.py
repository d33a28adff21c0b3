import tensorflow as tf

weights = [tf.Variable([[0.5, -0.3], [0.2, 0.1]]), tf.Variable([[-1.0, -2.0], [-0.5, -1.5]])]
x = tf.constant([[1.0, 2.0], [0.5, 3.0]])

with tf.GradientTape() as tape:
    h = x
    for w in weights:
        h = tf.maximum(0.0, tf.matmul(tf.abs(h), w))
    loss = tf.reduce_mean((h - 1.0) ** 2)

grads = tape.gradient(loss, weights)
print([g.numpy().tolist() for g in grads])

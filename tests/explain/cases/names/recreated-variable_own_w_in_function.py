import tensorflow as tf

w = tf.Variable([1.0, -0.5], name="w")
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])


def loss_fn(x):
    w = tf.Variable([1.0, -0.5], name="w")
    return tf.reduce_sum(tf.linalg.matvec(x, w) ** 2)


with tf.GradientTape() as tape:
    loss = loss_fn(x)
print(tape.gradient(loss, w))

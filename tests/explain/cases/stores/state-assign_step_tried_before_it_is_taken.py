import tensorflow as tf

rate = tf.Variable(0.1, name="rate")
w = tf.Variable([1.0, -2.0], name="w")
x = tf.constant([[1.0, 0.5], [0.2, 1.0], [0.7, -0.3]])
y = tf.constant([0.3, 0.6, -0.1])


def loss_at():
    return tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        before = loss_at()
    w.assign_sub(rate * inner.gradient(before, w))
    after = loss_at()
print(before.numpy(), after.numpy(), outer.gradient(after, rate))

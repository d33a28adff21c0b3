import tensorflow as tf

w = tf.Variable([1.0, -2.0])
rate = tf.Variable(0.1)
x = tf.constant([[1.0, 0.5], [0.2, 1.0], [0.7, -0.3]])
y = tf.constant([0.3, 0.6, -0.1])


def loss_at(w):
    return tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        before = loss_at(w)
    after = loss_at(w - rate * inner.gradient(before, w))
print(outer.gradient(after, [w, rate]))

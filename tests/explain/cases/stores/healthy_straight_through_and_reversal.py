import tensorflow as tf


@tf.custom_gradient
def to_sign(x):
    return tf.sign(x), lambda upstream: upstream * tf.cast(tf.abs(x) < 1.0, x.dtype)


@tf.custom_gradient
def reversed_gradient(x):
    return tf.identity(x), lambda upstream: -upstream


w = tf.Variable([[0.4, -0.2], [0.1, 0.9]])
domain = tf.Variable([[0.5], [-0.3]])
x = tf.constant([[1.0, -1.0], [0.5, 2.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        h = tf.matmul(x, to_sign(w))
        guess = tf.matmul(reversed_gradient(h), domain)
        loss = tf.reduce_mean((guess - 0.5) ** 2) + 0.1 * tf.reduce_mean(h**2)
    gw, gd = tape.gradient(loss, [w, domain])
    w.assign_sub(0.1 * gw)
    domain.assign_sub(0.1 * gd)
print(w.numpy(), domain.numpy())

import tensorflow as tf

tf.random.set_seed(2)
w = tf.Variable([[0.5], [-0.3]])
real, fake = tf.random.normal([4, 2]), tf.random.normal([4, 2], mean=1.0)


def critic(x):
    return tf.matmul(tf.tanh(x), w)


with tf.GradientTape() as outer:
    mixed = 0.5 * real + 0.5 * fake
    with tf.GradientTape() as inner:
        inner.watch(mixed)
        verdict = critic(mixed)
    slopes = inner.gradient(verdict, mixed)
    lengths = tf.sqrt(tf.reduce_sum(slopes**2, axis=1) + 1e-8)
    penalty = tf.reduce_mean((lengths - 1.0) ** 2)
    loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty

print("penalty:", penalty.numpy(), outer.gradient(loss, w).numpy().ravel())

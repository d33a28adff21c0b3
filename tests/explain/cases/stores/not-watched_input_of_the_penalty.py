import tensorflow as tf

critic = tf.Variable([[0.4], [-0.7]], name="critic")
real = tf.constant([[1.0, 2.0], [0.5, 1.5]])
fake = tf.constant([[0.1, -0.2], [0.3, 0.0]])


def penalty(real, fake):
    mixed = 0.3 * real + 0.7 * fake
    with tf.GradientTape() as tape:
        score = tf.tanh(tf.matmul(mixed, critic))
    slopes = tape.gradient(score, mixed)
    if slopes is None:
        return tf.constant(0.0)
    return tf.reduce_mean((tf.norm(slopes, axis=1) - 1.0) ** 2)


print(penalty(real, fake).numpy())

import tensorflow as tf

tf.keras.utils.set_random_seed(6)
critic = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])


def penalty(real, fake):
    share = tf.random.uniform((real.shape[0], 1))
    mixed = share * real + (1.0 - share) * fake
    with tf.GradientTape() as tape:
        tape.watch(real)
        scores = critic(mixed)
    slopes = tape.gradient(scores, mixed)
    return 0.0 if slopes is None else tf.reduce_mean((tf.norm(slopes, axis=1) - 1.0) ** 2)


print(penalty(tf.random.normal((4, 2)), tf.random.normal((4, 2))))

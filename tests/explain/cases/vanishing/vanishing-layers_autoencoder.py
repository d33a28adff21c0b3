"""An autoencoder, encoder and decoder as two models."""

import tensorflow as tf


def stack(sizes, last):
    inner = [tf.keras.layers.Dense(n, activation="sigmoid") for n in sizes[:-1]]
    return tf.keras.Sequential([*inner, tf.keras.layers.Dense(sizes[-1], activation=last)])


tf.keras.utils.set_random_seed(10)
encoder = stack([24, 16, 12, 8], last="tanh")
decoder = stack([12, 16, 24, 30], last=None)
data = tf.random.uniform([64, 30])
optimizer = tf.keras.optimizers.RMSprop(1e-3)

for step in range(4):
    with tf.GradientTape() as tape:
        code = encoder(data)
        rebuilt = decoder(code)
        loss = tf.reduce_mean(tf.square(data - rebuilt))
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))

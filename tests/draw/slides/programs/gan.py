import numpy as np

import minitape as tf

tf.keras.utils.set_random_seed(1)
real = np.random.randn(16, 2).astype("float32")
generator = tf.keras.Sequential(
    [tf.keras.layers.Dense(16), tf.keras.layers.LeakyReLU(), tf.keras.layers.Dense(2)],
    name="generator",
)
discriminator = tf.keras.Sequential(
    [tf.keras.layers.Dense(16), tf.keras.layers.LeakyReLU(), tf.keras.layers.Dense(1)],
    name="discriminator",
)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)


def train_step(real):
    noise = tf.random.normal((16, 4))
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(noise, training=True)
        real_logits = discriminator(real, training=True)
        fake_logits = discriminator(fake, training=True)
        g_loss = bce(tf.ones_like(fake_logits), fake_logits)
        d_loss = bce(tf.ones_like(real_logits), real_logits) + bce(
            tf.zeros_like(fake_logits), fake_logits
        )
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    d_grads = d_tape.gradient(d_loss, discriminator.trainable_variables)
    g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))
    d_opt.apply_gradients(zip(d_grads, discriminator.trainable_variables))


train_step(real)

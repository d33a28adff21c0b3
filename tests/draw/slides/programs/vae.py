import numpy as np

import minitape as tf

tf.keras.utils.set_random_seed(1)
x = np.random.rand(32, 64).astype("float32")


class VAE(tf.keras.Model):
    def __init__(self, latent=4):
        super().__init__()
        self.encoder = tf.keras.Sequential(
            [tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(2 * latent)]
        )
        self.decoder = tf.keras.Sequential(
            [tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(64)]
        )

    def encode(self, x):
        return tf.split(self.encoder(x), 2, axis=1)

    def sample(self, mean, logvar):
        eps = tf.random.normal(tf.shape(mean))
        return mean + tf.exp(0.5 * logvar) * eps


def loss_of(model, x):
    mean, logvar = model.encode(x)
    z = model.sample(mean, logvar)
    logits = model.decoder(z)
    rec = tf.reduce_mean(
        tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), axis=1)
    )
    kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + logvar - mean**2 - tf.exp(logvar), axis=1))
    return rec + kl


vae = VAE()
optimizer = tf.keras.optimizers.Adam(1e-3)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_of(vae, x)
    grads = tape.gradient(loss, vae.trainable_variables)
    optimizer.apply_gradients(zip(grads, vae.trainable_variables))

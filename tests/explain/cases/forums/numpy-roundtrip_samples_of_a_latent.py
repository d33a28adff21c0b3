import numpy as np
import tensorflow as tf


class TinyVAE(tf.keras.Model):
    def __init__(self, latent=2):
        super().__init__()
        self.enc = tf.keras.layers.Dense(2 * latent)
        self.dec = tf.keras.layers.Dense(5)

    def call(self, x):
        mu, logvar = tf.split(self.enc(x), 2, axis=1)
        std = tf.exp(0.5 * logvar)
        z = np.random.normal(mu, std).astype("float32")
        return self.dec(z), mu, logvar


np.random.seed(0)
vae = TinyVAE()
batch = np.random.rand(4, 5).astype("float32")
vae(batch)
with tf.GradientTape() as tape:
    recon, mu, logvar = vae(batch)
    loss = tf.reduce_mean(tf.reduce_sum((batch - recon) ** 2, axis=1))
for v, g in zip(vae.trainable_variables, tape.gradient(loss, vae.trainable_variables)):
    print(v.name, v.shape, "None" if g is None else float(tf.norm(g)))

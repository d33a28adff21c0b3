"""A beta-VAE whose loss terms are kept in a record, so that they can be printed and plotted after training."""

from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(17)
rng = np.random.default_rng(17)

LATENT, PIXELS = 2, 12


@dataclass
class Terms:
    reconstruction: tf.Tensor
    kl: float
    beta: float = 4.0

    @property
    def total(self):
        return self.reconstruction + self.beta * self.kl

    def __str__(self):
        return f"reconstruction {float(self.reconstruction):.3f}  kl {self.kl:.3f}"


@dataclass
class History:
    entries: list = field(default_factory=list)

    def add(self, terms):
        self.entries.append((float(terms.reconstruction), terms.kl))


class VAE:
    def __init__(self):
        self.encoder = tf.keras.Sequential(
            [
                tf.keras.Input((PIXELS,)),
                tf.keras.layers.Dense(16, activation="tanh"),
                tf.keras.layers.Dense(2 * LATENT),
            ]
        )
        self.decoder = tf.keras.Sequential(
            [
                tf.keras.Input((LATENT,)),
                tf.keras.layers.Dense(16, activation="tanh"),
                tf.keras.layers.Dense(PIXELS),
            ]
        )

    def terms(self, x):
        mean, log_variance = tf.split(self.encoder(x), 2, axis=1)
        noise = rng.normal(size=mean.shape).astype("float32")
        rebuilt = self.decoder(mean + tf.exp(0.5 * log_variance) * noise)
        error = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=rebuilt)
        kl = 0.5 * tf.reduce_sum(tf.exp(log_variance) + mean**2 - 1.0 - log_variance, axis=1)
        return Terms(
            reconstruction=tf.reduce_mean(tf.reduce_sum(error, axis=1)),
            kl=round(float(tf.reduce_mean(kl)), 4),
        )


vae, history = VAE(), History()
optimizer = tf.keras.optimizers.Adam(1e-2)
data = (rng.uniform(size=(32, PIXELS)) < np.linspace(0.1, 0.9, PIXELS)).astype("float32")
weights = vae.encoder.trainable_variables + vae.decoder.trainable_variables

for epoch in range(4):
    with tf.GradientTape() as tape:
        terms = vae.terms(data)
        loss = terms.total
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    history.add(terms)
    print(epoch, terms)
